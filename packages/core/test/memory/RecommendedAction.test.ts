import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as RecommendedAction from "../../src/memory/changes/RecommendedAction.ts"

const parse = RecommendedAction.parse

const brief = (text: string) => parse(text).actions.map(({ change, reason, target }) => ({ target, change, reason }))

describe("parse", () => {
  it("takes each marked paragraph as one action and the rest as observations", () => {
    const said = parse(
      "The deploy task fails since Tuesday.\n\nSKILL_ACTION: deploy-skill: check the login\nbefore the first push.\nWhy: three runs had no token\n\nNothing else stands out.\n\nSKILL_ACTION: `docs/release.md`: say which registry is meant."
    )
    assert.strictEqual(said.observations, "The deploy task fails since Tuesday.\n\nNothing else stands out.")
    assert.deepStrictEqual(
      said.actions.map(({ change, reason, target }) => ({ target, change, reason })),
      [
        {
          target: "deploy-skill",
          change: "check the login\nbefore the first push.",
          reason: "three runs had no token"
        },
        { target: "docs/release.md", change: "say which registry is meant.", reason: "" }
      ]
    )
  })

  it("knows the marker in whatever emphasis it stands, and without an empty line before it", () => {
    for (const line of [
      "SKILL_ACTION: retry the login",
      "**SKILL_ACTION:** retry the login",
      "- SKILL_ACTION: retry the login",
      "### SKILL_ACTION: retry the login",
      "> `SKILL_ACTION`: retry the login",
      "It fails.\nSKILL_ACTION: retry the login"
    ])
      assert.deepStrictEqual(brief(line), [{ target: null, change: "retry the login", reason: "" }], line)
    assert.lengthOf(brief("SKILL_ACTION: a: log in\n**SKILL_ACTION:** b: log out"), 2)
  })

  it("takes no sentence about the marker for an action, and no sentence before a colon for a name", () => {
    assert.deepStrictEqual(brief("I would write SKILL_ACTION: paragraphs, but there is nothing to change."), [])
    assert.deepStrictEqual(brief("SKILL_ACTION: Before the push: log in"), [
      { target: null, change: "Before the push: log in", reason: "" }
    ])
  })

  it("keeps an answer without actions as observations", () => {
    assert.deepStrictEqual(parse("Nothing to do."), { observations: "Nothing to do.", actions: [] })
    assert.deepStrictEqual(parse("All is well.\n\nSKILL_ACTION: none"), { observations: "All is well.", actions: [] })
    for (const text of ["SKILL_ACTION:", "SKILL_ACTION: N/A.", "SKILL_ACTION: deploy: nothing", "SKILL_ACTION: (…)"])
      assert.deepStrictEqual(brief(text), [], text)
    for (const change of ["Nothing but step 3", "修改"])
      assert.deepStrictEqual(brief(`SKILL_ACTION: ${change}`), [{ target: null, change, reason: "" }])
  })

  it("says an action once, under an id that depends on nothing but what it says", () => {
    const { actions } = parse("SKILL_ACTION: deploy: log in\n\nSKILL_ACTION: deploy:   LOG IN")
    assert.lengthOf(actions, 1)
    const made = RecommendedAction.make({ target: "deploy", change: "log in", reason: "" })
    assert.strictEqual(actions[0]?.id, made?.id)
    assert.notStrictEqual(made?.id, parse("SKILL_ACTION: deploy: log out").actions[0]?.id)
  })

  it("takes out secrets and what a terminal obeys", () => {
    const key = `ghp_${"a1B2".repeat(9)}`
    const said = parse(`Found ${key}.\u001b[31m\n\nSKILL_ACTION: deploy: use ${key}`)
    assert.notInclude(JSON.stringify(said), key)
    assert.notInclude(said.observations, "\u001b")
  })

  it("is bounded and total whatever the answer", () => {
    const piece = fc.oneof(
      fc.constantFrom("SKILL_ACTION:", "a:", "`", "**", "\n", "\n\n", "\nWhy:", "none"),
      fc.unicodeString({ maxLength: 12 })
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const { actions, observations } = parse(pieces.join(""))
        const { limits } = RecommendedAction
        assert.isAtMost(observations.length, limits.observations)
        assert.isAtMost(actions.length, limits.actions)
        for (const { change, id, reason, target } of actions) {
          assert.match(id, /^act-[a-z0-9]{14}$/)
          assert.isAtMost(change.length, limits.change)
          assert.isAbove(change.length, 0)
          assert.isAtMost(reason.length, limits.reason)
          assert.isAtMost(target?.length ?? 0, limits.target)
        }
      }),
      { numRuns: 60 }
    )
  })

  it("reads an answer of markers alone no longer than any other", () => {
    assert.deepStrictEqual(parse("SKILL_ACTION:\n".repeat(50_000)).actions, [])
  })
})
