/** The part of a hook that looks at a stop by more than evidence, and ends with its process in any case. */
import * as ConsultedStop from "../stop/ConsultedStop.ts"

/** Under the 10 minutes that the installed hooks are given for a stop. */
const longest = 590_000

/** Nothing has been said then, and the host goes on. */
const end = (): never => process.exit(0)

export const run: typeof ConsultedStop.run = (...given) => {
  const answered = ConsultedStop.run(...given)
  process.on("uncaughtException", end)
  setTimeout(end, longest)
  return answered
}
