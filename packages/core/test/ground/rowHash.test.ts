import { assert, describe, it } from "@effect/vitest"
import { FastCheck as FC } from "effect"
import * as RowHash from "../../src/ground/system/RowHash.ts"

const encoder = new TextEncoder()

describe("rowHash", () => {
  it("is MurmurHash3, by the values that are known of it", () => {
    assert.strictEqual(RowHash.ofText(""), 0)
    assert.strictEqual(RowHash.ofText("hello"), 0x248bfa47)
    assert.strictEqual(RowHash.ofText("hello, world"), 0x149bbb7f)
    assert.strictEqual(RowHash.ofText("The quick brown fox jumps over the lazy dog."), 0xd5c48bfc)
  })

  it("is the same of a text and of its bytes, wherever they stand", () => {
    FC.assert(
      FC.property(FC.string({ unit: "grapheme" }), FC.nat(7), (text, before) => {
        const bytes = encoder.encode(text)
        const among = new Uint8Array(before + bytes.length + 5).fill(255)
        among.set(bytes, before)
        assert.strictEqual(RowHash.ofBytes(among, before, before + bytes.length), RowHash.ofText(text))
      })
    )
  })
})
