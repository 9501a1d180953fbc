/**
 * Runs the checks that the user named, where evidence does not say how they would go: what no judge that only reads can
 * do. Without a check of the user's own nothing is ever run.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Struct from "effect/Struct"
import * as CheckPrint from "./CheckPrint.ts"
import type { Check, CheckResult } from "./CheckResult.ts"
import { safeText } from "../base/redaction/SafeText.ts"
import { doing } from "../base/system/Doing.ts"
import * as RecordFolder from "../base/system/RecordFolder.ts"
import { safeName } from "../base/system/FileNames.ts"
import { hasKnownEnding } from "../base/system/Paths.ts"
import { digest } from "../base/system/KeyHash.ts"
import { messageOf } from "../base/text/Text.ts"
import * as Known from "./known.ts"
import * as Failures from "./failures.ts"
import * as Lock from "./lock.ts"
import * as Process from "./process.ts"
import * as TaskStart from "./TaskStart.ts"
import { isOfTests } from "../session/checkedits/CheckEdits.ts"
import type { FailingTest } from "../session/evidence/Evidence.ts"
import * as ProposedChecks from "../session/project/ProposedChecks.ts"
import type { RepoSignals } from "../session/project/RepoSignals.ts"
import { notRun, read, seconds, unmasked } from "./VerificationReading.ts"
import { differing, repositoryOf, treeOf } from "./sameFiles.ts"

/**
 * `directory` is the session's project, in which the commands run. With a `task` a
 * check that fails is also run on the files of before it. `limit`: how many seconds all of it may take.
 * `scripts`: those of the project, which may hide an exit status. `secrets`: variables that no check is to see. `again`: what is
 * known of earlier runs is no answer.
 */
export interface Request {
  readonly directory: string
  readonly checks: ReadonlyArray<Check>
  readonly task?: TaskStart.Task
  readonly limit?: number
  readonly scripts?: RepoSignals["scripts"]
  readonly secrets?: ReadonlyArray<string>
  readonly again?: true
}

/** Told of a check as it is started in a directory, after 0 seconds, and every ten seconds that it and its comparison take. */
export type StartListener = (check: Check, directory: string, seconds: number) => Effect.Effect<void>

/**
 * `directory` is a folder of the user's own state, for locks and results. `within` are the words of a program that runs
 * the rest of its words in a sandbox, none to run without one; `wait` is how long another run in the same workspace is
 * waited for; `maxOutput`, in bytes, is what a check may print before it is ended; `started` is told of each check that is
 * run now, for it may take minutes.
 */
export interface Options {
  readonly directory: string
  readonly within?: ReadonlyArray<string>
  readonly wait?: Duration.DurationInput
  readonly maxOutput?: number
  readonly started?: StartListener
}

type Needs = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

const defaultLimit = 600
const defaultWait = Duration.minutes(5)
const defaultMaxOutput = 256 * 1024 * 1024

/** One check, with the file of what is known of earlier runs. */
interface Job extends Options {
  readonly check: Check
  readonly project: string
  readonly known: string
  /** A print of the check. */
  readonly print: string
  /** Where a work tree may be made, and of what task. */
  readonly folder: string
  readonly task?: TaskStart.Task
  readonly scripts?: RepoSignals["scripts"]
  readonly secrets?: ReadonlyArray<string>
  readonly again?: true
  /** In epoch ms: what is not done by then is not known. */
  readonly end: number
}

const logged = (project: string, gate: string, output: string) =>
  Effect.orElseSucceed(
    doing(() => RecordFolder.writeLog(project, safeName(gate), safeText(output))),
    () => null
  )

const changed = "what it runs has changed since you agreed to it: `reflexion allow checks` asks you again"

/** How many ms a run may take now. */
const timeFor = ({ check, end }: Job) =>
  Effect.map(Clock.currentTimeMillis, (now) => Math.min(end - now, 1000 * (check.timeout ?? Infinity)))

