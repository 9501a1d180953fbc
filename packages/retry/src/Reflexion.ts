/**
 * A retry that learns: each attempt's prompt has what was learned from the ones that failed (Shinn et al., "Reflexion:
 * Language Agents with Verbal Reinforcement Learning", NeurIPS 2023).
 */
import { FailureType } from "@reflexion/core/FailureContext"
import type { Reflection } from "@reflexion/core/Reflection"
import { ReflectionService } from "@reflexion/core/ReflectionService"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { orElse } from "./internal/orElse.ts"
import { report } from "./internal/reporting.ts"
import * as RetryHook from "./RetryHook.ts"
import { RetrySettings } from "./RetrySettings.ts"

/**
 * What `repair` is told of the attempt that failed. `reflection` is saved by then, null where nothing was learned.
 *
 * @category models
 */
export interface Failed<E> {
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
export interface Options<A, E, R, R2 = never, R3 = never> extends Omit<RetryHook.Task, "attempt" | "atLeast"> {
  readonly maxAttempts: number
  readonly attempt: (prepared: RetryHook.Prepared) => Effect.Effect<A, E, R>
  readonly toFailure: (error: E) => RetryHook.FailureInput
  readonly schedule?: Schedule.Schedule<unknown, E, R2>
  readonly repair?: (failed: Failed<E>) => Effect.Effect<unknown, unknown, R3>
  readonly ran?: (result: Exit.Exit<A, E>) => RetryHook.Ran
}

/** What is old goes once for each task that is begun. */
const forget = Effect.gen(function* () {
  const { enabled, retentionDays } = yield* RetrySettings
  if (!enabled) return
  const service = yield* ReflectionService
  yield* orElse(() => service.prune(Duration.days(retentionDays)), { what: "nothing was forgotten", otherwise: 0 })
})

/** A count that is none is one. */
const wholeOf = (attempts: number): number => (attempts >= 1 ? Math.floor(attempts) : 1)

/**
 * Makes attempts until one succeeds, at most `maxAttempts`. It fails with the last attempt's own error, whatever becomes
 * of the memory; a defect or an interruption ends it at once, and nothing is learned from those. An `OutcomeLog` in the
 * context is told how each attempt ended that was not interrupted.
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
export const retry: <A, E, R, R2 = never, R3 = never>(
  options: Options<A, E, R, R2, R3>
) => Effect.Effect<A, E, R | R2 | R3 | ReflectionService> = Effect.fn("Reflexion.retry")(function* <
  A,
  E,
  R,
  R2 = never,
  R3 = never
>(options: Options<A, E, R, R2, R3>) {
  yield* forget
  const { description, sessionId, subtaskId, taskId } = options
  const task: RetryHook.Task = { taskId, subtaskId, description, ...(sessionId !== undefined && { sessionId }) }
  const most = wholeOf(options.maxAttempts)
  const driver = yield* Schedule.driver(options.schedule ?? Schedule.forever)
  const next = (made: number): Effect.Effect<A, E, R | R2 | R3 | ReflectionService> =>
    Effect.gen(function* () {
      const prepared = yield* RetryHook.beforeAttempt({ ...task, atLeast: made })
      const attempt = Effect.tapDefect(
        Effect.suspend(() => options.attempt(prepared)),
        (cause) => Effect.flatMap(ranOf(options, Exit.failCause(cause)), (ran) => report(task, prepared, "failed", ran))
      )
      return yield* Effect.matchEffect(attempt, {
        onSuccess: (value) => Effect.as(succeeded(prepared, value), value),
        onFailure: (error) => again(made, prepared, error)
      })
    })
  const succeeded = (prepared: RetryHook.Prepared, value: A) =>
    Effect.flatMap(ranOf(options, Exit.succeed(value)), (ran) => RetryHook.onSuccess(task, prepared, ran))
  const again = (made: number, prepared: RetryHook.Prepared, error: E) =>
    Effect.gen(function* () {
      const failure = yield* described(options, error)
      const ran = yield* ranOf(options, Exit.fail(error))
      if (failure === null) yield* report(task, prepared, "failed", ran)
      const reflection = failure === null ? null : yield* RetryHook.onFailure(task, failure, prepared, ran)
      if (made >= most) return yield* Effect.fail(error)
      const isOver = yield* orElse(
        () => Effect.match(driver.next(error), { onSuccess: () => false, onFailure: () => true }),
        { what: "the schedule between two attempts is broken", otherwise: true }
      )
      if (isOver) return yield* Effect.fail(error)
      const { repair } = options
      if (repair !== undefined)
        yield* orElse(() => repair({ attempt: prepared.attempt, error, reflection }), {
          what: "the repair after a failed attempt failed",
          otherwise: undefined
        })
      return yield* next(made + 1)
    })
  return yield* next(1)
})

const isFailure = Schema.is(
  Schema.Struct({
    failureType: FailureType,
    errorOutput: Schema.String,
    filesModified: Schema.optional(Schema.Array(Schema.String)),
    sessionId: Schema.optional(Schema.String)
  })
)

/** What a result is made of only its maker knows, unless it is a text. */
const ranOf = <A, E, R, R2, R3>({ ran }: Options<A, E, R, R2, R3>, exit: Exit.Exit<A, E>) =>
  Effect.map(
    orElse(() => Effect.sync((): RetryHook.Ran => ran?.(exit) ?? {}), {
      what: "the outcome log is told less, for ran did not say what it knows",
      otherwise: {}
    }),
    (known): RetryHook.Ran =>
      Exit.isSuccess(exit) && typeof exit.value === "string" ? { resultLength: exit.value.length, ...known } : known
  )

/** A `toFailure` that throws, or gives no failure, hides no attempt's error: nothing is learned of that. */
const described = <A, E, R, R2, R3>({ toFailure }: Options<A, E, R, R2, R3>, error: E) =>
  orElse(
    () => {
      const failure = toFailure(error)
      return isFailure(failure)
        ? Effect.succeed(failure)
        : Effect.fail(
            new Cause.IllegalArgumentException("it gave no failureType that is known, or no text as errorOutput")
          )
    },
    { what: "nothing is learned of an attempt that failed, for toFailure did not say of what", otherwise: null }
  )
