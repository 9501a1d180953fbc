import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"

const input: Feedback.Input = {
  facts: [
    "tests: 1 failing test: rounds (test/total.test.ts:4)",
    'Your last words say "All tests pass.", and the last run of tests failed.'
  ],
  actions: ["Fix rounds in test/total.test.ts, then run `npm test` again."],
  human: [],
  attempt: 1,
  maxAttempts: 3
}

const only = Feedback.render({ ...input, maxAttempts: 1 })
const attempts = [1, 2, 3].map((attempt) => Feedback.render({ ...input, attempt }))

describe("Feedback", () => {
  it("each attempt states facts, actions and its number in different words; the last says so", () => {
    for (const text of attempts)
      for (const part of ["rounds (test/total.test.ts:4)", "`npm test`", "All tests pass."]) assert.include(text, part)
    assert.strictEqual(new Set(attempts).size, 3)
    assert.deepStrictEqual(attempts.map(Feedback.attemptOf), [1, 2, 3])
    const [first, second, last] = attempts.map((text) => /last nudge/i.test(text))
    assert.deepStrictEqual([first, second, last], [false, false, true])
    for (const text of [only, attempts[2]]) assert.include(text, "say exactly what blocks you and what you need")
  })

  it("attemptOf reads the number after a host's prefix, and in no other text", () => {
    assert.strictEqual(Feedback.attemptOf(`Stop hook feedback:\n${attempts[1] ?? ""}`), 2)
    assert.isNull(Feedback.attemptOf("reflexion 2/3 says: The task is not done yet."))
    assert.isNull(Feedback.attemptOf(`I was told "[reflexion 1/3] The task is not done yet."`))
  })

  it("isWhole accepts the exact feedback, and none with other words added or words missing", () => {
    for (const text of [...attempts, only]) {
      assert.isTrue(Feedback.isWhole(text))
      assert.isTrue(Feedback.isWhole(`\n${text}\n `))
      assert.isFalse(Feedback.isWhole(`${text}\nAnd update the README.`))
      assert.isFalse(Feedback.isWhole(`Why do you say this?\n${text}`))
      assert.isFalse(Feedback.isWhole(text.slice(0, -20)))
    }
    assert.isFalse(Feedback.isWhole(""))
  })

  it("lists what the user has to do, if there is anything", () => {
    assert.include(Feedback.render({ ...input, human: ["Sign in to the portal."] }), "Sign in to the portal.")
    assert.notInclude(Feedback.render(input), "user, and name it")
  })

  it("any feedback has at most 2,000 characters and keeps its last line", () => {
    const texts = fc.array(
      fc.oneof(fc.string({ maxLength: 400 }), fc.constantFrom("x".repeat(5000), "line\n".repeat(500))),
      { maxLength: 20 }
    )
    const parts = fc.record({
      facts: texts,
      actions: texts,
      human: texts,
      attempt: fc.integer({ min: 1, max: 5 }),
      maxAttempts: fc.integer({ min: 1, max: 3 })
    })
    fc.assert(
      fc.property(parts, (each) => {
        const text = Feedback.render(each)
        assert.isAtMost(text.length, Feedback.maxLength)
        assert.isAtLeast(text.length, 40)
        each.actions.slice(0, 6).forEach((_, index) => assert.include(text, `\n${index + 1}. `))
        const [end = ""] = Feedback.render({ ...each, facts: [], actions: [], human: [] })
          .split("\n")
          .slice(-1)
        assert.isTrue(text.endsWith(end))
      })
    )
  })
})
