/**
 * The reflections of a log as rows of numbers: where each stands in the file, and what it is looked for by. Some 60 bytes
 * for each, whatever it says.
 */
import * as Chains from "../log/RowsByKey.ts"

export interface ReflectionRows {
  count: number
  /** How many of them their chains have, and are known to be replaced. */
  linked: number
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
  linked: 0,
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
  for (const chains of [rows.ids, rows.tasks, rows.subtasks]) Chains.grow(chains, rows.linked, capacity)
  rows.capacity = capacity
}

/** Whether two rows have the same id, asked of those whose ids have the same hash. */
type IsSame = (older: number, newer: number) => boolean

/** Marks the row that a new one replaces: those of its id before that have been replaced already. */
const replaceOlder = ({ ids, marks }: ReflectionRows, at: number, isSame: IsSame): void => {
  const id = ids.hashes[at] ?? 0
  for (let older = Chains.newest(ids, id); older >= 0; older = Chains.next(ids, older, id))
    if (marks[older] !== dead && isSame(older, at)) {
      marks[older] = dead
      return
    }
}

/** So many rows are linked at once. */
const together = 128

/**
 * Brings the chains up to the last row, as long as it may go on. Rows whose id a later one has are replaced. Once for many
 * rows where that can be: their chains lie all over the memory, which the processor has at hand only while nothing else is
 * read.
 */
export const link = (rows: ReflectionRows, isSame: IsSame, goesOn: () => boolean = () => true): void => {
  const { ids, subtasks, tasks } = rows
  while (rows.linked < rows.count && goesOn()) {
    const end = Math.min(rows.linked + together, rows.count)
    if (end - rows.linked > 1) Chains.touch(ids, rows.linked, end)
    for (let at = rows.linked; at < end; at += 1) {
      replaceOlder(rows, at, isSame)
      Chains.link(ids, at)
      // The rows of a task come together, so what links them is at hand.
      Chains.link(tasks, at)
      Chains.link(subtasks, at)
      // Of each, for the disk may refuse to say what the next one's id is.
      rows.linked = at + 1
    }
  }
}

/** Adds a row; `expected` says how many there may soon be. It is found once it is linked. */
export const add = (rows: ReflectionRows, row: Row, expected: () => number): void => {
  if (rows.count === rows.capacity) grow(rows, expected())
  const at = rows.count
  rows.offsets[at] = row.offset
  rows.lengths[at] = row.length
  rows.attempts[at] = row.attempt
  rows.createdAt[at] = row.createdAt
  rows.marks[at] = row.mark
  rows.ids.hashes[at] = row.id
  rows.tasks.hashes[at] = row.task
  rows.subtasks.hashes[at] = row.subtask
  rows.count += 1
}

export const isAlive = ({ marks }: ReflectionRows, row: number): boolean => marks[row] !== dead
