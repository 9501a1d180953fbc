/** Under which names the models that answered were chosen, told to whoever is to know: a provider may call them otherwise. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export interface Noting {
  readonly note: (name: string) => Effect.Effect<void>
}

export class AnsweredBy extends Context.Reference<AnsweredBy>()("@reflexion/core/AnsweredBy", {
  defaultValue: (): Noting => ({ note: () => Effect.void })
}) {}
