/**
 * A retry that learns: each attempt's prompt has what was learned from the ones that failed (Shinn et al., "Reflexion:
 * Language Agents with Verbal Reinforcement Learning", NeurIPS 2023).
 *
 * @since 0.1.0
 */
import type { Reflection } from "@reflexion/core/Reflection"
import { ReflectionService } from "@reflexion/core/ReflectionService"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as RetryHook from "./RetryHook.ts"
import { RetrySettings } from "./RetrySettings.ts"

/**
 * What `repair` is told of the attempt that failed. `reflection` is saved by then, null where nothing was learned.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failed<E> {
  readonly attempt: number
  readonly error: E
  readonly reflection: Reflection | null
}

/**
 * `maxAttempts` is how many this call makes; `attempt` is told its number over earlier calls too. `schedule` says how long
 * to wait between two, and may end them sooner. `repair` runs before the next attempt, such as a healer of the workspace;
 * where it fails, that is logged and the next attempt is made all the same.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<A, E, R, R2 = never, R3 = never> extends Omit<RetryHook.Task, "attempt" | "atLeast"> {
  readonly maxAttempts: number
  readonly attempt: (prepared: RetryHook.Prepared) => Effect.Effect<A, E, R>
  readonly toFailure: (error: E) => RetryHook.FailureInput
  readonly schedule?: Schedule.Schedule<unknown, E, R2>
  readonly repair?: (failed: Failed<E>) => Effect.Effect<unknown, unknown, R3>
}

/** What is old goes once for each task that is begun. */
const forget = Effect.gen(function* () {
  const { enabled, retentionDays } = yield* RetrySettings
  if (!enabled) return
  const service = yield* ReflectionService
  yield* service
    .prune(Duration.days(retentionDays))
    .pipe(Effect.catchAll((error) => Effect.logWarning(`nothing was forgotten: ${error.message}`)))
})

/**
 * Makes attempts until one succeeds, at most `maxAttempts`. It fails with the last attempt's own error, whatever becomes
 * of the memory; a defect or an interruption ends it at once, and nothing is learned from those.
 *
 * @since 0.1.0
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
  const driver = yield* Schedule.driver(options.schedule ?? Schedule.forever)
  const next = (made: number): Effect.Effect<A, E, R | R2 | R3 | ReflectionService> =>
    Effect.gen(function* () {
      const prepared = yield* RetryHook.beforeAttempt({ ...task, atLeast: made })
      return yield* Effect.matchEffect(options.attempt(prepared), {
        onSuccess: (value) => Effect.as(RetryHook.onSuccess(task, prepared), value),
        onFailure: (error) => again(made, prepared, error)
      })
    })
  const again = (made: number, prepared: RetryHook.Prepared, error: E) =>
    Effect.gen(function* () {
      const failure = yield* described(options, error)
      const reflection = failure === null ? null : yield* RetryHook.onFailure(task, failure, prepared)
      if (made >= options.maxAttempts) return yield* Effect.fail(error)
      const isOver = yield* Effect.match(driver.next(error), { onSuccess: () => false, onFailure: () => true })
      if (isOver) return yield* Effect.fail(error)
      if (options.repair !== undefined)
        yield* options
          .repair({ attempt: prepared.attempt, error, reflection })
          .pipe(Effect.catchAll((cause) => Effect.logWarning("the repair after a failed attempt failed", cause)))
      return yield* next(made + 1)
    })
  return yield* next(1)
})

/** A `toFailure` that throws hides no attempt's error. */
const described = <A, E, R, R2, R3>({ toFailure }: Options<A, E, R, R2, R3>, error: E) =>
  Effect.try(() => toFailure(error)).pipe(
    Effect.catchAll((cause) => Effect.as(Effect.logWarning("toFailure threw", cause), null))
  )
