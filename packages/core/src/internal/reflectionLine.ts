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
const created = bytesOf(',"createdAt":"')
const source = bytesOf(',"source":')
const sourceKey = bytesOf('"source"')
const model = bytesOf(',"model":')
const nothing = bytesOf("null")
const tags = bytesOf(',"tags":[')

const [quote, backslash, closing, closingList, zero, comma] = [34, 92, 125, 93, 48, 44]

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

/** The sources by their marks, as they stand in a line. */
const sourcesAt = [null, ...Source.literals].map((name) => bytesOf(JSON.stringify(name)))

/** Where a text ends that began before `from`, behind its quote, whatever escapes it has; -1 where it has no end. */
const behindText = (chunk: Uint8Array, from: number): number => {
  let at = stopOf(chunk, from)
  while (chunk[at] === backslash) at = stopOf(chunk, at + 2)
  return chunk[at] === quote ? at + 1 : -1
}

/** Whether texts stand there, and then the end of their list and of the line. */
const endsWithTexts = (chunk: Uint8Array, from: number, to: number): boolean => {
  let at = from
  while (chunk[at] === quote) {
    at = behindText(chunk, at + 1)
    if (at < 0) return false
    if (chunk[at] === comma && chunk[at + 1] === quote) at += 1
  }
  return chunk[at] === closingList && at + 2 === to
}

const noSource = -1

/** The mark of the source, where from there to its end a line is as the store writes it behind the time. */
const sourceAt = (chunk: Uint8Array, at: number, to: number): number => {
  if (!isAt(chunk, at, source)) return noSource
  const from = at + source.length
  for (let mark = 0; mark < sourcesAt.length; mark += 1) {
    const name = sourcesAt[mark] as Uint8Array
    if (!isAt(chunk, from, name)) continue
    if (!isAt(chunk, from + name.length, model)) return noSource
    const modelAt = from + name.length + model.length
    let end = -1
    if (chunk[modelAt] === quote) end = behindText(chunk, modelAt + 1)
    else if (isAt(chunk, modelAt, nothing)) end = modelAt + nothing.length
    return end > 0 && isAt(chunk, end, tags) && endsWithTexts(chunk, end + tags.length, to) ? mark : noSource
  }
  return noSource
}

/** As the first eleven fields are written alone: there may still be a source, elsewhere. */
const isShort = (chunk: Uint8Array, from: number, createdAt: number): boolean => {
  for (let at = createdAt; at >= from; at -= 1) if (chunk[at] === quote && isAt(chunk, at, sourceKey)) return false
  return true
}

/** Where the time stands that `readEnd` found: two more results without an object for each. */
let timeFrom = 0
let timeTo = 0

/**
 * The mark of the source of a line whose time of making stands at a place. That time is the line's own, and of nothing
 * within it, for one bracket alone is closed behind it.
 */
const endAt = (chunk: Uint8Array, from: number, at: number, to: number): number => {
  const end = stopOf(chunk, at + created.length)
  if (chunk[end] !== quote) return noSource
  timeTo = end
  if (end + 2 === to) return isShort(chunk, from, at) ? 0 : noSource
  return sourceAt(chunk, end + 1, to)
}

/** Where the last time of making stands that is not in a text, for there its quotes would be escaped. */
const createdIn = (chunk: Uint8Array, from: number, to: number): number => {
  for (let at = to - created.length; at >= from; at -= 1) if (chunk[at] === comma && isAt(chunk, at, created)) return at
  return -1
}

/** The mark of the source; the line before says only where to look first. */
const readEnd = (chunk: Uint8Array, from: number, to: number): number => {
  const nearest = Math.max(from, to - furthest)
  let at = to - lastDistance
  let mark = at >= nearest && isAt(chunk, at, created) ? endAt(chunk, from, at, to) : noSource
  if (mark === noSource) {
    at = createdIn(chunk, nearest, to)
    mark = at < 0 ? noSource : endAt(chunk, from, at, to)
  }
  if (mark === noSource) return mark
  lastDistance = to - at
  timeFrom = at + created.length
  return mark
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
  const origin = kind === 0 ? noSource : readEnd(chunk, end, to)
  if (origin === noSource) return false
  row.length = to - from
  row.attempt = number
  row.createdAt = timeAt(chunk, timeFrom, timeTo)
  row.mark = kind * 8 + origin
  return true
}