const execute = Effect.fnUntraced(function* (job: Job) {
  const { check, maxOutput = defaultMaxOutput, project, scripts, secrets = [], started, within = [] } = job
  const timeout = yield* timeFor(job)
  if (timeout <= 0) return { ...notRun(check.name, check.command, "the time for checks was used up"), printed: "" }
  if (check.print !== undefined && (yield* CheckPrint.of(project, check.command)) !== check.print)
    return { ...notRun(check.name, check.command, changed), changed: true as const, printed: "" }
  if (started !== undefined) yield* started(check, project, 0)
  const at = DateTime.formatIso(yield* DateTime.now)
  const options = { command: check.command, directory: project, timeout, within, maxOutput, secrets }
  const ended = yield* Process.run(options)
  const told = read(check.name, check.command, ended, at)
  const result = scripts === undefined ? told : unmasked(told, scripts)
  const log = result.result === "failed" ? yield* logged(project, check.name, ended.output) : null
  const fs = yield* FileSystem.FileSystem
  const real = yield* Effect.orElseSucceed(fs.realPath(project), () => project)
  const inProject = (text: string) => text.replace(`${project}/`, "").replace(`${real}/`, "")
  return {
    ...result,
    printed: result.result === "failed" ? safeText(ended.output) : "",
    ...(log !== null && { log }),
    detail: inProject(result.detail),
    failing: result.failing.map(({ file, line, name }) => ({
      name: inProject(name),
      file: file === null ? null : inProject(file),
      line
    }))
  }
})

/**
 * The same in a work tree of the files of before the task, but for those that are to be as they are now; null where there can
 * be none. The packages in it are the user's, so what writes packages is not run there.
 */
const elsewhere = Effect.fnUntraced(function* <A, R>(
  job: Job,
  task: TaskStart.Task,
  run: (job: Job) => Effect.Effect<A, never, R>,
  isNow: (name: string) => boolean = () => false
) {
  const { check, folder, project, scripts } = job
  if (scripts !== undefined && ProposedChecks.writesPackages(check.command, { scripts })) return null
  const place = yield* TaskStart.at({ folder, project, task, isNow })
  return place === null ? null : yield* run({ ...job, project: place })
}, Effect.scoped)

const keyBefore = ({ check, print }: Job, { since }: TaskStart.Task) => printOf("before", print, check.print, since)

/** What the same command gave on the files of before the task at an earlier stop, null where nothing is known of that. */
const knownBefore = Effect.fnUntraced(function* (job: Job, task: TaskStart.Task) {
  const found = yield* Known.find(job.known, [yield* keyBefore(job, task)])
  return found?.printed === undefined ? null : { ...found.result, printed: found.printed }
})

/** The same command on the files of before the task, once for each task; null where what else it takes is not of before. */
const before = Effect.fnUntraced(function* (job: Job, task: TaskStart.Task) {
  const { check, project } = job
  if (!(yield* TaskStart.isApart(check.command, { project, task }))) return null
  const known = yield* knownBefore(job, task)
  if (known !== null) return known
  const came = yield* elsewhere(Struct.omit(job, "started"), task, execute)
  if (came?.result === "passed" || came?.result === "failed") {
    const { printed, ...result } = came
    yield* keep(job, { key: yield* keyBefore(job, task), result, printed })
  }
  return came
})

/** The same command on the files of now in such a work tree. */
const control = (job: Job, task: TaskStart.Task) => elsewhere(Struct.omit(job, "started"), task, execute, () => true)

/** A failure is said to be new only where the files of before are known, and where the work tree is not what differs. */
const controlled = Effect.fnUntraced(function* (job: Job, task: TaskStart.Task, found: Failures.CheckRun) {
  if (found.result !== "failed" || found.before === undefined || found.before === "unknown") return found
  const { project } = job
  const isSure = yield* TaskStart.isSure({ project, task })
  return Failures.controlled(found, isSure ? yield* control(job, task) : null)
})

