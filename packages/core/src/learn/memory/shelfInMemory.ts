/** The shelf of a memory that lasts as long as the process. */
import * as Effect from "effect/Effect"
import type { MemoryEvent } from "./MemoryEvent.ts"
import * as List from "./list.ts"
import type { Doomed, Shelf } from "./model.ts"

/** The ids of which nothing is left once these rows are gone. */
const gone = ({ view }: List.MemoryList, isDoomed: (row: number) => boolean): ReadonlySet<string> => {
  const ids = new Set<string>()
  for (let row = 0; row < view.count; row += 1) {
    const id = view.isAlive(row) && isDoomed(row) ? view.reflection(row)?.id : undefined
    if (id !== undefined) ids.add(id)
  }
  return ids
}

export const make = (): Shelf => {
  const list = List.make()
  const { view } = list

  const drop = ({ event, row: isDoomed }: Doomed): number => {
    // What was replaced goes too: without its successor it would be back.
    const row = (at: number): boolean => !view.isAlive(at) || isDoomed(view, at)
    const ids = gone(list, row)
    const isSpent = (one: MemoryEvent): boolean =>
      event(one) || (one.reflectionIds.length > 0 && one.reflectionIds.every((id) => ids.has(id)))
    if (ids.size > 0) list.drop({ row, event: isSpent })
    return ids.size
  }

  const replaced = (row: number): boolean => !view.isAlive(row)

  return {
    look: (read) => Effect.sync(() => read(view)),
    add: (reflections) => Effect.sync(() => list.add(reflections)),
    note: (event) => Effect.sync(() => list.note(event)),
    drop: (doomed) => Effect.sync(() => drop(doomed)),
    compact: Effect.sync(() => list.drop({ row: replaced, event: () => false })),
    verify: () =>
      Effect.sync(() => {
        const dead = Array.from({ length: view.count }, (_, row) => row).filter(replaced).length
        return {
          reflections: view.count - dead,
          replaced: dead,
          events: list.events(),
          blank: 0,
          invalidCount: 0,
          invalid: []
        }
      })
  }
}
