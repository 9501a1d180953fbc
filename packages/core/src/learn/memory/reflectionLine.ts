/**
 * What a line of the memory's log says of its row, read from its bytes without decoding it: this is how a million of them
 * are indexed in the time that the disk takes. A line in any other order, or with an escape in a key, is decoded instead.
 */
import { Category, Source } from "../lessons/Reflection.ts"
import * as Words from "../../ground/system/ByteWords.ts"
import type { Row } from "./reflectionRows.ts"

const opening = Words.literal('{"id":"')
const session = Words.literal('","sessionId":"')
const task = Words.literal('","taskId":"')
const subtask = Words.literal('","subtaskId":"')
const attempt = Words.literal('","attemptNumber":')
const category = Words.literal(',"category":"')
const created = Words.literal(',"createdAt":"')
const source = Words.literal(',"source":')
const sourceKey = Words.literal('"source"')
const model = Words.literal(',"model":')
const nothing = Words.literal("null")
const tags = Words.literal(',"tags":[')

const [lineBreak, quote, backslash, closing, closingList, zero, comma] = [10, 34, 92, 125, 93, 48, 44]

const categories = new Map(Category.literals.map((name, index) => [name as string, index + 1]))
const sources = new Map<string, number>(Source.literals.map((name, index) => [name, index + 1]))

/** Category and source in a byte. */
export const markOf = (category: string, source: string | null): number =>
  (categories.get(category) ?? 0) * 8 + (source === null ? 0 : (sources.get(source) ?? 0))

/** What a mark stands for. */
export const categoryOf = (mark: number): Category | null => Category.literals[(mark >> 3) - 1] ?? null
export const sourceOf = (mark: number): Source | null => Source.literals[(mark & 7) - 1] ?? null

const decoder = new TextDecoder()

const textOf = ({ buffer, byteOffset }: DataView, from: number, to: number): string =>
  decoder.decode(new Uint8Array(buffer, byteOffset + from, to - from))

interface Named {
  readonly name: Words.Literal
  readonly number: number
}

/** The categories with a name of so many bytes. */
const byLength: ReadonlyArray<ReadonlyArray<Named>> = Array.from(
  { length: Math.max(...Category.literals.map(({ length }) => length)) + 1 },
  (_, length) =>
    Category.literals.flatMap((name, index) =>
      name.length === length ? [{ name: Words.literal(`${name}"`), number: index + 1 }] : []
    )
)

const categoryAt = (view: DataView, from: number, to: number): number => {
  for (const { name, number } of byLength[to - from] ?? []) if (Words.isAt(view, from, name)) return number
  return 0
}