/** The result without what only its comparison with others needs. */
const settled = (result: Failures.CheckRun): CheckResult => Struct.omit(Failures.settled(result), "printed")

/** A failure counts that is seen twice, or is known to be older than the task. */
const twice = Effect.fnUntraced(function* <R = never>(
  job: Job,
  isOld: (first: Failures.CheckRun) => Effect.Effect<boolean, never, R> = () => Effect.succeed(false)
) {
  const first = yield* execute(job)
  if (first.result !== "failed" || (yield* isOld(first))) return first
  const second = yield* execute(Struct.omit(job, "started"))
  if (second.result === "passed") return { ...first, result: "flaky" as const }
  return second.result === "failed" ? Failures.twice(first, second) : second
})

/** A failure is not the agent's where it was there before the task, and neither is that there are no tests. */
const confirmed = Effect.fnUntraced(function* (job: Job) {
  const { check, task } = job
  const isOld = Effect.fnUntraced(function* (first: Failures.CheckRun) {
    if (task === undefined || check.wanted === true || (yield* knownBefore(job, task)) === null) return false
    return Failures.since(first, yield* before(job, task)).result === "failed_before"
  })
  const now = yield* twice(job, isOld)
  if (now.result === "failed" && task !== undefined && check.wanted !== true) {
    const compared = yield* controlled(job, task, Failures.since(now, yield* before(job, task)))
    // What a test of the task's own needs of the machine no test of before has shown to be there.
    const isNew = compared.failing.some(({ file }) => task.edited.some((name) => name.endsWith(`/${file}`)))
    return settled(isNew && compared.doubt !== undefined ? { ...compared, before: "unknown" } : compared)
  }
  const most = now.result === "failed" || now.tests === undefined ? null : yield* Known.mostTests(job.known, job.print)
  if (now.tests === undefined || now.result === "failed" || now.tests >= (most ?? 1)) return settled(now)
  const first = task === undefined ? null : yield* before(job, task)
  const found = Failures.sinceMore(now, { before: first?.tests, earlier: most })
  return settled(task === undefined ? found : yield* controlled(job, task, found))
})

const isOfAll = ({ altered, result }: CheckResult): boolean => result === "passed" && altered === undefined

/**
 * Keeps what is found on the files as they are. Where these changed meanwhile it is sought once more, and then only the check
 * itself may change some: the same ones. `changed` are those of the first time.
 */
const remembered = Effect.fnUntraced(function* <R>(
  job: Job,
  what: "check" | "old tests",
  find: Effect.Effect<CheckResult, never, R>,
  changed?: ReadonlySet<string>
): Effect.fn.Return<CheckResult, never, R | Needs> {
  const { again = false, check, known, print, project, task, within = [] } = job
  const tree = yield* treeOf(project, within)
  if (tree === null) return yield* find
  const green = yield* printOf(what, print, tree.print)
  // What was there before a task is another thing for another task.
  const own = yield* printOf(what, print, tree.print, check.wanted === true ? "" : (task?.since ?? ""))
  const keys = again ? [] : what === "check" ? [green, own] : [own]
  const found = yield* Known.find(known, keys)
  if (found !== null) return found.result
  const came = yield* find
  const now = noResult.has(came.result) ? null : yield* treeOf(project, within)
  if (now === null) return came
  const changes = differing(tree.files, now.files)
  if (changes.size > 0 && changed === undefined) return yield* remembered(job, what, find, changes)
  if ([...changes].some((name) => changed?.has(name) !== true))
    return {
      ...notRun(check.name, check.command, "files changed while it ran"),
      ...Struct.pick(came, "at", "durationMs")
    }
  const isOld = came.result === "failed_before" && (yield* Known.isOld(known, came))
  const result: CheckResult = isOld ? { ...came, again: true } : came
  if (changes.size === 0) yield* keep(job, { key: what === "check" && isOfAll(result) ? green : own, result })
  return result
})

