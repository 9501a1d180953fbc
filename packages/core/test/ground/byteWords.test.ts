import { assert, describe, it } from "@effect/vitest"
import { FastCheck as FC } from "effect"
import * as Words from "../../src/ground/system/ByteWords.ts"
import * as RowHash from "../../src/ground/system/RowHash.ts"

const encoder = new TextEncoder()

/** With whatever is behind them. */
const viewOf = (bytes: Uint8Array): DataView => {
  const room = new Uint8Array(bytes.length + Words.slack)
  room.set(bytes)
  return new DataView(room.buffer)
}

const byte = FC.oneof(FC.nat(255), FC.constantFrom(0, 1, 31, 32, 33, 34, 35, 91, 92, 93, 127, 128, 160, 162, 220, 255))

describe("bytes by words", () => {
  it.prop(
    "stop at the first quote, backslash or control, and are hashed up to there",
    [FC.uint8Array({ maxLength: 40 }), FC.array(byte, { maxLength: 6 }), FC.nat(5)],
    ([before, around, from]) => {
      const bytes = Uint8Array.from([...before, ...around, 34])
      const start = Math.min(from, bytes.length - 1)
      const expected = bytes.findIndex((one, at) => at >= start && (one === 34 || one === 92 || one < 32))
      const view = viewOf(bytes)
      assert.strictEqual(Words.stopOf(view, start), expected)
      assert.strictEqual(Words.hashTo(view, start), expected)
      assert.strictEqual(Words.hashed, RowHash.ofBytes(bytes, start, expected))
    },
    { fastCheck: { numRuns: 200 } }
  )

  it.prop(
    "are a literal's where all of them are, wherever they stand",
    [FC.string({ minLength: 4, maxLength: 20 }), FC.nat(5), FC.nat(80), FC.nat(255)],
    ([text, before, where, other]) => {
      const literal = Words.literal(text)
      const bytes = encoder.encode(`${"x".repeat(before)}${text}`)
      assert.strictEqual(literal.length, bytes.length - before)
      assert.isTrue(Words.isAt(viewOf(bytes), before, literal))
      const at = before + (where % literal.length)
      const isSame = bytes[at] === other
      bytes[at] = other
      assert.strictEqual(Words.isAt(viewOf(bytes), before, literal), isSame)
    },
    { fastCheck: { numRuns: 200 } }
  )
})
