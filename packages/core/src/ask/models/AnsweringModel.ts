/** Under which names the models that answered were chosen, told to whoever is to know: a provider may call them otherwise. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** `late`: the model before was given up, and what its answer costs nobody knows. */
export interface Counting {
  readonly add: (options: { readonly late: boolean }) => Effect.Effect<void>
}

export class FurtherCalls extends Context.Reference<FurtherCalls>()("@reflexion/core/FurtherCalls", {
  defaultValue: (): Counting => ({ add: () => Effect.void })
}) {}

export interface Noting {
  readonly note: (name: string) => Effect.Effect<void>
}

export class AnsweredBy extends Context.Reference<AnsweredBy>()("@reflexion/core/AnsweredBy", {
  defaultValue: (): Noting => ({ note: () => Effect.void })
}) {}
