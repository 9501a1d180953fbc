import { assert, describe, it } from "@effect/vitest"
import { FastCheck as FC } from "effect"
import * as Words from "../../src/ground/system/ByteWords.ts"
import * as RowHash from "../../src/ground/system/RowHash.ts"
import * as MemoryLine from "../../src/learn/memory/line.ts"
import * as Line from "../../src/learn/memory/reflectionLine.ts"
import type { Row } from "../../src/learn/memory/reflectionRows.ts"
import { Category, type Reflection, Source } from "../../src/learn/lessons/Reflection.ts"

const text = FC.oneof(
  FC.string(),
  FC.string({ unit: "binary" }),
  FC.constantFrom(
    '"createdAt":"',
    '","createdAt":"2026-01-01T00:00:00.000Z","source":"human',
    '\\"',
    "}",
    "é",
    "\u0000"
  )
)

const time = FC.oneof(
  FC.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  FC.constantFrom(
    "2026-01-02T24:00:00.000Z",
    "2026-01-02T25:00:00.000Z",
    "2026-13-02T00:00:00.000Z",
    "2026-02-30T01:02:03.004Z",
    "2026-01-02T01:60:00.000Z",
    "2026-01-02 01:00:00.000Z",
    "2026-01-02T0a:00:00.000Z",
    "2026-01-02T01:02:03Z",
    // As long as the usual form, and read by Date's other parser, if at all.
    "\ufeff1/24/26 03:04:05.678Z",
    "2020-08(26T20:47:27.947Z",
    "(é)1/1/26  03:04:05.678Z",
    "yesterday"
  )
)

const reflection: FC.Arbitrary<Reflection> = FC.record({
  id: FC.oneof(
    FC.uuid(),
    text.filter((id) => id !== "")
  ),
  sessionId: text,
  taskId: text,
  subtaskId: text,
  attemptNumber: FC.oneof(
    FC.integer({ min: 1, max: 9 }),
    FC.maxSafeInteger().filter((number) => number > 0)
  ),
  category: FC.constantFrom(...Category.literals),
  analysis: text,
  suggestion: text,
  actionItems: FC.array(text, { maxLength: 3 }),
  confidence: FC.double({ min: 0, max: 1, noNaN: true }),
  createdAt: time,
  source: FC.constantFrom(null, ...Source.literals),
  model: FC.option(text),
  tags: FC.array(text, { maxLength: 3 })
})

const rowOf = (
  { attemptNumber, category, createdAt, id, source, subtaskId, taskId }: Reflection,
  length: number
): Row => ({
  offset: 0,
  length,
  attempt: attemptNumber,
  createdAt: Date.parse(createdAt),
  mark: Line.markOf(category, source),
  id: RowHash.ofText(id),
  task: RowHash.ofText(taskId),
  subtask: RowHash.ofText(subtaskId)
})

const emptyRow = (): Row => ({ offset: 0, length: 0, attempt: 0, createdAt: 0, mark: 0, id: 0, task: 0, subtask: 0 })

/** The rows of some lines that stand one behind the other, null for one that has to be decoded; so many bytes are behind. */
const read = (lines: ReadonlyArray<string>, behind = Words.slack): ReadonlyArray<Row | null> => {
  const bytes = new TextEncoder().encode(lines.join(""))
  // Not from where the buffer begins, and what is behind them is of no text's end.
  const view = new DataView(new Uint8Array(bytes.length + behind + 3).fill(97).buffer, 3)
  new Uint8Array(view.buffer, 3).set(bytes)
  const rows: Array<Row | null> = []
  for (let from = 0; from < bytes.length;) {
    const to = bytes.indexOf(10, from)
    const row = emptyRow()
    rows.push(Line.read(view, from, to, row) ? row : null)
    from = to + 1
  }
  return rows
}

const plain = (one: Reflection): boolean =>
  [one.id, one.sessionId, one.taskId, one.subtaskId, one.createdAt].every(
    (value) => JSON.stringify(value) === `"${value}"`
  ) && one.attemptNumber <= 0xffff_ffff

const bytesIn = (line: string): number => new TextEncoder().encode(line).length - 1

const decoded = (line: string): Row | null => {
  const found = MemoryLine.parse(line)
  return found._tag === "reflection" ? rowOf(found.reflection, bytesIn(line)) : null
}

/** Each character a byte. */
const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0))
const elevenMadeAt = (createdAt: string): string =>
  `{"id":"a","sessionId":"s","taskId":"t","subtaskId":"u","attemptNumber":1,"category":"root_cause","analysis":"","suggestion":"","actionItems":[],"confidence":0.5,"createdAt":"${createdAt}"}\n`

