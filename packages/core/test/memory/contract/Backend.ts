/** What keeps records, as a contract opens it: a file, memory, a database. */
import type * as Records from "@reflexion/core/internal/memory/log/Records"
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

const later = <A>(work: () => A): Effect.Effect<A> => Effect.zipRight(Effect.yieldNow(), Effect.sync(work))

/** A table that several machines share, as a database has it: each handle follows it, and nothing is answered at once. */
export const table = <A extends object>(): Records.Open<A> => {
  let rows: ReadonlyArray<A> = []
  let epoch = 0
  return (fold) => {
    let [known, of] = [0, epoch]
    const follow = (): void => {
      if (of !== epoch) fold.reset()
      for (const row of rows.slice(of === epoch ? known : 0)) fold.take(row)
      ;[known, of] = [rows.length, epoch]
    }
    return {
      look: (read) =>
        later(() => {
          follow()
          return read()
        }),
      add: (records) =>
        later(() => {
          follow()
          rows = [...rows, ...records()]
        }),
      drop: (plan) =>
        later(() => {
          const gone = plan(rows)
          epoch += 1
          rows = rows.filter((row) => !gone.rows.has(row))
          return gone.count
        }),
      others: Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2))),
      unreadable: Effect.succeed(0)
    }
  }
}
