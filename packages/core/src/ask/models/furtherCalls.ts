/** What one question asks of others beside the model that it was put to first, told to whoever counts. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** `late`: the model before was given up, and what its answer costs nobody knows. */
export interface Counting {
  readonly add: (options: { readonly late: boolean }) => Effect.Effect<void>
}

export class FurtherCalls extends Context.Reference<FurtherCalls>()("@reflexion/core/FurtherCalls", {
  defaultValue: (): Counting => ({ add: () => Effect.void })
}) {}
