import { assert, describe, it } from "@effect/vitest"
import * as Chains from "../../src/learn/log/RowsByKey.ts"
import * as Rows from "../../src/learn/memory/reflectionRows.ts"

const row = (id: number): Rows.Row => ({
  offset: 0,
  length: 1,
  attempt: 1,
  createdAt: 0,
  mark: 0,
  id,
  task: 1,
  subtask: 1
})

const refuses = (): boolean => {
  throw new Error("EIO")
}

describe("the rows of a log", () => {
  it("are linked as soon as the disk says whose id they have", () => {
    const rows = Rows.make()
    const count = 3000
    for (let at = 0; at < count; at += 1) Rows.add(rows, row(at % (count / 2)), () => 0)
    assert.strictEqual(rows.count, count)
    assert.throws(() => Rows.link(rows, refuses), "EIO")
    assert.strictEqual(rows.linked, count / 2)
    let more = 3
    Rows.link(
      rows,
      () => true,
      () => (more -= 1) >= 0
    )
    assert.isAbove(rows.linked, count / 2)
    assert.isBelow(rows.linked, count)
    Rows.link(rows, () => true)
    const alive = Array.from({ length: count }, (_, at) => at).filter((at) => Rows.isAlive(rows, at))
    assert.deepStrictEqual([alive.length, alive[0]], [count / 2, count / 2])
    assert.deepStrictEqual(Chains.rowsOf(rows.ids, 7).length, 2)
  })

  it("compares each with the last of its id alone", () => {
    const rows = Rows.make()
    const count = 5000
    for (let at = 0; at < count; at += 1) Rows.add(rows, row(7), () => 0)
    let asked = 0
    Rows.link(rows, (older, newer) => {
      asked += 1
      return older === newer - 1
    })
    assert.strictEqual(asked, count - 1)
    assert.deepStrictEqual(
      [0, count - 2, count - 1].map((at) => Rows.isAlive(rows, at)),
      [false, false, true]
    )
  })
})
