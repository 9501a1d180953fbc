/**
 * What a line of the memory's log says of its row, read from its bytes without decoding it: this is how a million of them
 * are indexed in the time that the disk takes. A line in any other order, or with an escape in a key, is decoded instead.
 */
import { Category, Source } from "../Reflection.ts"
import * as KeyHash from "./keyHash.ts"
import type { Row } from "./reflectionRows.ts"

const encoder = new TextEncoder()

const bytesOf = (text: string): Uint8Array => encoder.encode(text)

const opening = bytesOf('{"id":"')
const session = bytesOf('","sessionId":"')
const task = bytesOf('","taskId":"')
const subtask = bytesOf('","subtaskId":"')
const attempt = bytesOf('","attemptNumber":')
const category = bytesOf(',"category":"')
const created = bytesOf('"createdAt":"')
const source = bytesOf('","source":')

const [quote, backslash, closing, zero, comma] = [34, 92, 125, 48, 44]

const isAt = (chunk: Uint8Array, at: number, expected: Uint8Array): boolean => {
  for (let index = 0; index < expected.length; index += 1) if (chunk[at + index] !== expected[index]) return false
  return true
}

/** The bytes at which a text ends, or is not as it stands: one load instead of three comparisons. */
const stops = Uint8Array.from({ length: 256 }, (_, byte) => (byte === quote || byte === backslash || byte < 32 ? 1 : 0))

/** Without a default for what lies behind the end: this runs a hundred times a line, and no byte is no stop either. */
const byteAt = (chunk: Uint8Array, at: number): number => chunk[at] as number

/** Where a text stops that began at `from`: at its quote, unless it has an escape or no end. */
const stopOf = (chunk: Uint8Array, from: number): number => {
  let at = from
  while (stops[byteAt(chunk, at)] === 0) at += 1
  return at
}

/** The hash of the text that `hashTo` read last: two results without an object for each. */
let hashed = 0

const hashTo = (chunk: Uint8Array, from: number): number => {
  let hash = KeyHash.seed
  let at = from
  for (let byte = byteAt(chunk, at); stops[byte] === 0; byte = byteAt(chunk, at)) {
    hash = KeyHash.step(hash, byte)
    at += 1
  }
  hashed = KeyHash.mixed(hash)
  return at
}

const categories = new Map(Category.literals.map((name, index) => [name as string, index + 1]))
const sources = new Map<string, number>(Source.literals.map((name, index) => [name, index + 1]))

/** Category and source in a byte. */
export const markOf = (category: string, source: string | null): number =>
  (categories.get(category) ?? 0) * 8 + (source === null ? 0 : (sources.get(source) ?? 0))

/** What a mark stands for. */
export const categoryOf = (mark: number): Category | null => Category.literals[(mark >> 3) - 1] ?? null
export const sourceOf = (mark: number): Source | null => Source.literals[(mark & 7) - 1] ?? null

const decoder = new TextDecoder()

const textOf = (chunk: Uint8Array, from: number, to: number): string => decoder.decode(chunk.subarray(from, to))

interface Named {
  readonly bytes: Uint8Array
  readonly number: number
}

/** The categories with a name of so many bytes. */
const byLength: ReadonlyArray<ReadonlyArray<Named>> = Array.from(
  { length: Math.max(...Category.literals.map(({ length }) => length)) + 1 },
  (_, length) =>
    Category.literals.flatMap((name, index) =>
      name.length === length ? [{ bytes: bytesOf(`${name}"`), number: index + 1 }] : []
    )
)

const categoryAt = (chunk: Uint8Array, from: number, to: number): number => {
  for (const { bytes, number } of byLength[to - from] ?? []) if (isAt(chunk, from, bytes)) return number
  return 0
}

