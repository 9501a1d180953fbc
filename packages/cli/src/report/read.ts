/** All that a report is made of, read from the disk. A part that cannot be read is left out and named. */
import { FindingLog } from "@reflexion/core/FindingLog"
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Mutator from "@reflexion/core/Mutator"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Marks from "@reflexion/hooks/config/Marks"
import * as ProjectRoot from "@reflexion/hooks/places/ProjectRoot"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { lstatSync } from "node:fs"
import { join } from "node:path"
import { ofProject, unfit } from "../memory/MemoryStore.ts"
import { ReportError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { counted, oneLine } from "../terminal/Layout.ts"
import * as Lessons from "./lessons.ts"
import * as LogFile from "./LogFile.ts"
import * as Record from "./record.ts"

const findingsIn = (path: string) =>
  Effect.gen(function* () {
    const log = yield* FindingLog
    return { findings: [...(yield* log.findings())], damaged: yield* log.unreadable }
  }).pipe(Effect.provide(FindingLog.Live({ path })))

const maxProposals = 100

const proposalsIn = (root: string) => {
  const folder = join(ArtifactFiles.directory, Mutator.proposals)
  const names = [ArtifactFiles.directory, folder].map((name) => Record.namesIn(join(root, name)))[1] ?? []
  return names
    .filter((name) => name.endsWith(".md"))
    .slice(0, maxProposals)
    .map((name) => {
      const file = join(folder, name)
      const text = PlainFiles.read(join(root, file), { maxBytes: 65_536, ofWorkspace: true }) ?? ""
      return { file, title: (text.trim().split("\n")[0] ?? "").replace(/^#{1,6} /u, "") }
    })
}

/** The one session that an id, or the beginning of one, stands for. */
const sessionOf = (known: ReadonlyArray<string>, id: string) => {
  const ids = [...new Set(known)]
  const found = ids.includes(id) ? [id] : ids.filter((one) => one.startsWith(id))
  const [only] = found
  if (only !== undefined && found.length === 1) return Effect.succeed(only)
  const named = found.slice(-5).map((one) => oneLine(one))
  const problem =
    only === undefined
      ? `no session "${oneLine(id)}" is recorded; \`reflexion report\` lists those of its project`
      : `"${oneLine(id)}" begins the ids of ${found.length} sessions, such as ${named.join(", ")}: give more of it`
  return Effect.fail(new ReportError({ problem: `--session: ${problem}` }))
}

/** Of the project with this root, or of one session wherever it was. */
export const read = Effect.fn("Report.read")(function* (given: string, wanted: string | null, now: number) {
  const { env } = yield* CliProcess
  const directories = UserDirectories.make(env)
  const problems: Array<string> = []
  const tried = <A, E, R>(what: string, otherwise: A, work: Effect.Effect<A, E, R>) =>
    Effect.catchAllCause(work, (cause) => {
      const thrown = Cause.squash(cause)
      const why = Predicate.hasProperty(thrown, "detail") ? thrown.detail : thrown
      problems.push(`${what} cannot be read: ${oneLine(why instanceof Error ? why.message : String(why))}`)
      return Effect.succeed(otherwise)
    })
  const whole = <A extends { readonly damaged: number }>(what: string, of: A): A => {
    if (of.damaged > 0)
      problems.push(`${counted(of.damaged, "line or record", "lines or records")} of ${what} cannot be read`)
    return of
  }
  /** A log of the project, where there is one. */
  const logged = <A, E, R>(what: string, otherwise: A, path: string, work: Effect.Effect<A, E, R>) =>
    tried(
      what,
      otherwise,
      Effect.suspend(() => {
        const problem = unfit({ path, root: given, given: false }, false)
        if (problem !== null) return Effect.dieMessage(problem)
        return lstatSync(path, { throwIfNoEntry: false }) === undefined ? Effect.succeed(otherwise) : work
      })
    )
  const trying = <A>(what: string, otherwise: A, work: () => A) => tried(what, otherwise, Effect.sync(work))
  const recordsIn = (root: string) => trying("reviews", { stops: [], damaged: 0 }, () => Record.stopsOf(root))

  const log = whole(
    "the decision log",
    yield* trying("the decision log", { decisions: [], damaged: 0 }, () => LogFile.read(directories))
  )
  const here = yield* recordsIn(given)
  const ids = [...log.decisions.flatMap(({ sessionId }) => sessionId ?? []), ...here.stops.map((one) => one.session)]
  const session = wanted === null ? null : yield* sessionOf(ids, wanted)
  const last = log.decisions.findLast((one) => session !== null && one.sessionId === session && one.directory !== null)
  const root = ProjectRoot.real(last?.directory ?? given)
  const { stops } = whole("the reviews", root === ProjectRoot.real(given) ? here : yield* recordsIn(root))
  const directoriesOfIt = new Set(
    [...new Set(log.decisions.map(({ directory }) => directory))].filter(
      (one) => one !== null && ProjectRoot.real(one) === root
    )
  )
  if (session !== null)
    return {
      ...{ root, session, problems, marks: [], lessons: [], attempts: null, findings: [], proposals: [] },
      stops: stops.filter((one) => one.session === session),
      decisions: log.decisions.filter(({ sessionId }) => sessionId === session)
    }
  const place = ofProject(root, env)
  const memory = Lessons.read(now).pipe(Effect.provide(ReflexionStore.Live({ path: place.path })))
  const file = join(root, ArtifactFiles.directory, "findings.jsonl")
  return {
    ...{ root, session, problems, stops },
    decisions: log.decisions.filter(({ directory }) => directoriesOfIt.has(directory)),
    ...(yield* logged("the memory", { lessons: [], attempts: null }, place.path, memory)),
    findings: whole("the findings", yield* logged("the findings", { findings: [], damaged: 0 }, file, findingsIn(file)))
      .findings,
    marks: whole(
      Marks.fileOf(directories, root),
      yield* trying("your marks", { marks: [], damaged: 0 }, () => Marks.read(directories, root))
    ).marks,
    proposals: yield* trying("the proposals", [], () => proposalsIn(root))
  }
})
