import { assert, describe, it } from "@effect/vitest"
import type { LogFile } from "../../src/learn/log/LogDisk.ts"
import * as MemoryLine from "../../src/learn/memory/line.ts"
import * as MemoryRows from "../../src/learn/memory/rows.ts"
import type { Reflection } from "../../src/learn/lessons/Reflection.ts"

const reflection = (id: string): Reflection => ({
  id,
  sessionId: "s",
  taskId: "t",
  subtaskId: "u",
  attemptNumber: 1,
  category: "root_cause",
  analysis: "",
  suggestion: "",
  actionItems: [],
  confidence: 0.5,
  createdAt: "2026-01-02T03:04:05.678Z",
  source: null,
  model: null,
  tags: []
})

const unused = (): never => {
  throw new Error("it is only read")
}

/** The rows of a log of so many lines, and how often it was asked for one of them again. */
const rowsOf = (count: number, idOf: (index: number) => string) => {
  const ids = Array.from({ length: count }, (_, index) => idOf(index))
  const bytes = new TextEncoder().encode(ids.map((id) => MemoryLine.print(reflection(id))).join(""))
  const asked = { reads: 0 }
  const file: LogFile = {
    id: "1",
    lasting: "1",
    isThere: unused,
    size: () => bytes.length,
    endsAt: unused,
    isUnchanged: unused,
    read: unused,
    readInto: (target, at) => {
      asked.reads += 1
      target.set(bytes.subarray(at, at + target.length))
      return target.length
    },
    readAhead: unused,
    append: unused,
    sync: unused,
    truncate: unused,
    close: unused
  }
  const rows = MemoryRows.make()
  rows.reset(file)
  for (let from = 0; from < bytes.length;) {
    const to = bytes.indexOf(10, from)
    rows.line(bytes, from, to, from)
    from = to + 1
  }
  return { rows, asked }
}

describe("the rows of a memory, when many lines were read at once", () => {
  it("are linked fewer at a time, where each has to be compared with another", () => {
    const { asked, rows } = rowsOf(4000, () => "again")
    let most = 0
    for (let isDone = false; !isDone;) {
      const before = asked.reads
      isDone = rows.settle()
      most = Math.max(most, asked.reads - before)
    }
    // Two lines for each that is compared.
    assert.isAbove(most, 100)
    assert.isBelow(most, 600)
    const { view } = rows
    assert.deepStrictEqual(
      [0, 3998, 3999].map((row) => view.isAlive(row)),
      [false, false, true]
    )
  })
})
