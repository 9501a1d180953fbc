/**
 * The outcomes of a log as rows of numbers: where each stands in the file, and what it is looked for by. Some 50 bytes for
 * each, whatever it says.
 */
import type { AttemptOutcome, OutcomeView } from "./model.ts"
import { subjectOf } from "./AttemptOutcome.ts"
import type { LogFile } from "../log/LogDisk.ts"
import * as Chains from "../log/RowsByKey.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import * as OutcomeLine from "./line.ts"
import { markOf, statusOf } from "./view.ts"

interface Columns {
  count: number
  capacity: number
  offsets: Float64Array
  times: Float64Array
  lengths: Uint32Array
  marks: Uint8Array
  readonly ids: Chains.KeyChains
  readonly subjects: Chains.KeyChains
}

/** The mark of a row whose id stands before. */
const dead = 255

const least = 1024

const columnsOf = (capacity = least): Columns => ({
  count: 0,
  capacity,
  offsets: new Float64Array(capacity),
  times: new Float64Array(capacity),
  lengths: new Uint32Array(capacity),
  marks: new Uint8Array(capacity),
  ids: Chains.make(capacity),
  subjects: Chains.make(capacity)
})

const copied = <A extends Float64Array | Uint32Array | Uint8Array>(column: A, into: A): A => {
  into.set(column)
  return into
}

const grow = (columns: Columns): void => {
  const capacity = Math.ceil(columns.capacity * (columns.capacity < 100_000 ? 1.5 : 1.125)) + least
  columns.offsets = copied(columns.offsets, new Float64Array(capacity))
  columns.times = copied(columns.times, new Float64Array(capacity))
  columns.lengths = copied(columns.lengths, new Uint32Array(capacity))
  columns.marks = copied(columns.marks, new Uint8Array(capacity))
  for (const chains of [columns.ids, columns.subjects]) Chains.grow(chains, columns.count, capacity)
  columns.capacity = capacity
}

export interface OutcomeRows {
  readonly view: OutcomeView
  readonly reset: (file: LogFile | null) => void
  readonly line: (chunk: Uint8Array, from: number, to: number, at: number) => void
  readonly offsetOf: (row: number) => number
}

const decoder = new TextDecoder()

export const make = (): OutcomeRows => {
  let file: LogFile | null = null
  let columns = columnsOf()
  let epoch = 0
  let unreadable = 0

  const outcome = (row: number): AttemptOutcome | null => {
    const bytes = file?.read(columns.offsets[row] ?? 0, columns.lengths[row] ?? 0)
    const line = bytes === undefined ? null : OutcomeLine.parse(decoder.decode(bytes))
    return line?._tag === "outcome" ? line.outcome : null
  }

  const rowOf = (id: string): number => {
    const hash = KeyHash.ofText(id)
    let row = Chains.newest(columns.ids, hash)
    while (row >= 0 && (columns.marks[row] === dead || outcome(row)?.id !== id))
      row = Chains.next(columns.ids, row, hash)
    return row
  }

  const line: OutcomeRows["line"] = (chunk, from, to, at) => {
    const parsed = OutcomeLine.parse(decoder.decode(chunk.subarray(from, to)))
    if (parsed._tag === "invalid") unreadable += 1
    if (parsed._tag !== "outcome") return
    const { id, status, at: time } = parsed.outcome
    const mark = rowOf(id) < 0 ? markOf(status) : dead
    if (columns.count === columns.capacity) grow(columns)
    const row = columns.count
    columns.offsets[row] = at
    columns.times[row] = Date.parse(time)
    columns.lengths[row] = to - from
    columns.marks[row] = mark
    // What is not looked for gets a hash of its own, so that no chain grows long by it.
    Chains.add(columns.ids, row, KeyHash.ofText(mark === dead ? String(at) : id))
    const subject = mark === dead ? null : subjectOf(parsed.outcome)
    Chains.add(columns.subjects, row, KeyHash.ofText(subject ?? String(at)))
    columns.count += 1
  }

  return {
    line,
    reset: (next) => {
      const isSame = next === null && file === null
      file = next
      // As long as there is no file, every look at it begins anew.
      if (isSame) return
      columns = columnsOf()
      unreadable = 0
      epoch += 1
    },
    offsetOf: (row) => columns.offsets[row] ?? 0,
    view: {
      get epoch() {
        return epoch
      },
      first: 0,
      get end() {
        return columns.count
      },
      get unreadable() {
        return unreadable
      },
      isAlive: (row) => columns.marks[row] !== dead,
      timeOf: (row) => columns.times[row] ?? Number.NaN,
      statusOf: (row) => statusOf(columns.marks[row] ?? dead),
      newestOf: (subject) => Chains.newest(columns.subjects, subject),
      olderOf: (row, subject) => Chains.next(columns.subjects, row, subject),
      rowOf,
      outcome
    }
  }
}
