import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import { hostile, unseen } from "../support/unseen.ts"

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

const attempts = [1, 2, 3].map((attempt) => Feedback.render({ ...input, attempt }))

describe("Feedback", () => {
  it("says what is missing, what to do and what was contradicted, in every attempt", () => {
    for (const text of attempts) {
      assert.include(text, "rounds (test/total.test.ts:4)")
      assert.include(text, "`npm test`")
      assert.include(text, "All tests pass.")
    }
  })

  it("never says the same twice", () => {
    assert.strictEqual(new Set(attempts).size, 3)
  })

  it("says which attempt it is, and of the last one that it is the last", () => {
    assert.deepStrictEqual(attempts.map(Feedback.attemptOf), [1, 2, 3])
    assert.match(attempts[2] ?? "", /last/i)
    assert.notMatch(attempts[0] ?? "", /last reminder/i)
    assert.notMatch(attempts[1] ?? "", /last reminder/i)
  })

  it("asks of the last one, were it the only one, what blocks the agent", () => {
    for (const attempt of [Feedback.render({ ...input, maxAttempts: 1 }), attempts[2] ?? ""]) {
      assert.include(attempt, "say exactly what it is and what you need")
    }
  })

  it("is known again behind what a host puts before it, and in no other text", () => {
    assert.strictEqual(Feedback.attemptOf(`Stop hook feedback:\n${attempts[1] ?? ""}`), 2)
    assert.isNull(Feedback.attemptOf("reflexion 2/3 says: The task is not done yet."))
    assert.isNull(Feedback.attemptOf(`I was told "[reflexion 1/3] The task is not done yet."`))
  })

  it("is known as a whole, and not where anybody has added a word of their own", () => {
    const only = Feedback.render({ ...input, maxAttempts: 1 })
    for (const text of [...attempts, only]) {
      assert.isTrue(Feedback.isWhole(text))
      assert.isTrue(Feedback.isWhole(`\n${text}\n `))
      assert.isFalse(Feedback.isWhole(`${text}\nAnd update the README.`))
      assert.isFalse(Feedback.isWhole(`Why do you say this?\n${text}`))
      assert.isFalse(Feedback.isWhole(text.slice(0, -20)))
    }
    assert.isFalse(Feedback.isWhole(""))
  })

  it("names what is the user's to do, if anything is", () => {
    assert.include(Feedback.render({ ...input, human: ["Sign in to the portal."] }), "Sign in to the portal.")
    assert.notInclude(Feedback.render(input), "user, and name it")
  })

  it("has at most 2,000 characters and keeps its end, whatever it is made of", () => {
    const texts = fc.array(
      fc.oneof(fc.string({ maxLength: 400 }), fc.constantFrom("x".repeat(5000), "line\n".repeat(500))),
      { maxLength: 20 }
    )
    const parts = fc.record({
      facts: texts,
      actions: texts,
      contradictions: fc.array(
        fc.record({ claim: fc.string({ maxLength: 3000 }), fact: fc.string({ maxLength: 3000 }) }),
        { maxLength: 9 }
      ),
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
        const end =
          Feedback.render({ ...each, facts: [], actions: [], human: [] })
            .split("\n")
            .at(-1) ?? ""
        assert.isTrue(text.endsWith(end))
      })
    )
  })

  it("has no character that a terminal obeys, whatever it is made of", () => {
    const parts = fc.record({
      facts: fc.array(hostile, { maxLength: 4 }),
      actions: fc.array(hostile, { maxLength: 4 }),
      contradictions: fc.array(fc.record({ claim: hostile, fact: hostile }), { maxLength: 3 }),
      human: fc.array(hostile, { maxLength: 3 }),
      attempt: fc.integer({ min: 1, max: 3 }),
      maxAttempts: fc.constant(3)
    })
    fc.assert(
      fc.property(parts, (each) => {
        assert.notMatch(Feedback.render(each).replaceAll("\n", ""), unseen)
      })
    )
  })
})
