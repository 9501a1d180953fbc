/** Tracks which commands exited 0 and which did not, for each possible end of a part of a script. */

/** Two bits for each command. First: all its runs exited 0. Second: a run did not. Null if this end is impossible. */
type Bits = bigint | null

/** The first is strict. The second assumes that trivial commands never fail. The third also assumes this of edits. */
export type StatusReadings = readonly [Bits, Bits, Bits]

/** What is known if a part of a script ends with status 0 (`zero`), or with another status (`fail`). */
export interface Ends {
  readonly zero: StatusReadings
  readonly fail: StatusReadings
}

export const nothing: StatusReadings = [0n, 0n, 0n]
export const never: StatusReadings = [null, null, null]
export const nowhere: Ends = { zero: never, fail: never }

/** The status is unknown: both ends are possible and prove nothing new. */
export const hidden = (known: StatusReadings): Ends => ({ zero: known, fail: known })
export const passed = (known: StatusReadings): Ends => ({ zero: known, fail: never })

const each = (left: StatusReadings, right: StatusReadings, of: (one: Bits, other: Bits) => Bits): StatusReadings => [
  of(left[0], right[0]),
  of(left[1], right[1]),
  of(left[2], right[2])
]

export const both = (left: StatusReadings, right: StatusReadings): StatusReadings =>
  each(left, right, (one, other) => (one === null || other === null ? null : one | other))

export const either = (left: StatusReadings, right: StatusReadings): StatusReadings =>
  each(left, right, (one, other) => (one === null ? other : other === null ? one : one & other))

export const eitherEnds = (left: Ends, right: Ends): Ends => ({
  zero: either(left.zero, right.zero),
  fail: either(left.fail, right.fail)
})

export const isPossible = (known: StatusReadings): boolean => known[0] !== null

export const maxCommands = 400
const bit = (id: number): bigint => 1n << BigInt(2 * id)

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
