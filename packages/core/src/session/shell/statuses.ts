/** What exit statuses say: which commands exited 0, and which did not, where a part of a script ends in one way or another. */

/** Two bits a command: every run of it exited 0; a run of it did not. Null: this cannot happen. */
type Bits = bigint | null

/** By three readings: strictly; as if what hardly ever fails never did; and as if edits never failed either. */
export type StatusReadings = readonly [Bits, Bits, Bits]

/** What is known where a node of a script ends with status 0, and where it does not. */
export interface Ends {
  readonly zero: StatusReadings
  readonly fail: StatusReadings
}

export const nothing: StatusReadings = [0n, 0n, 0n]
export const never: StatusReadings = [null, null, null]
export const nowhere: Ends = { zero: never, fail: never }

/** Nothing is known of how it ended. */
export const hidden = (known: StatusReadings): Ends => ({ zero: known, fail: known })
export const passed = (known: StatusReadings): Ends => ({ zero: known, fail: never })

const each = (left: StatusReadings, right: StatusReadings, of: (one: Bits, other: Bits) => Bits): StatusReadings => [
  of(left[0], right[0]),
  of(left[1], right[1]),
  of(left[2], right[2])
]

/** Both hold. */
export const both = (left: StatusReadings, right: StatusReadings): StatusReadings =>
  each(left, right, (one, other) => (one === null || other === null ? null : one | other))

/** One of them holds. */
export const either = (left: StatusReadings, right: StatusReadings): StatusReadings =>
  each(left, right, (one, other) => (one === null ? other : other === null ? one : one & other))

export const eitherEnds = (left: Ends, right: Ends): Ends => ({
  zero: either(left.zero, right.zero),
  fail: either(left.fail, right.fail)
})

export const isPossible = (known: StatusReadings): boolean => known[0] !== null

export const maxCommands = 400
const bit = (id: number): bigint => 1n << BigInt(2 * id)

/** How one command ends. A failure that is no news happens by the strict reading only. */
export const endsOf = (id: number, known: StatusReadings, isTrivial: boolean, isEdit: boolean): Ends => {
  const [ok, failed] = [bit(id), bit(id) << 1n]
  return {
    zero: both(known, [ok, ok, ok]),
    fail: both(known, [failed, isTrivial ? null : failed, isTrivial || isEdit ? null : failed])
  }
}

export const hasPassed = (known: StatusReadings, id: number): boolean => ((known[0] ?? 0n) & bit(id)) !== 0n
export const hasFailed = (known: StatusReadings, id: number, reading: 0 | 1 | 2): boolean =>
  ((known[reading] ?? 0n) & (bit(id) << 1n)) !== 0n
