/** Turns a function that may throw into an effect. */
import * as Effect from "effect/Effect"

export const doing = <A>(work: () => A): Effect.Effect<A, unknown> => Effect.try({ try: work, catch: (cause) => cause })
