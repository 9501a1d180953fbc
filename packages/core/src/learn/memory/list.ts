/** Reflections that last as long as the process, as the same rows. */
import * as Effectiveness from "./Effectiveness.ts"
import type { MemoryEvent } from "./MemoryEvent.ts"
import type { Reflection } from "../lessons/Reflection.ts"
import type { MemoryView } from "./view.ts"
import * as Line from "./reflectionLine.ts"

export interface MemoryList {
  readonly view: MemoryView
  readonly add: (reflections: ReadonlyArray<Reflection>) => void
  readonly note: (event: MemoryEvent) => void
  readonly events: () => number
  /** Leaves out rows and events; says how many rows. */
  readonly drop: (wants: {
    readonly row: (row: number) => boolean
    readonly event: (event: MemoryEvent) => boolean
  }) => number
}

export const make = (): MemoryList => {
  let rows: ReadonlyArray<Reflection> = []
  let events: ReadonlyArray<MemoryEvent> = []
  let newest = new Map<string, number>()
  let outcomes = Effectiveness.initial()
  let epoch = 0

  const add = (reflections: ReadonlyArray<Reflection>): void => {
    for (const [index, { id }] of reflections.entries()) newest.set(id, rows.length + index)
    rows = [...rows, ...reflections]
  }

  const note = (event: MemoryEvent): void => {
    events = [...events, event]
    Effectiveness.step(outcomes, event)
  }

  const isAlive = (row: number): boolean => newest.get(rows[row]?.id ?? "") === row

  return {
    add,
    note,
    events: () => events.length,
    drop: (wants) => {
      const [before, noted] = [rows, events]
      const kept = before.filter((_, row) => !wants.row(row))
      ;[rows, events] = [[], []]
      newest = new Map()
      outcomes = Effectiveness.initial()
      epoch += 1
      add(kept)
      for (const event of noted) if (!wants.event(event)) note(event)
      return before.length - kept.length
    },
    view: {
      get epoch() {
        return epoch
      },
      get count() {
        return rows.length
      },
      get outcomes() {
        return outcomes
      },
      isAlive,
      rowsOf: (key, value) => rows.flatMap((reflection, row) => (reflection[key] === value ? [row] : [])).toReversed(),
      attemptOf: (row) => rows[row]?.attemptNumber ?? 0,
      createdAtOf: (row) => Date.parse(rows[row]?.createdAt ?? ""),
      markOf: (row) => Line.markOf(rows[row]?.category ?? "", rows[row]?.source ?? null),
      reflection: (row) => rows[row] ?? null,
      reflections: (some) => some.map((row) => rows[row] ?? null),
      recordOf: (row) => outcomes.byId.get(rows[row]?.id ?? ""),
      taskOf: (row) => rows[row]?.taskId ?? "",
      subtaskOf: (row) => rows[row]?.subtaskId ?? ""
    }
  }
}
