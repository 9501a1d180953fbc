import { assert, describe, it } from "@effect/vitest"
import * as Chains from "../src/internal/keyChains.ts"
import * as Rows from "../src/internal/reflectionRows.ts"

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

describe("the rows of a log", () => {
  it("are added where the disk does not say whose id they have, and linked as soon as it does", () => {
    const rows = Rows.make()
    const count = 3000
    let asked = 0
    const refuses = (): boolean => {
      asked += 1
      throw new Error("EIO")
    }
    for (let at = 0; at < count; at += 1) Rows.add(rows, row(at % (count / 2)), { expected: () => 0, isSame: refuses })
    assert.isAbove(asked, 0)
    assert.strictEqual(rows.count, count)
    assert.throws(() => Rows.link(rows, refuses), "EIO")
    Rows.link(rows, () => true)
    const alive = Array.from({ length: count }, (_, at) => at).filter((at) => Rows.isAlive(rows, at))
    assert.deepStrictEqual([alive.length, alive[0]], [count / 2, count / 2])
    assert.deepStrictEqual(Chains.rowsOf(rows.ids, 7).length, 2)
  })
})
