/**
 * The reflections of a log as rows of numbers: where each stands in the file, and what it is looked for by. Some 60 bytes
 * for each, whatever it says.
 */
import * as Chains from "./keyChains.ts"

export interface ReflectionRows {
  count: number
  capacity: number
  offsets: Float64Array
  lengths: Uint32Array
  attempts: Uint32Array
  /** When it was made, in ms since the epoch, NaN where that cannot be read. */
  createdAt: Float64Array
  /** Category and source, as `marks` has them; `dead` for a row that a later one of the same id replaces. */
  marks: Uint8Array
  readonly ids: Chains.KeyChains
  readonly tasks: Chains.KeyChains
  readonly subtasks: Chains.KeyChains
}

/** What a line says of its row. It is used again for the next line. */
export interface Row {
  offset: number
  length: number
  attempt: number
  createdAt: number
  mark: number
  id: number
  task: number
  subtask: number
}

/** The mark of a row that has been replaced. */
export const dead = 255

const least = 1024

export const make = (capacity = least): ReflectionRows => ({
  count: 0,
  capacity,
  offsets: new Float64Array(capacity),
  lengths: new Uint32Array(capacity),
  attempts: new Uint32Array(capacity),
  createdAt: new Float64Array(capacity),
  marks: new Uint8Array(capacity),
  ids: Chains.make(capacity),
  tasks: Chains.make(capacity),
  subtasks: Chains.make(capacity)
})

const longer = <A extends Float64Array | Uint32Array | Uint8Array>(column: A, into: A): A => {
  into.set(column)
  return into
}

/** By half, and by less of many: a column is copied seldom, and little room stays unused. */
const more = (capacity: number): number => Math.ceil(capacity * (capacity < 100_000 ? 1.5 : 1.125)) + least

const grow = (rows: ReflectionRows, expected: number): void => {
  const capacity = Math.max(more(rows.capacity), expected)
  rows.offsets = longer(rows.offsets, new Float64Array(capacity))
  rows.lengths = longer(rows.lengths, new Uint32Array(capacity))
  rows.attempts = longer(rows.attempts, new Uint32Array(capacity))
  rows.createdAt = longer(rows.createdAt, new Float64Array(capacity))
  rows.marks = longer(rows.marks, new Uint8Array(capacity))
  for (const chains of [rows.ids, rows.tasks, rows.subtasks]) Chains.grow(chains, rows.count, capacity)
  rows.capacity = capacity
}

/** Adds a row; `expected` says how many there may soon be; `isSame` is asked of older rows whose id has the same hash, and those that are the same are replaced. */
export const add = (
  rows: ReflectionRows,
  row: Row,
  { expected, isSame }: { readonly expected: () => number; readonly isSame: (older: number) => boolean }
): void => {
  if (rows.count === rows.capacity) grow(rows, expected())
  const at = rows.count
  for (let older = Chains.newest(rows.ids, row.id); older >= 0; older = Chains.next(rows.ids, older, row.id))
    if (rows.marks[older] !== dead && isSame(older)) rows.marks[older] = dead
  rows.offsets[at] = row.offset
  rows.lengths[at] = row.length
  rows.attempts[at] = row.attempt
  rows.createdAt[at] = row.createdAt
  rows.marks[at] = row.mark
  Chains.add(rows.ids, at, row.id)
  Chains.add(rows.tasks, at, row.task)
  Chains.add(rows.subtasks, at, row.subtask)
  rows.count += 1
}

export const isAlive = ({ marks }: ReflectionRows, row: number): boolean => marks[row] !== dead