const digits = (view: DataView, from: number, to: number): number => {
  let value = 0
  for (let at = from; at < to; at += 1) {
    const digit = view.getUint8(at) - zero
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

const [colon, dash, dot, capitalT, capitalZ] = [58, 45, 46, 84, 90]

/** Two digits; a number beyond all hours and minutes where they are none. */
const pair = (view: DataView, at: number): number => {
  const tens = view.getUint8(at) - zero
  const ones = view.getUint8(at + 1) - zero
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100
}

/** The last line's day, as in `2026-01-02T`, and when it began. */
let lastDay = Words.literal("0000-00-00T")
let lastDayAt = Number.NaN

/** Whether it is a day as that one is. Others are none, or are read by rules that go by what is behind them. */
const isDayAt = (view: DataView, at: number): boolean =>
  pair(view, at) < 100 &&
  pair(view, at + 2) < 100 &&
  view.getUint8(at + 4) === dash &&
  pair(view, at + 5) < 100 &&
  view.getUint8(at + 7) === dash &&
  pair(view, at + 8) < 100 &&
  view.getUint8(at + 10) === capitalT

/** `2026-01-02T03:04:05.678Z` in ms since the epoch; any other form is left to `Date`. */
const timeAt = (view: DataView, from: number, to: number): number => {
  const isPlain =
    to - from === 24 &&
    view.getUint8(from + 13) === colon &&
    view.getUint8(from + 16) === colon &&
    view.getUint8(from + 19) === dot &&
    view.getUint8(from + 23) === capitalZ
  const hours = pair(view, from + 11)
  const minutes = pair(view, from + 14)
  const seconds = pair(view, from + 17)
  const hundredths = pair(view, from + 20)
  const last = view.getUint8(from + 22) - zero
  const isTime = hours < 24 && minutes < 60 && seconds < 60 && hundredths < 100 && last >= 0 && last <= 9
  if (!isPlain || !isTime) return Date.parse(textOf(view, from, to))
  if (!Words.isAt(view, from, lastDay)) {
    if (!isDayAt(view, from)) return Date.parse(textOf(view, from, to))
    const day = textOf(view, from, from + lastDay.length)
    lastDay = Words.literal(day)
    lastDayAt = Date.parse(`${day}00:00:00.000Z`)
  }
  return lastDayAt + (hours * 3600 + minutes * 60 + seconds) * 1000 + hundredths * 10 + last
}

/** How far before the end of a line the time of its making can begin, with source, model and tags behind it. */
const furthest = 600

/** How far before the end it began in the last line where it was looked for: mostly it does again. */
let lastDistance = 0

/** The sources by their marks, as they stand in a line. */
const sourcesAt = [null, ...Source.literals].map((name) => Words.literal(JSON.stringify(name)))

/** Where a text ends that began before `from`, behind its quote, whatever escapes it has; -1 where it has no end. */
const behindText = (view: DataView, from: number): number => {
  let at = Words.stopOf(view, from)
  while (view.getUint8(at) === backslash) at = Words.stopOf(view, at + 2)
  return view.getUint8(at) === quote ? at + 1 : -1
}

/** Whether texts stand there, and then the end of their list and of the line. */
const endsWithTexts = (view: DataView, from: number, to: number): boolean => {
  let at = from
  while (view.getUint8(at) === quote) {
    at = behindText(view, at + 1)
    if (at < 0 || view.getUint8(at) !== comma) break
    at += 1
    if (view.getUint8(at) !== quote) return false
  }
  return at + 2 === to && view.getUint8(at) === closingList
}

const noSource = -1

/** The mark of the source, where from there to its end a line is as the store writes it behind the time. */
const sourceAt = (view: DataView, at: number, to: number): number => {
  if (!Words.isAt(view, at, source)) return noSource
  const from = at + source.length
  for (let mark = 0; mark < sourcesAt.length; mark += 1) {
    const name = sourcesAt[mark] as Words.Literal
    if (!Words.isAt(view, from, name)) continue
    if (!Words.isAt(view, from + name.length, model)) return noSource
    const modelAt = from + name.length + model.length
    let end = -1
    if (view.getUint8(modelAt) === quote) end = behindText(view, modelAt + 1)
    else if (Words.isAt(view, modelAt, nothing)) end = modelAt + nothing.length
    return end > 0 && Words.isAt(view, end, tags) && endsWithTexts(view, end + tags.length, to) ? mark : noSource
  }
  return noSource
}

/** As the first eleven fields are written alone: there may still be a source, elsewhere. */
const isShort = (view: DataView, from: number, createdAt: number): boolean => {
  for (let at = createdAt; at >= from; at -= 1)
    if (view.getUint8(at) === quote && Words.isAt(view, at, sourceKey)) return false
  return true
}

/** Where the time stands that `readEnd` found: two more results without an object for each. */
let timeFrom = 0
let timeTo = 0

/**
 * The mark of the source of a line whose time of making stands at a place. That time is the line's own, and of nothing
 * within it, for one bracket alone is closed behind it.
 */
const endAt = (view: DataView, from: number, at: number, to: number): number => {
  const end = Words.stopOf(view, at + created.length)
  if (view.getUint8(end) !== quote) return noSource
  timeTo = end
  if (end + 2 === to) return isShort(view, from, at) ? 0 : noSource
  return sourceAt(view, end + 1, to)
}

/** Where the last time of making stands that is not in a text, for there its quotes would be escaped. */
const createdIn = (view: DataView, from: number, to: number): number => {
  for (let at = to - created.length; at >= from; at -= 1)
    if (view.getUint8(at) === comma && Words.isAt(view, at, created)) return at
  return -1
}

/** The mark of the source; the line before says only where to look first. */
const readEnd = (view: DataView, from: number, to: number): number => {
  const nearest = Math.max(from, to - furthest)
  let at = to - lastDistance
  let mark = at >= nearest && Words.isAt(view, at, created) ? endAt(view, from, at, to) : noSource
  if (mark === noSource) {
    at = createdIn(view, nearest, to)
    mark = at < 0 ? noSource : endAt(view, from, at, to)
  }
  if (mark === noSource) return mark
  lastDistance = to - at
  timeFrom = at + created.length
  return mark
}

/**
 * Fills `row` from a line in the usual order, a line break behind it; false where the line has to be decoded to be known, as
 * where less than `Words.slack` can be seen behind it.
 */
export const read = (view: DataView, from: number, to: number, row: Row): boolean => {
  if (to - from < opening.length || to + Words.slack > view.byteLength || view.getUint8(to) !== lineBreak) return false
  if (view.getUint8(to - 1) !== closing || !Words.isAt(view, from, opening)) return false
  const id = from + opening.length
  let end = Words.hashTo(view, id)
  if (end === id || !Words.isAt(view, end, session)) return false
  row.id = Words.hashed
  end = Words.stopOf(view, end + session.length)
  if (!Words.isAt(view, end, task)) return false
  end = Words.hashTo(view, end + task.length)
  if (!Words.isAt(view, end, subtask)) return false
  row.task = Words.hashed
  end = Words.hashTo(view, end + subtask.length)
  if (!Words.isAt(view, end, attempt)) return false
  row.subtask = Words.hashed
  const numberAt = end + attempt.length
  end = numberAt
  while (end < to && view.getUint8(end) !== comma) end += 1
  const number = digits(view, numberAt, end)
  if (!(number >= 1 && number <= 0xffff_ffff) || !Words.isAt(view, end, category)) return false
  const categoryFrom = end + category.length
  end = Words.stopOf(view, categoryFrom)
  const kind = categoryAt(view, categoryFrom, end)
  const origin = kind === 0 ? noSource : readEnd(view, end, to)
  if (origin === noSource) return false
  row.length = to - from
  row.attempt = number
  row.createdAt = timeAt(view, timeFrom, timeTo)
  row.mark = kind * 8 + origin
  return true
}
