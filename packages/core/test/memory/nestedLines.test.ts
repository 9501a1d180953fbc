import { assert, describe, it } from "@effect/vitest"
import * as MemoryLine from "../../src/memory/store/MemoryLine.ts"
import * as AttemptOutcome from "../../src/memory/outcomes/AttemptOutcome.ts"

const nested = "[".repeat(2_000_000)

describe("a line of megabytes of brackets, of which V8 makes 60 times as much", () => {
  it.each([
    ["the memory", MemoryLine.decode],
    ["the outcomes", AttemptOutcome.decode]
  ])("is not parsed in %s", (_, read) => {
    assert.isNull(read(nested))
    assert.isNull(read(`{"id":"x","tags":${nested}`))
  })
})
