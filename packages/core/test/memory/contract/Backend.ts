/** What keeps records, as a contract opens it: a file, memory, a database. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/**
 * `place` is a new and empty one. Each build of the layer that it gives is another handle on the same place, as another
 * process or machine has it.
 */
export interface Backend<I, E> {
  readonly name: string
  readonly place: Effect.Effect<Layer.Layer<I, E>, E, Scope.Scope>
}

/** Of what nobody else has, the same handle is given again. */
export const alone = <I, E>(name: string, layer: Layer.Layer<I, E>): Backend<I, E> => ({
  name,
  place: Effect.map(Layer.build(layer), Layer.succeedContext)
})

/** A handle on a new place, and a way to others on the same. */
export const opened = <I, S, E>({ place }: Backend<I, E>, tag: Context.Tag<I, S>) =>
  Effect.gen(function* () {
    const layer = yield* place
    const again = Effect.map(Layer.build(layer), (context) => Context.get(context, tag))
    return { again, first: yield* again }
  })
