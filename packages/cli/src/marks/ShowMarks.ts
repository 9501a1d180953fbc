/** The program behind `reflexion marks`. */
import * as Marks from "@reflexion/hooks/config/Marks"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { CliProcess } from "../process/CliProcess.ts"
import * as Settings from "../process/Settings.ts"
import { counted, oneLine } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as MarksReport from "./report.ts"
import type { Given } from "./model.ts"

const warn = (damaged: number, file: string): Effect.Effect<void> =>
  damaged === 0
    ? Effect.void
    : Console.error(
        `reflexion: ${counted(damaged, "line")} of ${file} ${damaged === 1 ? "is" : "are"} no mark, and left out`
      )

const clear = Effect.fnUntraced(function* (root: string, rule: string) {
  const { env } = yield* CliProcess
  const directories = UserDirectories.make(env)
  const count = yield* Settings.attempt(Marks.fileOf(directories, root), () => Marks.clear(directories, root, rule))
  yield* Console.log(
    count === 0
      ? `No push of ${oneLine(rule)} is marked in this project; nothing changes.`
      : `${counted(count, "mark")} on ${rule} taken back in this project.`
  )
})

/**
 * Shows the marks of the project where it is run, or takes those on a rule back.
 *
 * @category programs
 */
export const run = Effect.fn("ShowMarks.run")(function* (given: Given) {
  const { cwd, env } = yield* CliProcess
  const root = Trust.rootOf(cwd)
  if (given.clear !== null) return yield* clear(root, given.clear)
  const file = Marks.fileOf(UserDirectories.make(env), root)
  const { damaged, marks } = yield* Settings.marksAt(cwd)
  yield* warn(damaged, Terminal.tilde(env, file))
  if (given.format !== "jsonl") return yield* Console.log(MarksReport.text(yield* Terminal.style, marks))
  const lines = MarksReport.lines(marks)
  if (lines.length > 0) yield* Console.log(lines.join("\n"))
})