const keep = ({ check, known, print }: Job, given: Omit<Parameters<typeof Known.save>[1], "check">) =>
  Effect.catchAll(Known.save(known, { check: print, ...given }), (cause) =>
    Effect.logWarning(`the result of \`${check.command}\` cannot be kept, so it will be run again: ${messageOf(cause)}`)
  )

const printOf = (...parts: ReadonlyArray<unknown>) => digest(new TextEncoder().encode(JSON.stringify(parts)))

/** What took too long is not waited for again within the hour, unless it has more time, and a faster check is named once. */
const inTime = Effect.fnUntraced(function* (job: Job) {
  const { again = false, check, known, print } = job
  const limit = yield* timeFor(job)
  const key = yield* printOf("limit", print)
  const slow = again ? null : yield* Known.find(known, [key])
  if (slow !== null && limit <= (slow.limit ?? 0))
    return { ...slow.result, detail: `not finished within ${seconds(slow.limit ?? 0)} before, so it was not run again` }
  const result = yield* remembered(job, "check", confirmed(job))
  if (result.result !== "timed_out") return result
  const isTold = yield* Known.has(known, key)
  yield* keep(job, { key, limit, result })
  const faster = isTold || check.faster === undefined ? "" : `; \`${check.faster}\` may be fast enough`
  return { ...result, detail: `${result.detail}${faster}` }
})

/** The tests of before the task fail twice on the code of now, where those of now pass in such a work tree. */
const brokenTests = Effect.fnUntraced(function* (job: Job, task: TaskStart.Task) {
  const { check, project } = job
  const unknown = notRun(check.name, check.command, "its tests of before the task gave no result")
  const found = (broken: ReadonlyArray<FailingTest>): CheckResult => ({ ...unknown, result: "passed", broken })
  if (!(yield* TaskStart.hasChangedTests({ project, task }))) return found([])
  const old = yield* elsewhere(job, task, twice, (name) => !isOfTests(name))
  if (old === null || noResult.has(old.result)) return unknown
  const failing = old.failing.filter(isTest)
  if (old.result !== "failed" || old.doubt !== undefined || failing.length === 0) return found([])
  const now = yield* control(job, task)
  if (now === null || noResult.has(now.result)) return unknown
  return found(now.result === "passed" ? failing : [])
})

/** A file that could not be read says nothing of a test: the code may have another name. */
const isTest = ({ file, name }: FailingTest): boolean => name !== file && (/\s/.test(name) || !hasKnownEnding(name))

/** It may have one at another time. */
const noResult: ReadonlySet<CheckResult["result"]> = new Set(["timed_out", "unavailable"])

const settle = Effect.fnUntraced(function* (job: Job) {
  const { check, task } = job
  const onRecord: CheckResult = { ...notRun(check.name, check.command, "green on record"), result: "passed" }
  const result = check.proved === true ? onRecord : yield* inTime(job)
  if (check.name !== "tests" || result.result !== "passed" || task === undefined) return result
  const { broken = [], cached } = yield* remembered(job, "old tests", brokenTests(job, task))
  return broken.length === 0 ? result : { ...result, broken, cached }
})

/** The same, where `started` hears how long it takes. */
const watched = Effect.fnUntraced(function* ({ started, ...job }: Job) {
  if (started === undefined) return yield* settle(job)
  const begun = yield* Deferred.make<number>()
  const first: StartListener = (...given) =>
    Effect.zipRight(started(...given), Deferred.complete(begun, Clock.currentTimeMillis))
  const next = Effect.delay(Clock.currentTimeMillis, "10 seconds")
  const telling = Effect.flatMap(Deferred.await(begun), (at) =>
    Effect.forever(Effect.flatMap(next, (now) => started(job.check, job.project, Math.round((now - at) / 1000))))
  )
  return yield* Effect.raceFirst(settle({ ...job, started: first }), telling)
})

