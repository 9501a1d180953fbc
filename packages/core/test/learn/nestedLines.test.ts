import { assert, describe, it } from "@effect/vitest"
import * as MemoryLine from "../../src/learn/memory/line.ts"
import * as OutcomeLine from "../../src/learn/outcomes/line.ts"

const nested = "[".repeat(2_000_000)

describe("a line of megabytes of brackets, of which V8 makes 60 times as much", () => {
  it.each([
    ["the memory", MemoryLine.parse],
    ["the outcomes", OutcomeLine.parse]
  ])("is not parsed in %s", (_, parse) => {
    const problem = "it is no JSON: it is nested more than 500 deep"
    assert.deepStrictEqual<unknown>(parse(nested), { _tag: "invalid", problem })
    assert.deepStrictEqual<unknown>(parse(`{"id":"x","tags":${nested}`), { _tag: "invalid", problem })
  })

  it("makes no list of reflections", () => assert.isNull(MemoryLine.parseList(nested, 1)))
})
