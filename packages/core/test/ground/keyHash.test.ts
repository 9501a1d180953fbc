import { assert, describe, it } from "@effect/vitest"
import * as KeyHash from "../../src/ground/system/KeyHash.ts"

describe("the hash that names and files are made of", () => {
  it("stays what it is", () => {
    const texts = ["", "shop/cart", "naïve ✓"]
    assert.deepStrictEqual(
      texts.map((text) => KeyHash.ofText(text)),
      texts.map((text) => {
        const bytes = new TextEncoder().encode(text)
        return KeyHash.ofBytes(bytes, 0, bytes.length)
      })
    )
    assert.deepStrictEqual(
      texts.map((text) => KeyHash.ofText(text)),
      [2872998923, 1652336425, 2989293021]
    )
  })
})
