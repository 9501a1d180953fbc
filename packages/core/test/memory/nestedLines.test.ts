import { assert, describe, it } from "@effect/vitest"
import * as MemoryLine from "../../src/memory/store/MemoryLine.ts"
import * as OutcomeLine from "../../src/memory/outcomes/OutcomeLine.ts"

const nested = "[".repeat(2_000_000)

describe("a line of megabytes of brackets, of which V8 makes 60 times as much", () => {
  it.each([
    ["the memory", MemoryLine.read],
    ["the outcomes", OutcomeLine.read]
  ])("is not parsed in %s", (_, read) => {
    assert.isNull(read(nested))
    assert.isNull(read(`{"id":"x","tags":${nested}`))
  })
})
