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
const session = bytesOf(',"sessionId":"')
const task = bytesOf(',"taskId":"')
const subtask = bytesOf(',"subtaskId":"')
const attempt = bytesOf(',"attemptNumber":')
const category = bytesOf(',"category":"')
const created = bytesOf('"createdAt":"')
const source = bytesOf(',"source":')

const [quote, backslash, closing, zero, comma] = [34, 92, 125, 48, 44]

const isAt = (chunk: Uint8Array, at: number, expected: Uint8Array): boolean => {
  for (let index = 0; index < expected.length; index += 1) if (chunk[at + index] !== expected[index]) return false
  return true
}

/** Where a text that began at `from` ends, -1 where it has an escape or no end. */
const endOfText = (chunk: Uint8Array, from: number, to: number): number => {
  for (let at = from; at < to; at += 1) {
    const byte = chunk[at] ?? 0
    if (byte === quote) return at
    if (byte === backslash || byte < 32) return -1
  }
  return -1
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

const known = new Map<number, number>()

/** The category's number by its bytes, which are decoded once for all lines. */
const categoryAt = (chunk: Uint8Array, from: number, to: number): number => {
  const hash = KeyHash.ofBytes(chunk, from, to)
  const found = known.get(hash)
  if (found !== undefined) return found
  const number = categories.get(textOf(chunk, from, to)) ?? 0
  if (number > 0) known.set(hash, number)
  return number
}

const digits = (chunk: Uint8Array, from: number, count: number): number => {
  let value = 0
  for (let at = from; at < from + count; at += 1) {
    const digit = (chunk[at] ?? 0) - zero
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

const [dash, colon, dot, capitalT, capitalZ] = [45, 58, 46, 84, 90]

let lastDay = Number.NaN
let lastDayAt = Number.NaN

/** `2026-01-02T03:04:05.678Z` in ms since the epoch; any other form is left to `Date`. */
const timeAt = (chunk: Uint8Array, from: number, to: number): number => {
  const isPlain =
    to - from === 24 &&
    chunk[from + 4] === dash &&
    chunk[from + 10] === capitalT &&
    chunk[from + 13] === colon &&
    chunk[from + 19] === dot &&
    chunk[from + 23] === capitalZ
  if (!isPlain) return Date.parse(textOf(chunk, from, to))
  const day = digits(chunk, from, 4) * 10_000 + digits(chunk, from + 5, 2) * 100 + digits(chunk, from + 8, 2)
  if (day !== lastDay) {
    lastDay = day
    lastDayAt = Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100)
  }
  const minutes = digits(chunk, from + 11, 2) * 60 + digits(chunk, from + 14, 2)
  return lastDayAt + (minutes * 60 + digits(chunk, from + 17, 2)) * 1000 + digits(chunk, from + 20, 3)
}

/** How far before the end of a line the time of its making can begin, with source, model and tags behind it. */
const furthest = 600

const lastAt = (chunk: Uint8Array, from: number, to: number, wanted: Uint8Array): number => {
  const first = wanted[0] ?? 0
  for (let at = to - wanted.length; at >= from; at -= 1) if (chunk[at] === first && isAt(chunk, at, wanted)) return at
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
  const idEnd = endOfText(chunk, id, to)
  if (idEnd <= id || !isAt(chunk, idEnd + 1, session)) return false
  const sessionEnd = endOfText(chunk, idEnd + 1 + session.length, to)
  if (sessionEnd < 0 || !isAt(chunk, sessionEnd + 1, task)) return false
  const taskAt = sessionEnd + 1 + task.length
  const taskEnd = endOfText(chunk, taskAt, to)
  if (taskEnd < 0 || !isAt(chunk, taskEnd + 1, subtask)) return false
  const subtaskAt = taskEnd + 1 + subtask.length
  const subtaskEnd = endOfText(chunk, subtaskAt, to)
  if (subtaskEnd < 0 || !isAt(chunk, subtaskEnd + 1, attempt)) return false
  const numberAt = subtaskEnd + 1 + attempt.length
  let numberEnd = numberAt
  while (numberEnd < to && chunk[numberEnd] !== comma) numberEnd += 1
  const number = digits(chunk, numberAt, numberEnd - numberAt)
  if (!(number >= 1 && number <= 0xffff_ffff) || !isAt(chunk, numberEnd, category)) return false
  const categoryFrom = numberEnd + category.length
  const categoryEnd = endOfText(chunk, categoryFrom, to)
  const kind = categoryEnd < 0 ? 0 : categoryAt(chunk, categoryFrom, categoryEnd)
  const createdAt = lastAt(chunk, Math.max(categoryEnd, to - furthest), to, created)
  if (kind === 0 || createdAt < 0) return false
  const createdFrom = createdAt + created.length
  const createdEnd = endOfText(chunk, createdFrom, to)
  if (createdEnd < 0) return false
  row.length = to - from
  row.attempt = number
  row.createdAt = timeAt(chunk, createdFrom, createdEnd)
  row.mark = kind * 8 + sourceAt(chunk, createdEnd + 1)
  row.id = KeyHash.ofBytes(chunk, id, idEnd)
  row.task = KeyHash.ofBytes(chunk, taskAt, taskEnd)
  row.subtask = KeyHash.ofBytes(chunk, subtaskAt, subtaskEnd)
  return true
}
