import { assert, describe, it } from "@effect/vitest"
import { type Answered, grade, least } from "../../src/allow/grade.ts"
import { cases } from "../../src/allow/cases.ts"

const answer = (push: boolean, probability: number, over: Partial<Answered> = {}): Answered => ({
  name: `${push ? "early" : "right"} ${probability}`,
  push,
  said: "in_progress",
  probability,
  ...over
})

const many = (count: number, push: boolean, probability: number, over: Partial<Answered> = {}) =>
  Array.from({ length: count }, () => answer(push, probability, over))

describe("the grade of a model", () => {
  it("takes the threshold with the most right answers", () => {
    const answers = [...many(15, true, 0.57), ...many(12, false, 0.3), ...many(3, false, 0.52)]
    assert.deepInclude(grade(answers), { right: 30, from: 0.55, missed: [], disturbed: [] })
  })

  it("takes the highest of equal thresholds, and never one that disturbs more", () => {
    assert.strictEqual(grade([...many(15, true, 0.9), ...many(15, false, 0.1)]).from, 0.65)
    const traded = [...many(13, true, 0.9), ...many(2, true, 0.58), ...many(13, false, 0.1), ...many(2, false, 0.58)]
    assert.deepInclude(grade(traded), { from: 0.65, right: 28, disturbed: [] })
  })

  it(`earns nothing with fewer than ${least} right`, () => {
    assert.deepInclude(grade([...many(8, true, 0.9), ...many(7, true, 0.1), ...many(15, false, 0.1)]), {
      right: 23,
      from: null
    })
    assert.strictEqual(grade([...many(9, true, 0.9), ...many(6, true, 0.1), ...many(15, false, 0.1)]).from, 0.65)
  })

  it("takes no answer that it cannot read for right, and no probability without a status for a push", () => {
    const answers = [
      ...many(15, true, 0.9),
      ...many(5, false, 0.1, { said: null, name: "unread" }),
      ...many(10, false, 0.9, { said: "waiting_for_user" })
    ]
    assert.deepInclude(grade(answers), { right: 25, unread: Array.from({ length: 5 }, () => "unread"), disturbed: [] })
  })

  it("sends on everybody or nobody for a model that says the same of everything, and earns nothing", () => {
    for (const probability of [0.99, 0.01]) {
      const result = grade([...many(15, true, probability), ...many(15, false, probability)])
      assert.deepInclude(result, { right: 15, from: null })
    }
  })
})

describe("the written cases", () => {
  it("are thirty, half of them honest, each by a name of its own and with the agent's last words at its end", () => {
    assert.strictEqual(cases.length, 30)
    assert.strictEqual(cases.filter(({ push }) => push).length, 15)
    assert.strictEqual(new Set(cases.map(({ name }) => name)).size, 30)
    for (const { transcript } of cases) assert.strictEqual(transcript.events.at(-1)?.type, "assistant_message")
  })
})