describe("a line of the memory's log, read from its bytes", () => {
  it.prop(
    "says what it says decoded, whatever stood before it",
    [FC.array(reflection, { minLength: 1, maxLength: 5 })],
    ([all]) => {
      const lines = all.map(MemoryLine.print)
      const expected = all.map((one, index) => rowOf(one, bytesIn(lines[index] ?? "")))
      const rows = read(lines)
      assert.deepStrictEqual(
        rows,
        expected.map((row, index) => (rows[index] === null ? null : row))
      )
    },
    { fastCheck: { numRuns: 60 } }
  )

  it.prop(
    "needs no decoding where its keys have no escape and the time of its making is near its end",
    [reflection],
    ([one]) => {
      const near = { ...one, model: null, tags: [] }
      const [row] = read([MemoryLine.print(near)])
      assert.strictEqual(row !== null, plain(near))
    },
    { fastCheck: { numRuns: 60 } }
  )

  it.prop(
    "is left to the decoder where too little can be seen behind it, and never looked at any further",
    [reflection, FC.nat(Words.slack + 2)],
    ([one, behind]) => {
      const line = MemoryLine.print(one)
      assert.deepStrictEqual(read([line], behind), behind + 1 < Words.slack ? [null] : read([line]))
    },
    { fastCheck: { numRuns: 30 } }
  )

  it("is none where it is empty or has a byte, whatever stands before it", () => {
    const line = MemoryLine.print(FC.sample(reflection, { numRuns: 1, seed: 1 })[0] as Reflection)
    assert.deepStrictEqual(
      read(["\n", "}\n", line, "\n", "{\n", "{}\n"]).map((row) => row === null),
      [true, true, read([line])[0] === null, true, true, true]
    )
  })

  it("says nothing of the times behind it, whatever its own is", () => {
    // A byte that is no UTF-8 becomes three when it is decoded.
    const odd = bytes(elevenMadeAt("(\u00ff)1/1/26  03:04:05.678Z"))
    const after = bytes(elevenMadeAt("2026-01-02T03:04:05.678Z"))
    const view = new DataView(new ArrayBuffer(odd.length + after.length + Words.slack))
    new Uint8Array(view.buffer).set(odd)
    new Uint8Array(view.buffer).set(after, odd.length)
    const row = emptyRow()
    Line.read(view, 0, odd.length - 1, row)
    assert.isTrue(Line.read(view, odd.length, odd.length + after.length - 1, row))
    assert.strictEqual(row.createdAt, Date.UTC(2026, 0, 2, 3, 4, 5, 678))
  })

  it.prop("is left to the decoder where it was cut", [reflection, FC.nat()], ([one, where]) => {
    const line = MemoryLine.print(one).slice(0, -1)
    const cut = line.slice(0, 1 + (where % (line.length - 1)))
    assert.deepStrictEqual(read([`${cut.replace(/\}$/, "")}\n`]), [null])
  })

  const made = "2020-01-01T00:00:00.000Z"

  /** What another system may have put behind the fields, and what else JSON allows there. */
  const behind = FC.constantFrom(
    "}",
    ' "x":1}',
    ',"x":1}',
    `,"x":{"createdAt":"${made}"}}`,
    `,"x":{"a":1,"createdAt":"${made}"}}`,
    `,"x":{"createdAt":"${made}","source":"model"}}`,
    `,"x":{"a":1,"createdAt":"${made}","source":"model","model":null,"tags":[]}}`,
    `,"x":[{"a":1,"createdAt":"${made}","source":null,"model":"m","tags":["t"]}]}`,
    `,"x":1,"createdAt":"${made}"}`,
    `,"x":1,"createdAt":"${made}","source":"human","model":"m","tags":["a","b\\"]}`,
    `,"x":1,"createdAt":"${made}","source":"human","model":"m","tags":["a",7]}`,
    `,"x":1,"createdAt":"${made}","source":"human","model":"m","tags":["a""b"]}`,
    `,"x":1,"createdAt":"${made}","source":"human","model":"m","tags":["a",]}`,
    `,"x":1,"createdAt":"${made}","source":"humane","model":"m","tags":[]}`,
    `,"source":"human"}`,
    `,"x\\",\\"createdAt":"${made}"}`,
    `,"x":{"y\\"createdAt":"${made}"}}`
  )

  const upToConfidence = 10

  const foreign = FC.tuple(reflection, FC.constantFrom(11, 12, 13, 14), FC.boolean(), behind).map(
    ([one, count, isMixed, end]) => {
      const entries: ReadonlyArray<readonly [string, unknown]> = Object.entries(one)
      // Some have the source before the time, which the usual order has not.
      const kept = isMixed
        ? [...entries.slice(0, upToConfidence), ["source", one.source] as const, ["createdAt", one.createdAt] as const]
        : entries.slice(0, count)
      return `${JSON.stringify(Object.fromEntries(kept)).slice(0, -1)}${end}\n`
    }
  )

  it.prop(
    "says what it says decoded, whatever another system put at its end and at that of the line before",
    [FC.array(foreign, { minLength: 2, maxLength: 6 })],
    ([lines]) => {
      const rows = read(lines)
      for (const [index, line] of lines.entries()) {
        const [row, expected] = [rows[index] ?? null, decoded(line)]
        // One that does not decode has no row that anybody would be given.
        if (row !== null && expected !== null) assert.deepStrictEqual(row, expected, line)
        assert.deepStrictEqual(read([line]), [row], `alone: ${line}`)
      }
    },
    { fastCheck: { numRuns: 200 } }
  )

  it.prop(
    "needs no decoding with its first eleven fields alone, nor with a model and tags that have escapes",
    [reflection],
    ([one]) => {
      const { model: _m, source: _s, tags: _t, ...eleven } = one
      const short = { ...one, model: 'a "m\\', tags: ["\n", '"]}'] }
      const rows = read([`${JSON.stringify(eleven)}\n`, MemoryLine.print(short)])
      assert.deepStrictEqual(
        rows.map((row) => row !== null),
        [plain(one), plain(one)]
      )
    },
    { fastCheck: { numRuns: 30 } }
  )
})
