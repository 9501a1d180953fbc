/** The program for `reflexion report`. */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import { isRuleName } from "@reflexion/core/internal/judge/rules/Rules"
import * as ReviewFolder from "@reflexion/core/internal/review/records/ReviewFolder"
import * as Marks from "@reflexion/hooks/config/Marks"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as ProjectRoot from "@reflexion/hooks/places/ProjectRoot"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Values } from "../command/Parts.ts"
import * as Hosts from "../host/Hosts.ts"
import { ageOf, databaseOf, warnings } from "../memory/MemoryStore.ts"
import { CliFailure, UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { attempt } from "../process/FileProblem.ts"
import { counted, escaped, oneLine, wrap } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as Model from "./model.ts"
import * as Page from "./page.ts"
import * as Reading from "./read.ts"
import * as Sheet from "./sheet.ts"
import * as Text from "./text.ts"

const name = "reflexion report"

type Given = Values<"format" | "session" | "since" | "clear" | "output" | "store">

const misuse = (problem: string) => Effect.fail(new UsageError({ command: name, problem }))

const fitting = ({ clear, format, output, session, since, store }: Given) => {
  if (clear !== null && [format, output, session, since, store].some((one) => one !== null))
    return misuse("--clear removes marks and shows nothing: give it without other options")
  const isNamed = output !== null && output !== "" && format === "html"
  return output === null || isNamed ? Effect.void : misuse("--output is for a page: add --format html")
}

const clear = Effect.fnUntraced(function* (root: string, rule: string) {
  const directories = UserDirectories.make((yield* CliProcess).env)
  const count = yield* attempt(() => Marks.clear(directories, root, rule), Marks.fileOf(directories, root))
  if (count === 0 && !isRuleName(rule))
    return yield* misuse(`unknown rule "${oneLine(rule)}": \`reflexion doctor --show rules\` lists all rules`)
  const nothing = `No nudge of ${oneLine(rule)} is marked in this project; nothing changes.`
  const taken = `${counted(count, "mark")} on ${oneLine(rule)} removed in this project.`
  yield* Console.log(count === 0 ? nothing : taken)
})

/** Never replaces a file that is not a report. */
const write = Effect.fnUntraced(function* (root: string, given: string | null, page: string) {
  const { cwd, env, stdout } = yield* CliProcess
  const path = given === null ? join(root, ".reflection", "report.html") : resolve(cwd, given)
  if (given === null && !ProjectRoot.isWorkspace(root, env))
    return yield* new CliFailure({
      problem: `${root} is not a project: run this in a project, or name a file with --output`
    })
  yield* attempt(() => {
    if (given === null) ReviewFolder.make(root)
    else if (!existsSync(dirname(path)))
      throw new Error(`${dirname(path)} is not a folder: make it, or name another file with --output`)
    const before = PlainFiles.read(path, { ofWorkspace: true })
    if (before?.startsWith(Page.signature) === false)
      throw new Error(
        `${path} is not a report, so it is not replaced: name another file with --output, or move this one away`
      )
    PlainFiles.write(path, page)
  }, path)
  // Another program may read the path from a pipe and not understand `~`, so the path is printed in full.
  yield* Console.log(stdout.isTerminal ? `The report is in ${Terminal.tilde(env, path)}` : path)
})

const nothing = `Nothing is recorded here yet. reflexion records every stop of an agent once it is installed: ${Hosts.installing}. \`reflexion doctor\` checks whether it works.`

export const run = Effect.fn("Report.run")(function* (given: Given) {
  yield* fitting(given)
  const { cwd, env } = yield* CliProcess
  const root = yield* attempt(() => Trust.rootOf(cwd))
  if (given.clear !== null) return yield* clear(root, given.clear)
  const age = yield* ageOf(name, given.since)
  const now = yield* Clock.currentTimeMillis
  const database = (yield* databaseOf(given.store))?.database ?? null
  if (given.store !== null && database === null) return yield* misuse("--store names a database, such as service=fleet")
  const read = Reading.read(root, given.session, { now, database }).pipe(
    Terminal.slowly("reading what is recorded"),
    Effect.provide(warnings)
  )
  const { root: found, ...parts } = yield* read
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const since = age === null ? null : now - Duration.toMillis(age)
  const report = Model.make({ ...parts, project: Terminal.tilde(env, found), now, since, zone })
  if (given.format === "json") return yield* Console.log(escaped(JSON.stringify(report, null, 2)))
  const style = yield* Terminal.style
  const sheet = Sheet.make(report)
  if (sheet.sections.length === 0) return yield* Console.log(wrap(nothing, style.width).join("\n"))
  if (given.format !== "html") return yield* Console.log(Text.render(style, sheet))
  yield* write(root, given.output, Page.render(report, sheet))
})
