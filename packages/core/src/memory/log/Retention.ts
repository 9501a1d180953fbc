/** A log that forgets by itself what is older than it was told to keep. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { StorageError } from "./StorageError.ts"

interface Log<A> {
  readonly append: (given: A) => Effect.Effect<void, StorageError>
  readonly prune: (options: {
    readonly maxAge: Duration.DurationInput
    readonly slack: Duration.DurationInput
  }) => Effect.Effect<number, StorageError>
}

/** Without a `retention` it is the log as it is. What is old goes now, and behind what is added; a failure is logged. */
export const retained = Effect.fnUntraced(function* <A, L extends Log<A>>(
  log: L & Log<A>,
  retention: Duration.DurationInput | undefined
) {
  if (retention === undefined) return log
  const slack = Duration.times(retention, 0.1)
  let last = Number.NEGATIVE_INFINITY
  const pruned = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (now - last < Duration.toMillis(slack)) return Effect.void
    last = now
    return log
      .prune({ maxAge: retention, slack })
      .pipe(Effect.catchAll((error) => Effect.logWarning(`nothing is forgotten: ${error.message}`)))
  })
  yield* pruned
  return { ...log, append: (given: A) => Effect.zipLeft(log.append(given), pruned) }
})
