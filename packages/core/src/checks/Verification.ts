/** Runs the checks that the user configured, if the evidence does not show their result. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Struct from "effect/Struct"
import * as CheckPrint from "./CheckPrint.ts"
import type { Check, CheckResult } from "./CheckResult.ts"
import { safeText } from "../base/redaction/SafeText.ts"
import * as FileLock from "../base/system/FileLock.ts"
import { doing } from "../base/system/Doing.ts"
import * as RecordFolder from "../base/system/RecordFolder.ts"
import { safeName } from "../base/system/FileNames.ts"
import { hasKnownEnding } from "../base/system/Paths.ts"
import { digest } from "../base/system/KeyHash.ts"
import { messageOf } from "../base/text/Text.ts"
import * as Known from "./known.ts"
import * as Failures from "./failures.ts"
import * as Process from "./process.ts"
import * as TaskStart from "./TaskStart.ts"
import { isOfTests } from "../session/checkedits/CheckEdits.ts"
import type { FailingTest } from "../session/evidence/Evidence.ts"
import * as ProposedChecks from "../session/project/ProposedChecks.ts"
import type { RepoSignals } from "../session/project/RepoSignals.ts"
import { notRun, read, seconds, unmasked } from "./VerificationReading.ts"
import { differing, repositoryOf, treeOf } from "./sameFiles.ts"

export interface Request {
  /** The project of the session. The commands run in it. */
  readonly directory: string
  readonly checks: ReadonlyArray<Check>
  /** With a task, a failing check also runs on the files from before the task. */
  readonly task?: TaskStart.Task
  /** In seconds, for all checks together. */
  readonly limit?: number
  /** The scripts of the project, because a script may hide an exit status. */
  readonly scripts?: RepoSignals["scripts"]
  /** The names of variables that no check may see. */
  readonly secrets?: ReadonlyArray<string>
  /** Ignores the results of earlier runs. */
  readonly again?: true
}

/** Called when a check starts (0 seconds), and then every ten seconds while the check and its comparison run. */
export type StartListener = (check: Check, directory: string, seconds: number) => Effect.Effect<void>

export interface Options {
  /** A folder in the user's own state, for locks and results. */
  readonly directory: string
  /** The words of a program that runs the remaining words in a sandbox. If empty, there is no sandbox. */
  readonly within?: ReadonlyArray<string>
  /** How long to wait for another run in the same workspace. */
  readonly wait?: Duration.DurationInput
  /** How many bytes a check may print before the run is ended. */
  readonly maxOutput?: number
  /** Is called for each check that runs now, because a check may take minutes. */
  readonly started?: StartListener
}

type Needs = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

const defaultLimit = 600
const defaultWait = Duration.minutes(5)
const defaultMaxOutput = 256 * 1024 * 1024

/** `known` is the file that stores the results of earlier runs. */
interface Job extends Options {
  readonly check: Check
  readonly project: string
  readonly known: string
  readonly print: string
  /** Where a work tree may be made. */
  readonly folder: string
  readonly task?: TaskStart.Task
  readonly scripts?: RepoSignals["scripts"]
  readonly secrets?: ReadonlyArray<string>
  readonly again?: true
  /** In epoch ms. A check that still runs at this time has no result. */
  readonly end: number
}

const logged = (project: string, gate: string, output: string) =>
  Effect.orElseSucceed(
    doing(() => RecordFolder.writeLog(project, safeName(gate), safeText(output))),
    () => null
  )

const changed = "the script behind the check has changed since you agreed: run `reflexion allow checks` to agree again"

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
 * Runs `run` in a work tree with the files from before the task. If `isNow` is true for a file, the file has its
 * current content. Null if no work tree can be made. Also null if the command writes packages, because the work tree
 * uses the user's packages.
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

/** The result that an earlier turn saved. Null if unknown. */
const knownBefore = Effect.fnUntraced(function* (job: Job, task: TaskStart.Task) {
  const found = yield* Known.find(job.known, [yield* keyBefore(job, task)])
  return found?.printed === undefined ? null : { ...found.result, printed: found.printed }
})

/** Runs the check once on the files from before the task. Null if the command would also use newer code or packages. */
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

/** Runs the same command on the current files in a separate work tree. */
const control = (job: Job, task: TaskStart.Task) => elsewhere(Struct.omit(job, "started"), task, execute, () => true)

/** A failure counts as new only if the earlier files are known and the work tree itself does not cause the failure. */
const controlled = Effect.fnUntraced(function* (job: Job, task: TaskStart.Task, found: Failures.CheckRun) {
  if (found.result !== "failed" || found.before === undefined || found.before === "unknown") return found
  const { project } = job
  const isSure = yield* TaskStart.isSure({ project, task })
  return Failures.controlled(found, isSure ? yield* control(job, task) : null)
})

const settled = (result: Failures.CheckRun): CheckResult => Struct.omit(Failures.settled(result), "printed")

/** A failure counts only if both runs show it, or if it is known to be older than the task. */
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