/** Checks of one clone may disturb one another, in whatever folder or work tree they run: `clone` is what all have in common. */
const workspaceOf = Effect.fnUntraced(function* (project: string, within: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { common = project, root = project } = (yield* repositoryOf(project, within)) ?? {}
  const real = (folder: string) => Effect.orElseSucceed(fs.realPath(folder), () => path.resolve(folder))
  return { clone: safeName(yield* real(common)), root: safeName(yield* real(root)) }
})

const runAll = Effect.fnUntraced(function* (options: Options, request: Request) {
  const { again, checks, directory: project, limit = defaultLimit, scripts, secrets, task } = request
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { clone, root } = yield* workspaceOf(project, options.within ?? [])
  const place = path.join(options.directory, root)
  yield* fs.makeDirectory(options.directory, { recursive: true, mode: 0o700 })
  if (!(yield* Lock.acquire(path.join(options.directory, `${clone}.lock`), options.wait ?? defaultWait)))
    return checks.map((check) => notRun(check.name, check.command, "another check of this workspace is running"))
  const end = (yield* Clock.currentTimeMillis) + 1000 * limit
  const where = {
    ...options,
    end,
    project,
    known: `${place}.json`,
    folder: `${place}.before`,
    ...(scripts && { scripts }),
    ...(secrets && { secrets }),
    ...(task && { task }),
    ...(again && { again })
  }
  return yield* Effect.forEach(checks, (check) =>
    Effect.flatMap(printOf(check.name, check.command, project, options.within), (print) =>
      watched({ ...where, check, print })
    )
  )
}, Effect.scoped)

const isNested = Effect.map(
  Effect.orElseSucceed(Config.option(Config.string(Process.marker)), () => Option.none()),
  Option.isSome
)

const makeLive = Effect.fnUntraced(function* (options: Options) {
  const needs = yield* Effect.context<Needs>()
  const nested = yield* isNested
  const run = Effect.fn("Verification.run")(function* (request: Request) {
    const { checks } = request
    if (checks.length === 0) return []
    const none = (why: string) => checks.map((check) => notRun(check.name, check.command, why))
    if (nested) return none("it would run within a check of reflexion")
    return yield* Effect.catchAll(runAll(options, request), (error) => Effect.succeed(none(error.message)))
  }, Effect.provide(needs))
  return { run }
})

/** What a test's `Verification` was asked. */
export class VerificationRecord extends Context.Tag("@reflexion/core/Verification/VerificationRecord")<
  VerificationRecord,
  { readonly asked: Effect.Effect<ReadonlyArray<Request>> }
>() {}

const makeTest = Effect.fnUntraced(function* (results: ReadonlyArray<CheckResult>) {
  const asked = yield* Ref.make<ReadonlyArray<Request>>([])
  const run = Effect.fn("Verification.run")(function* (request: Request) {
    yield* Ref.update(asked, (all) => [...all, request])
    return results.filter(({ gate }) => request.checks.some(({ name }) => name === gate))
  })
  return Context.make(Verification, { run }).pipe(Context.add(VerificationRecord, { asked: Ref.get(asked) }))
})

/** Runs checks in a project, one at a time in each workspace, whichever process asks. */
export class Verification extends Context.Tag("@reflexion/core/Verification")<
  Verification,
  {
    /** One result per check. It fails for nothing: what could not be run is `unavailable`. */
    readonly run: (request: Request) => Effect.Effect<ReadonlyArray<CheckResult>>
  }
>() {
  /**
   * In a process group of its own, without input, killed with its children at the time limit, at the output limit, and
   * when the effect is interrupted. A check that ran on the same files is not run again.
   */
  static readonly Live = (options: Options): Layer.Layer<Verification, never, Needs> =>
    Layer.effect(Verification, makeLive(options))

  /** Gives those of the scripted results that are of the checks asked for, and records what it was asked. */
  static readonly Test = (results: ReadonlyArray<CheckResult>): Layer.Layer<Verification | VerificationRecord> =>
    Layer.effectContext(makeTest(results))
}
