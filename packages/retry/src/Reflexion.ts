/**
 * A retry that learns: each attempt's prompt has what was learned from the ones that failed (Shinn et al., "Reflexion:
 * Language Agents with Verbal Reinforcement Learning", NeurIPS 2023). `beforeAttempt` and `afterAttempt` are its halves, for
 * an orchestrator that has a loop of its own. A memory that fails costs an attempt nothing: it is logged, and the attempt
 * goes on without.
 */
import type { AttemptOutcome, LoadedContext, Status } from "@reflexion/core/AttemptOutcome"
import type { FailureContext } from "@reflexion/core/FailureContext"
import type { Judged } from "@reflexion/core/JudgeService"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import type { Reflection } from "@reflexion/core/Reflection"
import { ReflectionService, type Service } from "@reflexion/core/ReflectionService"
import { CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { nonce } from "@reflexion/core/internal/base/system/Nonce"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as RetryPrompt from "@reflexion/core/RetryPrompt"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Struct from "effect/Struct"

/**
 * What is attempted. `description` is what the agent is told to do, and finds lessons of other tasks; `attempt`
 * counts from 1, and is the one after the last known where it is left out, and no lower than `atLeast`.
 *
 * @category models
 */
export interface Task {
  readonly taskId: string
  readonly subtaskId: string
  readonly description: string
  readonly sessionId?: string
  readonly attempt?: number
  readonly atLeast?: number
}

/**
 * What an attempt gets. `promptSection` is empty where nothing is known, and ends with no line break; `startedAt` is in
 * ms since the epoch.
 *
 * @category models
 */
export interface AttemptInput {
  readonly attempt: number
  readonly reflections: ReadonlyArray<Reflection>
  readonly promptSection: string
  readonly startedAt?: number
}

/**
 * What an attempt failed at. `errorOutput` is what was printed, word for word; `missing` and `nextActions` are a verdict's.
 *
 * @category models
 */
export interface FailureInput extends Pick<FailureContext, "failureType" | "errorOutput" | "missing" | "nextActions"> {
  readonly filesModified?: ReadonlyArray<string>
  readonly sessionId?: string
}

/**
 * What an attempt failed at by its review: the check that is red, with what it printed, else what is missing.
 *
 * @category constructors
 */
export const failureOf = (judged: Pick<Judged, "checks" | "verdict">): FailureInput => ReviewLesson.shownBy(judged)

/**
 * What else the outcome log is told of an attempt that ended, as far as it is known: the names of the tools that it
 * called, the skills and files that it loaded, the characters of its result, and what ran it, such as `codex`.
 *
 * @category models
 */
export interface AttemptFacts {
  readonly sessionId?: string
  readonly tools?: ReadonlyArray<string>
  readonly loaded?: ReadonlyArray<LoadedContext>
  readonly resultLength?: number
  readonly backend?: string
}

/** What fails, throws or has a defect gives `otherwise`, and a warning; an interruption stays one. */
const orElse = <A, E, R, B>(
  what: string,
  work: () => Effect.Effect<A, E, R>,
  otherwise: B
): Effect.Effect<A | B, never, R> =>
  Effect.catchAllCause(Effect.suspend(work), (cause) => {
    if (Cause.isInterrupted(cause)) return Effect.interrupt
    const found = Cause.squash(cause)
    return Effect.as(Effect.logWarning(`${what}: ${found instanceof Error ? found.message : String(found)}`), otherwise)
  })

/** The section `memory` of the configuration in the context, the defaults where there is none. */
const settings = Effect.map(Effect.serviceOption(CurrentConfig), (config) =>
  Option.isSome(config) ? config.value.memory : defaults.memory
)

const without = "the attempt goes on without its memory, for"

const nothing = (attempt: number): AttemptInput => ({ attempt, reflections: [], promptSection: "" })

const idsOf = ({ reflections }: AttemptInput): ReadonlyArray<string> => reflections.map(({ id }) => id)

/** Of other tasks. A single shared word is not enough, however rare. */
const others = { searched: 8, shared: 2, helpful: 0.4 } as const

/** What fits best of other tasks, behind what was learned of this one. */
const elsewhere = Effect.fnUntraced(function* (service: Service, { description, taskId }: Task) {
  const { crossTask } = yield* settings
  if (crossTask === false || description.trim() === "") return []
  const found = yield* service.similar(description, { exceptTaskId: taskId }, others.searched)
  return found.flatMap(({ helpfulness, reflection, similarity, terms }) =>
    similarity >= crossTask && terms.length >= others.shared && helpfulness >= others.helpful ? [reflection] : []
  )
})

const weigh = "This is what was learned from them. Weigh it against what you see; it is no order."

/** The task's own lessons first, those of others where there is room left: what the prompt has, and nothing else. */
const chosen = Effect.fnUntraced(function* (service: Service, task: Task, known: ReadonlyArray<Reflection>) {
  const { maxReflectionsPerRetry: limit } = yield* settings
  const order = "given" as const
  const own = RetryPrompt.select(known, { limit })
  const found = own.length >= limit ? [] : (yield* elsewhere(service, task)).slice(0, limit)
  const whose = own.length === 0 ? "Attempts at similar tasks" : "Attempts at this task, and at similar ones,"
  const options = { limit, order, introduction: `${whose} failed. ${weigh}` }
  const both = RetryPrompt.select([...own, ...found], options)
  return both.length > own.length ? { reflections: both, options } : { reflections: own, options: { limit, order } }
})

const prepare = Effect.fnUntraced(function* (task: Task) {
  const { enabled, maxReflectionsPerRetry: limit } = yield* settings
  const { atLeast = 1, subtaskId, taskId } = task
  if (!enabled) return nothing(task.attempt ?? atLeast)
  const service = yield* ReflectionService
  const recent = () => service.getRecent(subtaskId, Math.max(limit * 2, 1))
  const known = yield* orElse(`${without} what was learned cannot be read`, recent, [])
  const attempt = task.attempt ?? Math.max(atLeast, ...known.map(({ attemptNumber }) => attemptNumber + 1))
  const telling = Effect.gen(function* () {
    // Of a memory that anyone who may push can write nothing is given.
    const reason = yield* service.heldBack
    if (reason !== null) yield* Effect.logWarning(`the attempt is told nothing that was learned: ${reason}`)
    if (reason !== null) return nothing(attempt)
    const { options, reflections } = yield* chosen(service, task, known)
    const promptSection = service.formatForPrompt(reflections, options)
    return promptSection === "" ? nothing(attempt) : { attempt, reflections, promptSection }
  })
  const prepared = yield* orElse(`${without} it cannot be put into words`, () => telling, nothing(attempt))
  const reflectionIds = idsOf(prepared)
  const used = { reflectionIds, taskId, subtaskId, attemptNumber: attempt }
  if (reflectionIds.length > 0)
    yield* orElse(`${without} its use cannot be recorded`, () => service.recordUse(used), undefined)
  return prepared
})

/**
 * What was learned so far, as a section for the attempt's prompt; that it was given is recorded.
 *
 * @category hooks
 */
export const beforeAttempt: (task: Task) => Effect.Effect<AttemptInput, never, ReflectionService> = Effect.fn(
  "Reflexion.beforeAttempt"
)(function* (task: Task) {
  const prepared = yield* prepare(task)
  return { ...prepared, startedAt: yield* Clock.currentTimeMillis }
})

/** How an attempt ended, for the outcome log; without one in the context nothing is reported. */
const report = Effect.fnUntraced(function* (task: Task, prepared: AttemptInput, status: Status, ran: AttemptFacts) {
  const log = yield* Effect.serviceOption(OutcomeLog)
  if (Option.isNone(log)) return
  const now = yield* Clock.currentTimeMillis
  const outcome: AttemptOutcome = {
    id: yield* nonce("attempt"),
    taskId: task.taskId === "" ? null : task.taskId,
    sessionId: ran.sessionId ?? task.sessionId ?? "",
    objective: task.description,
    status,
    durationMs: Math.max(0, now - (prepared.startedAt ?? now)),
    tools: ran.tools ?? [],
    loaded: ran.loaded ?? [],
    resultLength: ran.resultLength ?? null,
    backend: ran.backend ?? "unknown",
    at: new Date(now).toISOString()
  }
  yield* orElse("how the attempt ended is not in the outcome log", () => log.value.append(outcome), undefined)
})

/**
 * Records how an attempt ended, `failure` being null where it succeeded. Of one that failed it reflects and keeps what was
 * learned: null where nothing was, for reflexion is off or cannot. An attempt that said it was done, and was not by what was
 * looked at, failed as `verification_failed`.
 *
 * @category hooks
 */
export const afterAttempt: (
  task: Task,
  prepared: AttemptInput,
  failure: FailureInput | null,
  ran?: AttemptFacts
) => Effect.Effect<Reflection | null, never, ReflectionService> = Effect.fn("Reflexion.afterAttempt")(function* (
  task: Task,
  prepared: AttemptInput,
  failure: FailureInput | null,
  ran: AttemptFacts = {}
) {
  const status = failure === null ? "completed" : failure.failureType === "timeout" ? "timeout" : "failed"
  const of = failure?.sessionId === undefined ? task : { ...task, sessionId: failure.sessionId }
  yield* report(of, prepared, status, ran)
  const { enabled } = yield* settings
  if (!enabled) return null
  const service = yield* ReflectionService
  const { description, sessionId = "", subtaskId, taskId } = of
  const attemptNumber = prepared.attempt
  const reflectionIds = idsOf(prepared)
  const ended = { reflectionIds, success: failure === null, taskId, subtaskId, attemptNumber }
  yield* orElse(`${without} its outcome cannot be recorded`, () => service.recordOutcome(ended), undefined)
  if (failure === null) return null
  const learned = Effect.gen(function* () {
    const reflection = yield* service.generate({
      id: yield* nonce("failure"),
      sessionId,
      filesModified: [],
      ...failure,
      taskId,
      subtaskId,
      subtaskDescription: description,
      attemptNumber,
      previousReflections: reflectionIds,
      createdAt: new Date(yield* Clock.currentTimeMillis).toISOString()
    })
    yield* service.save(reflection)
    return reflection
  })
  return yield* orElse(`${without} nothing could be learned from its failure`, () => learned, null)
})

/**
 * What `repair` is told of the attempt that failed. `reflection` is saved by then, null where nothing was learned.
 *
 * @category models
 */
export interface FailedAttempt<E> {
  readonly attempt: number
  readonly error: E
  readonly reflection: Reflection | null
}

/**
 * `maxAttempts` is how many this call makes: whole ones, and one at least; `attempt` is told its number over earlier calls
 * too. `schedule` says how long to wait between two, and may end them sooner. `repair` runs before the next attempt, such
 * as a healer of the workspace; where it fails, that is logged and the next attempt is made all the same. `ran` says what
 * else the outcome log is told of an attempt that ended.
 *
 * @category models
 */
export interface Options<A, E, R, R2 = never, R3 = never> extends Omit<Task, "attempt" | "atLeast"> {
  readonly maxAttempts: number
  readonly attempt: (prepared: AttemptInput) => Effect.Effect<A, E, R>
  readonly toFailure: (error: E) => FailureInput
  readonly schedule?: Schedule.Schedule<unknown, E, R2>
  readonly repair?: (failed: FailedAttempt<E>) => Effect.Effect<unknown, unknown, R3>
  readonly ran?: (result: Exit.Exit<A, E>) => AttemptFacts
}

/** What is old goes once for each task that is begun. */
const forget = Effect.gen(function* () {
  const { enabled, retentionDays } = yield* settings
  if (!enabled) return
  const service = yield* ReflectionService
  yield* orElse("nothing was forgotten", () => service.prune(Duration.days(retentionDays)), 0)
})

/**
 * Makes attempts until one succeeds, at most `maxAttempts`. It fails with the last attempt's own error, whatever becomes
 * of the memory; a defect or an interruption ends it at once, and nothing is learned from those. An `OutcomeLog` in the
 * context is told how each attempt ended that was not interrupted, and the section `memory` of a `CurrentConfig` there says
 * how much memory an attempt gets.
 *
 * @example
 * ```ts
 * import { ReflectionService } from "@reflexion/core/ReflectionService"
 * import { ReflexionStore } from "@reflexion/core/ReflexionStore"
 * import * as Reflexion from "@reflexion/retry/Reflexion"
 * import { Data, Effect, Layer } from "effect"
 *
 * class TestsFailed extends Data.TaggedError("TestsFailed")<{ readonly output: string }> {}
 *
 * // An agent that does right what it is told of.
 * const runAgent = (prompt: string): Effect.Effect<string, TestsFailed> =>
 *   prompt.includes("takes ten percent off")
 *     ? Effect.succeed("The tests pass.")
 *     : Effect.fail(new TestsFailed({ output: "FAIL  test/total.test.ts > takes ten percent off" }))
 *
 * const program = Reflexion.retry({
 *   taskId: "shop",
 *   subtaskId: "shop/cart",
 *   description: "Make the tests of the cart pass.",
 *   maxAttempts: 3,
 *   attempt: ({ attempt, promptSection }) => {
 *     console.log(`attempt ${attempt}`)
 *     return runAgent(`Make the tests of the cart pass.\n\n${promptSection}`)
 *   },
 *   toFailure: ({ output }) => ({ failureType: "test_failure", errorOutput: output })
 * })
 * // => attempt 1
 * // => attempt 2
 *
 * const MemoryLive = Layer.provide(ReflectionService.Heuristic, ReflexionStore.Memory)
 *
 * console.log(await Effect.runPromise(Effect.provide(program, MemoryLive))) // => The tests pass.
 * ```
 *
 * @category combinators
 */
export const retry = Effect.fn("Reflexion.retry")(function* <A, E, R, R2 = never, R3 = never>(
  options: Options<A, E, R, R2, R3>
): Effect.fn.Return<A, E, R | R2 | R3 | ReflectionService> {
  yield* forget
  const task: Task = Struct.pick(options, "taskId", "subtaskId", "description", "sessionId")
  const driver = yield* Schedule.driver(options.schedule ?? Schedule.forever)
  /** What a result is made of only its maker knows, unless it is a text. */
  const ranOf = Effect.fnUntraced(function* (exit: Exit.Exit<A, E>) {
    const less = "the outcome log is told less, for ran did not say what it knows"
    const known: AttemptFacts = yield* orElse(less, () => Effect.sync(() => options.ran?.(exit) ?? {}), {})
    return Exit.isSuccess(exit) && typeof exit.value === "string"
      ? { resultLength: exit.value.length, ...known }
      : known
  })
  /** A `toFailure` that throws, or gives no failure, hides no attempt's error: nothing is learned of that. */
  const failureOf = (error: E) =>
    orElse(
      "nothing is learned of an attempt that failed, for toFailure did not say of what",
      () => Effect.sync(() => options.toFailure(error) ?? null),
      null
    )
  const isOver = (error: E) =>
    orElse(
      "the schedule between two attempts is broken",
      () => Effect.match(driver.next(error), { onSuccess: () => false, onFailure: () => true }),
      true
    )
  const repaired = (failed: FailedAttempt<E>) =>
    orElse("the repair after a failed attempt failed", () => options.repair?.(failed) ?? Effect.void, undefined)
  for (let made = 1; ; made += 1) {
    const prepared = yield* beforeAttempt({ ...task, atLeast: made })
    const exit = yield* Effect.exit(Effect.suspend(() => options.attempt(prepared)))
    const ran = yield* ranOf(exit)
    if (Exit.isSuccess(exit)) {
      yield* afterAttempt(task, prepared, null, ran)
      return exit.value
    }
    const failed = Cause.failureOption(exit.cause)
    if (Option.isNone(failed)) {
      if (Cause.isDie(exit.cause)) yield* report(task, prepared, "failed", ran)
      return yield* Effect.failCause(exit.cause)
    }
    const error = failed.value
    const failure = yield* failureOf(error)
    if (failure === null) yield* report(task, prepared, "failed", ran)
    const reflection = failure === null ? null : yield* afterAttempt(task, prepared, failure, ran)
    // A count that is none is one.
    const isLast = !(made + 1 <= options.maxAttempts)
    if (isLast || (yield* isOver(error))) return yield* Effect.fail(error)
    yield* repaired({ attempt: prepared.attempt, error, reflection })
  }
})
