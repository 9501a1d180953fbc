/** Reads everything for a report from the disk. A part that cannot be read is left out, and the report names it. */
import { FindingLog } from "@reflexion/core/FindingLog"
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Mutator from "@reflexion/core/Mutator"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Marks from "@reflexion/hooks/config/Marks"
import * as ProjectRoot from "@reflexion/hooks/places/ProjectRoot"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import type { Address } from "@reflexion/postgres/Address"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { lstatSync } from "node:fs"
import { join } from "node:path"
import { inDatabase, ofProject, unfit } from "../memory/MemoryStore.ts"
import { CliFailure } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import * as StateFolder from "../process/StateFolder.ts"
import { counted, oneLine } from "../terminal/Layout.ts"
import * as Lessons from "./lessons.ts"
import * as LogFile from "./LogFile.ts"
import * as Record from "./record.ts"

const findings = Effect.gen(function* () {
  const log = yield* FindingLog
  return { findings: [...(yield* log.findings())], damaged: yield* log.unreadable }
})

const proposalsIn = (root: string) => {
  const folder = join(ArtifactFiles.directory, Mutator.proposals)
  const [, names = []] = [ArtifactFiles.directory, folder].map((name) => Record.namesIn(join(root, name)))
  const files = names.filter((name) => name.endsWith(".md")).map((name) => join(folder, name))
  return files.slice(0, 100).map((file) => {
    const text = PlainFiles.read(join(root, file), { maxBytes: 65_536, ofWorkspace: true }) ?? ""
    return { file, title: (text.trim().split("\n")[0] ?? "").replace(/^#{1,6} /u, "") }
  })
}

/** Does `work` only if the log exists, so that reading never creates a log. */
const ifThere = <A, E, R>(path: string, nothing: NoInfer<A>, work: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const problem = unfit({ path, root: path, given: false }, false)
    if (problem !== null) return Effect.dieMessage(problem)
    return lstatSync(path, { throwIfNoEntry: false }) === undefined ? Effect.succeed(nothing) : work
  })

const sessionOf = (known: ReadonlyArray<string>, id: string) => {
  const ids = [...new Set(known)]
  const found = ids.includes(id) ? [id] : ids.filter((one) => one.startsWith(id))
  const [only] = found
  if (only !== undefined && found.length === 1) return Effect.succeed(only)
  const named = found.slice(-5).map((one) => oneLine(one))
  const problem =
    only === undefined
      ? `no session "${oneLine(id)}" is recorded; \`reflexion report\` lists the sessions of its project`
      : `"${oneLine(id)}" is the beginning of ${found.length} session ids, such as ${named.join(", ")}: give more of the id`
  return Effect.fail(new CliFailure({ problem: `--session: ${problem}` }))
}

/** `database` is null if the lessons and findings are in files. */
interface Sources {
  readonly now: number
  readonly database: Address | null
}

export const read = Effect.fn("Report.read")(function* (
  given: string,
  wanted: string | null,
  { database, now }: Sources
) {
  const { env } = yield* CliProcess
  const directories = UserDirectories.make(env)
  const unwritable = StateFolder.problemOf(directories.state)
  const problems =
    unwritable === null
      ? []
      : [`no stop is logged and no agent is nudged, because the state folder cannot be written: ${unwritable}`]
  const part = <A extends object, E, R>(what: string, nothing: NoInfer<A>, work: Effect.Effect<A, E, R>) =>
    work.pipe(
      Effect.catchAllCause((cause) => {
        const thrown = Cause.squash(cause)
        const why = Predicate.hasProperty(thrown, "detail") ? thrown.detail : thrown
        problems.push(`${what} cannot be read: ${oneLine(why instanceof Error ? why.message : String(why))}`)
        return Effect.succeed(nothing)
      }),
      Effect.tap((found) => {
        const damaged = "damaged" in found ? Number(found.damaged) : 0
        if (damaged > 0) problems.push(`${counted(damaged, "entry", "entries")} of ${what} cannot be read`)
      })
    )
  const reading = <A extends object>(what: string, nothing: NoInfer<A>, work: () => A) =>
    part(what, nothing, Effect.sync(work))
  const recordsIn = (root: string) => reading("the reviews", { stops: [], damaged: 0 }, () => Record.stopsOf(root))

  const log = yield* reading("the decision log", { decisions: [], damaged: 0 }, () => LogFile.read(directories))
  const here = yield* recordsIn(given)
  if (wanted !== null) {
    const ids = [...log.decisions.flatMap(({ sessionId }) => sessionId ?? []), ...here.stops.map((one) => one.session)]
    const session = yield* sessionOf(ids, wanted)
    const decisions = log.decisions.filter(({ sessionId }) => sessionId === session)
    const root = ProjectRoot.real(decisions.findLast((one) => one.directory !== null)?.directory ?? given)
    const { stops } = root === ProjectRoot.real(given) ? here : yield* recordsIn(root)
    const nothing = { marks: [], lessons: [], attempts: null, findings: [], proposals: [] }
    return { ...nothing, root, session, problems, decisions, stops: stops.filter((one) => one.session === session) }
  }
  const root = ProjectRoot.real(given)
  // An entry without a directory is a failure before the project was known. Every report shows such entries.
  const isOwn = (directory: string | null): boolean => directory === null || ProjectRoot.real(directory) === root
  const places = new Set([...new Set(log.decisions.map(({ directory }) => directory))].filter(isOwn))
  const { path } = ofProject(root, env)
  const memory = Lessons.read(now)
  const lessons = { lessons: [], attempts: null }
  const file = join(root, ArtifactFiles.directory, "findings.jsonl")
  const none = { findings: [], damaged: 0 }
  const marks = Marks.fileOf(directories, root)
  return {
    root,
    session: null,
    problems,
    stops: here.stops,
    decisions: log.decisions.filter(({ directory }) => places.has(directory)),
    ...(yield* database === null
      ? part("the memory", lessons, ifThere(path, lessons, Effect.provide(memory, ReflexionStore.Live({ path }))))
      : part("the memory", lessons, Effect.provide(memory, inDatabase(database, false)))),
    ...(yield* database === null
      ? part("the findings", none, ifThere(file, none, Effect.provide(findings, FindingLog.Live({ path: file }))))
      : part("the findings", none, Effect.provide(findings, inDatabase(database, false)))),
    ...(yield* reading(marks, { marks: [], damaged: 0 }, () => Marks.read(directories, root))),
    proposals: yield* reading("the proposals", [], () => proposalsIn(root))
  }
})
