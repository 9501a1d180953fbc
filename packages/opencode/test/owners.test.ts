import { assert, describe, it } from "@effect/vitest"
import * as Owners from "../src/plugin/owners.ts"

describe("a directory", () => {
  it("has one owner, and the next one only when that is gone", async () => {
    const first = await Owners.take("/a")
    assert.isNotNull(first)
    assert.isNull(await Owners.take("/a"))
    const other = await Owners.take("/b")
    assert.isNotNull(other)
    if (first === null || other === null) return
    const order: Array<string> = []
    const left = Owners.leave("/a", first, async () => {
      order.push("work")
    })
    const next = Owners.take("/a")
    await left
    order.push("gone")
    const second = await next
    assert.deepStrictEqual(order, ["work", "gone"])
    assert.isNotNull(second)
    if (second === null) return
    // Whoever has left gives back nothing of another's.
    await Owners.leave("/a", first, () => Promise.reject(new Error("late")))
    assert.isNull(await Owners.take("/a"))
    await Owners.leave("/a", second, () => Promise.resolve())
    await Owners.leave("/b", other, () => Promise.resolve())
  })
})
