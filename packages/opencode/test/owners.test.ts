import { assert, describe, it } from "@effect/vitest"
import { own } from "../src/plugin/Plugin.ts"

describe("a directory", () => {
  it("has one owner, and the next one only when that is gone", async () => {
    const first = await own("/a")
    assert.isNotNull(first)
    assert.isNull(await own("/a"))
    const other = await own("/b")
    assert.isNotNull(other)
    if (first === null || other === null) return
    const order: Array<string> = []
    const left = first(async () => {
      order.push("work")
    })
    const next = own("/a")
    await left
    order.push("gone")
    const second = await next
    assert.deepStrictEqual(order, ["work", "gone"])
    assert.isNotNull(second)
    if (second === null) return
    // One that has left gives back nothing of another's.
    await first(() => Promise.reject(new Error("late")))
    assert.isNull(await own("/a"))
    await second(() => Promise.resolve())
    await other(() => Promise.resolve())
  })
})
