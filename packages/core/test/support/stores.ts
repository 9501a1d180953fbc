/** Places for records in tests: a folder, several handles on one place, a table that several machines share. */
import { NodeContext } from "@effect/platform-node"
import type * as Records from "@reflexion/core/internal/memory/log/Records"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** In memory if the system has such a folder. These tests need no disk, and a sync on a busy disk takes 10 ms. */
const parent = existsSync("/dev/shm") && process.platform === "linux" ? "/dev/shm" : tmpdir()

export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(parent, "reflexion-store-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

export const handle = <I, S, E>(
  tag: Context.Tag<I, S>,
  layer: Layer.Layer<I, E, NodeContext.NodeContext>
): Effect.Effect<S, E, Scope.Scope> =>
  Effect.map(Layer.build(Layer.provide(layer, NodeContext.layer)), (context) => Context.get(context, tag))

/** Makes a new, empty place. Its layer gives handles as another process or machine has them. */
export type Place<I, E> = Effect.Effect<Layer.Layer<I, E, NodeContext.NodeContext>, E, Scope.Scope>

export const onDisk = <I, E>(live: (place: { readonly path: string }) => Layer.Layer<I, E>): Place<I, E> =>
  Effect.map(folder, (path) => live({ path: join(path, ".reflection", "records.jsonl") }))

export const inMemory = <I, S, E>(tag: Context.Tag<I, S>, layer: Layer.Layer<I, E>): Place<I, E> =>
  Effect.map(handle(tag, layer), (service) => Layer.succeed(tag, service))

export const opened = <I, S, E>(place: Place<I, E>, tag: Context.Tag<I, S>) =>
  Effect.gen(function* () {
    const again = handle(tag, yield* place)
    return { again, first: yield* again }
  })

const later = <A>(work: () => A): Effect.Effect<A> => Effect.zipRight(Effect.yieldNow(), Effect.sync(work))

/** A table that several machines share, as in a database: no answer comes at once. */
export const table = <A extends object>(): Records.OpenRecords<A> => {
  let rows: ReadonlyArray<A> = []
  let epoch = 0
  return (fold) => {
    let [known, of] = [0, epoch]
    const follow = (): void => {
      if (of !== epoch) fold.reset()
      for (const row of rows.slice(of === epoch ? known : 0)) fold.take(row)
      ;[known, of] = [rows.length, epoch]
    }
    const followed = <B>(work: () => B) =>
      later(() => {
        follow()
        return work()
      })
    return {
      look: followed,
      add: (records) =>
        followed(() => {
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
