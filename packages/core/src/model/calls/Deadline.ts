/** Until when somebody waits for what models say: one moment for all questions within it. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** In ms since the epoch. By itself nobody hurries. */
export class Deadline extends Context.Reference<Deadline>()("@reflexion/core/Deadline", {
  defaultValue: () => Number.POSITIVE_INFINITY
}) {}

/** The time until then, and at most `patience`. */
export const left = (patience: Duration.DurationInput): Effect.Effect<Duration.Duration> =>
  Effect.map(Effect.all([Deadline, Clock.currentTimeMillis]), ([until, now]) =>
    Duration.min(patience, Duration.millis(until - now))
  )

/** Gives up then. */
export const limited =
  <E2>(onTimeout: () => E2) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    Effect.flatMap(left(Duration.infinity), (duration) =>
      Effect.timeoutFail(Effect.disconnect(effect), { duration, onTimeout })
    )

/** What is asked within ends after `patience`, and no later than what is around it. */
export const within =
  (patience: Duration.DurationInput) =>
  <A, E, R>(asking: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.all([left(patience), Clock.currentTimeMillis]), ([time, now]) =>
      Effect.provideService(asking, Deadline, now + Duration.toMillis(time))
    )