const digits = (chunk: Uint8Array, from: number, count: number): number => {
  let value = 0
  for (let at = from; at < from + count; at += 1) {
    const digit = byteAt(chunk, at) - zero
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

const [colon, dot, capitalZ] = [58, 46, 90]

/** Two digits; a number beyond all hours and minutes where they are none. */
const pair = (chunk: Uint8Array, at: number): number => {
  const [tens, ones] = [byteAt(chunk, at) - zero, byteAt(chunk, at + 1) - zero]
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100
}

/** The last line's day, as in `2026-01-02T`, and when it began. */
const lastDay = new Uint8Array(11)
let lastDayAt = Number.NaN

/** `2026-01-02T03:04:05.678Z` in ms since the epoch; any other form is left to `Date`. */
const timeAt = (chunk: Uint8Array, from: number, to: number): number => {
  const isPlain =
    to - from === 24 &&
    chunk[from + 13] === colon &&
    chunk[from + 16] === colon &&
    chunk[from + 19] === dot &&
    chunk[from + 23] === capitalZ
  const hours = pair(chunk, from + 11)
  const minutes = pair(chunk, from + 14)
  const seconds = pair(chunk, from + 17)
  const hundredths = pair(chunk, from + 20)
  const last = byteAt(chunk, from + 22) - zero
  const isTime = hours < 24 && minutes < 60 && seconds < 60 && hundredths < 100 && last >= 0 && last <= 9
  if (!isPlain || !isTime) return Date.parse(textOf(chunk, from, to))
  if (!isAt(chunk, from, lastDay)) {
    lastDay.set(chunk.subarray(from, from + lastDay.length))
    lastDayAt = Date.parse(`${decoder.decode(lastDay)}00:00:00.000Z`)
  }
  return lastDayAt + (hours * 3600 + minutes * 60 + seconds) * 1000 + hundredths * 10 + last
}

/** How far before the end of a line the time of its making can begin, with source, model and tags behind it. */
const furthest = 600

/** How far before the end it began in the last line where it was looked for: mostly it does again. */
let lastDistance = 0

/** No text can have these bytes, for its quotes are escaped; something of another system's behind it might. */
const createdIn = (chunk: Uint8Array, from: number, to: number): number => {
  const guess = to - lastDistance
  if (guess >= from && isAt(chunk, guess, created)) return guess
  for (let at = to - created.length; at >= from; at -= 1)
    if (chunk[at] === quote && isAt(chunk, at, created)) {
      lastDistance = to - at
      return at
    }
  return -1
}

const sourceAt = (chunk: Uint8Array, at: number): number => {
  if (!isAt(chunk, at, source)) return 0
  switch (chunk[at + source.length + 1]) {
    case 109: // model
      return 1
    case 104: // heuristic, human
      return chunk[at + source.length + 2] === 101 ? 2 : 3
    default:
      return 0
  }
}

/** Fills `row` from a line in the usual order; false where the line has to be decoded to be known. */
export const read = (chunk: Uint8Array, from: number, to: number, row: Row): boolean => {
  if (chunk[to - 1] !== closing || !isAt(chunk, from, opening)) return false
  const id = from + opening.length
  let end = hashTo(chunk, id)
  if (end === id || !isAt(chunk, end, session)) return false
  row.id = hashed
  end = stopOf(chunk, end + session.length)
  if (!isAt(chunk, end, task)) return false
  end = hashTo(chunk, end + task.length)
  if (!isAt(chunk, end, subtask)) return false
  row.task = hashed
  end = hashTo(chunk, end + subtask.length)
  if (!isAt(chunk, end, attempt)) return false
  row.subtask = hashed
  const numberAt = end + attempt.length
  end = numberAt
  while (end < to && chunk[end] !== comma) end += 1
  const number = digits(chunk, numberAt, end - numberAt)
  if (!(number >= 1 && number <= 0xffff_ffff) || !isAt(chunk, end, category)) return false
  const categoryFrom = end + category.length
  end = stopOf(chunk, categoryFrom)
  const kind = categoryAt(chunk, categoryFrom, end)
  const createdAt = createdIn(chunk, Math.max(end, to - furthest), to)
  if (kind === 0 || createdAt < 0) return false
  const createdFrom = createdAt + created.length
  end = stopOf(chunk, createdFrom)
  if (chunk[end] !== quote) return false
  row.length = to - from
  row.attempt = number
  row.createdAt = timeAt(chunk, createdFrom, end)
  row.mark = kind * 8 + sourceAt(chunk, end)
  return true
}
