/** Runs checks, asks models and reads configuration. Loaded only when needed. */
import * as Consulting from "../stop/Consulting.ts"
import * as ConsultedStop from "../stop/ConsultedStop.ts"

export { settle } from "../config/ConfigSources.ts"

/** In ms. This entry ends the process before its host does. */
const longest = 590_000

const end = (): never => process.exit(0)

const bounded = <A>(answered: A): A => {
  process.on("uncaughtException", end)
  setTimeout(end, longest)
  return answered
}

export const run: typeof ConsultedStop.run = (...given) => bounded(ConsultedStop.run(...given))

export const verify: typeof Consulting.verify = (...given) => bounded(Consulting.verify(...given))
