/** The deadline for answers of models, shared by all nested questions. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** In milliseconds since the epoch. */
export class Deadline extends Context.Reference<Deadline>()("@reflexion/core/Deadline", {
  defaultValue: () => Number.POSITIVE_INFINITY
}) {}

export const left = (patience: Duration.DurationInput): Effect.Effect<Duration.Duration> =>
  Effect.map(Effect.all([Deadline, Clock.currentTimeMillis]), ([until, now]) =>
    Duration.min(patience, Duration.millis(until - now))
  )

export const limited =
  <E2>(onTimeout: () => E2) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    Effect.flatMap(left(Duration.infinity), (duration) =>
      Effect.timeoutFail(Effect.disconnect(effect), { duration, onTimeout })
    )

/** The new deadline is never later than the outer one. */
export const within =
  (patience: Duration.DurationInput) =>
  <A, E, R>(asking: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.all([left(patience), Clock.currentTimeMillis]), ([time, now]) =>
      Effect.provideService(asking, Deadline, now + Duration.toMillis(time))
    )