/** If the check had no tests before the task either, a run without tests is no failure. */
const confirmed = Effect.fnUntraced(function* (job: Job) {
  const { check, task } = job
  const isOld = Effect.fnUntraced(function* (first: Failures.CheckRun) {
    if (task === undefined || check.wanted === true || (yield* knownBefore(job, task)) === null) return false
    return Failures.since(first, yield* before(job, task)).result === "failed_before"
  })
  const now = yield* twice(job, isOld)
  if (now.result === "failed" && task !== undefined && check.wanted !== true) {
    const compared = yield* controlled(job, task, Failures.since(now, yield* before(job, task)))
    // A new test may need something that no earlier test used and that this machine lacks.
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
 * Keeps a result for the current files. If files changed during the run, the check runs once more. During the second
 * run, only the same files (`changed`) may change.
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
  // A result may depend on the files from before a task. It is then not valid for another task.
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
    Effect.logWarning(
      `the result of \`${check.command}\` cannot be saved, so the command will be run again: ${messageOf(cause)}`
    )
  )

const printOf = (...parts: ReadonlyArray<unknown>) => digest(new TextEncoder().encode(JSON.stringify(parts)))

/** A check that took too long runs again after an hour, or earlier if it has more time now. */
const inTime = Effect.fnUntraced(function* (job: Job) {
  const { again = false, known, print } = job
  const limit = yield* timeFor(job)
  const key = yield* printOf("limit", print)
  const slow = again ? null : yield* Known.find(known, [key])
  if (slow !== null && limit <= (slow.limit ?? 0))
    return {
      ...slow.result,
      detail: `not run again, because it did not finish within ${seconds(slow.limit ?? 0)} before`
    }
  const result = yield* remembered(job, "check", confirmed(job))
  if (result.result === "timed_out") yield* keep(job, { key, limit, result })
  return result
})

/**
 * Finds tests that the task changed to hide a failure. On the current code, the earlier version of the test fails
 * twice. The current version passes in the same kind of work tree.
 */
const brokenTests = Effect.fnUntraced(function* (job: Job, task: TaskStart.Task) {
  const { check, project } = job
  const unknown = notRun(check.name, check.command, "the tests from before the task gave no result")
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

/** A file that could not be loaded does not count as a test, because the code may have been renamed. */
const isTest = ({ file, name }: FailingTest): boolean => name !== file && (/\s/.test(name) || !hasKnownEnding(name))

/** After these results, a later run may decide. */
const noResult: ReadonlySet<CheckResult["result"]> = new Set(["timed_out", "unavailable"])

const settle = Effect.fnUntraced(function* (job: Job) {
  const { check, task } = job
  const onRecord: CheckResult = { ...notRun(check.name, check.command, "passed in the record"), result: "passed" }
  const result = check.proved === true ? onRecord : yield* inTime(job)
  if (check.name !== "tests" || result.result !== "passed" || task === undefined) return result
  const { broken = [], cached } = yield* remembered(job, "old tests", brokenTests(job, task))
  return broken.length === 0 ? result : { ...result, broken, cached }
})

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

/** Checks in different folders or work trees of the same clone may disturb each other. `clone` names the clone. */
const workspaceOf = Effect.fnUntraced(function* (project: string, within: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { common = project, root = project } = (yield* repositoryOf(project, within)) ?? {}
  const real = (folder: string) => Effect.orElseSucceed(fs.realPath(folder), () => path.resolve(folder))
  return { clone: safeName(yield* real(common)), root: safeName(yield* real(root)) }
})

/** Returns true if the lock was acquired within the time. The lock is released when the scope ends. */
const hold = Effect.fnUntraced(function* (lock: string, wait: Duration.DurationInput) {
  const taken = Effect.try({ try: () => FileLock.take(lock), catch: (cause) => new Error(messageOf(cause)) })
  const held = yield* Effect.acquireRelease(Effect.flatMap(taken, Effect.fromNullable), ({ release }) =>
    Effect.sync(release)
  ).pipe(
    Effect.retry({ schedule: Schedule.spaced("200 millis"), while: Cause.isNoSuchElementException }),
    Effect.timeoutOption(wait)
  )
  if (Option.isSome(held))
    yield* Effect.forkScoped(Effect.repeat(Effect.sync(held.value.touch), Schedule.spaced("20 seconds")))
  return Option.isSome(held)
})

const runAll = Effect.fnUntraced(function* (options: Options, request: Request) {
  const { again, checks, directory: project, limit = defaultLimit, scripts, secrets, task } = request
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { clone, root } = yield* workspaceOf(project, options.within ?? [])
  const place = path.join(options.directory, root)
  yield* fs.makeDirectory(options.directory, { recursive: true, mode: 0o700 })
  if (!(yield* hold(path.join(options.directory, `${clone}.lock`), options.wait ?? defaultWait)))
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
    if (nested) return none("the check would run inside another check of reflexion")
    return yield* Effect.catchAll(runAll(options, request), (error) => Effect.succeed(none(error.message)))
  }, Effect.provide(needs))
  return { run }
})

/** Runs checks in a project. In each workspace, only one check runs at a time, even if several processes ask. */
export class Verification extends Context.Tag("@reflexion/core/Verification")<
  Verification,
  {
    /** One result per check. Never fails: a check that could not run has the result `unavailable`. */
    readonly run: (request: Request) => Effect.Effect<ReadonlyArray<CheckResult>>
  }
>() {
  /**
   * Each check has its own process group, which is killed at a limit or on interruption. While the files stay the same,
   * a saved result is used.
   */
  static readonly Live = (options: Options): Layer.Layer<Verification, never, Needs> =>
    Layer.effect(Verification, makeLive(options))
}
