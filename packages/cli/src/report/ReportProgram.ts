/** The program behind `reflexion report`. */
import * as Trust from "@reflexion/hooks/config/Trust"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { resolve } from "node:path"
import { ReportError, UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import { explain } from "../process/FileProblem.ts"
import { ageOf, slowly, warnings } from "../memory/MemoryStore.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as ReportModel from "./content.ts"
import * as ReportOutput from "./output.ts"
import * as ReportReading from "./reading.ts"
import * as ReportSessions from "./sessions.ts"
import * as ReportText from "./text.ts"
import type { Given } from "./given.ts"

const name = "reflexion report"

const usage = (problem: string) => new UsageError({ command: name, problem })

/** What only says something of a page. */
const fitting = ({ format, open, out }: Given) => {
  if (out === "") return Effect.fail(usage("--out needs the name of a file"))
  if (format !== "text") return Effect.void
  const other = out !== null ? "--out" : open !== null ? "--open" : null
  return other === null ? Effect.void : Effect.fail(usage(`${other} is for a page: leave it out, or --format text`))
}

const rootOf = (cwd: string) =>
  Effect.try({
    try: () => Trust.rootOf(cwd),
    catch: (cause) => new ReportError({ problem: explain(cause).problem })
  })

const dataOf = Effect.fnUntraced(function* (root: string, { sessions, since }: Given) {
  const { cwd, env } = yield* CliProcess
  const age = yield* ageOf(name, since)
  const now = yield* Clock.currentTimeMillis
  const from = age === null ? null : now - Duration.toMillis(age)
  const found = yield* ReportReading.read(root, from)
  const past = sessions === null ? null : yield* ReportSessions.read({ directory: cwd, since: from })
  return ReportModel.make({
    ...found,
    project: Terminal.tilde(env, root),
    now,
    since: from,
    past: past?.stops ?? null,
    problems: [...found.problems, ...(past?.problems ?? [])]
  })
})

/**
 * Runs the command: writes the page and says where it is, or prints the text.
 *
 * @category programs
 */
export const run = Effect.fn("ReportProgram.run")(function* (given: Given) {
  yield* fitting(given)
  const { cwd } = yield* CliProcess
  const root = yield* rootOf(cwd)
  const place = yield* ReportOutput.placeOf(root, given.out === null ? null : resolve(cwd, given.out), given.format)
  const data = yield* dataOf(root, given).pipe(slowly("reading what is recorded"), Effect.provide(warnings))
  if (given.format === "text") return yield* Console.log(ReportText.render(yield* Terminal.style, data))
  const nothing = ReportText.nothingYet(data)
  const isUseless = nothing !== null && given.out === null && data.problems.length === 0
  if (nothing !== null) yield* Console.error(`reflexion: ${nothing}${isUseless ? " No page is written." : ""}`)
  if (isUseless) return
  yield* ReportOutput.write(place, data)
  if (given.open === null || (yield* ReportOutput.open(place.path))) return
  yield* Ref.set(yield* ExitStatus, 1)
})
