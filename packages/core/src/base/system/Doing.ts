/** What may throw, as an effect. */
import * as Effect from "effect/Effect"

export const doing = <A>(work: () => A): Effect.Effect<A, unknown> => Effect.try({ try: work, catch: (cause) => cause })
