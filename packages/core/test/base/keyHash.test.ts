import { assert, describe, it } from "@effect/vitest"
import * as KeyHash from "../../src/base/system/KeyHash.ts"

describe("the hash that names and files are made of", () => {
  it("stays what it is", () => {
    assert.deepStrictEqual(["", "shop/cart", "naïve ✓"].map(KeyHash.ofText), [2872998923, 1652336425, 2989293021])
  })
})
