import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import * as FS from "node:fs"
import { join } from "node:path"
import * as Mutator from "../../src/memory/changes/Mutator.ts"
import * as RecommendedAction from "../../src/memory/changes/RecommendedAction.ts"
import { list } from "../support/rows.ts"
import { folder } from "../support/stores.ts"
import { works } from "../support/works.ts"

const { make, parse } = RecommendedAction

const said = (text: string) =>
  parse(text).actions.map(({ change, reason, target }) => [target, change, reason].join(" | "))

describe("RecommendedAction.parse", () => {
  it("each marked paragraph becomes one action, without duplicates; the rest becomes observations", () => {
    const text =
      "The deploy fails since Tuesday.\n\nSKILL_ACTION: deploy-skill: check the login\nbefore the first push.\nWhy: three runs had no token\n\nNothing else stands out.\n\nSKILL_ACTION: `docs/release.md`: say which registry is meant.\n\nSKILL_ACTION: docs/release.md:  SAY which registry is meant."
    assert.strictEqual(parse(text).observations, "The deploy fails since Tuesday.\n\nNothing else stands out.")
    assert.deepStrictEqual(said(text), [
      "deploy-skill | check the login\nbefore the first push. | three runs had no token",
      "docs/release.md | SAY which registry is meant. | "
    ])
    const [action] = parse("SKILL_ACTION: deploy: log in").actions
    assert.strictEqual(action?.id, make({ target: "deploy", change: "LOG  in", reason: "" })?.id)
    assert.notStrictEqual(action?.id, parse("SKILL_ACTION: deploy: log out").actions[0]?.id)
  })

  it.each<readonly [string, ReadonlyArray<string>]>([
    ...["SKILL_ACTION:", "**SKILL_ACTION:**", "### SKILL_ACTION:", "> `SKILL_ACTION`:"].map(
      (mark) => [`${mark} retry the login`, [" | retry the login | "]] as const
    ),
    ...["Before the push: log in", "Nothing but step 3", "修改"].map(
      (change) => [`SKILL_ACTION: ${change}`, [` | ${change} | `]] as const
    ),
    ["It fails.\n- SKILL_ACTION: a: log in\n**SKILL_ACTION:** b: log out", ["a | log in | ", "b | log out | "]],
    ...list`
      I would write SKILL_ACTION: paragraphs, but there is nothing to change. ¦ Nothing to do. ¦ All is well.\n\nSKILL_ACTION: none
      SKILL_ACTION: N/A. ¦ SKILL_ACTION: deploy: nothing ¦ SKILL_ACTION: (…)
    `.map((text) => [text, []] as const),
    ["SKILL_ACTION:\n".repeat(50_000), []]
  ])("finds the actions in %j", (text, expected) => assert.deepStrictEqual(said(text), expected))

  it("actions of any answer: within the limits, without secrets or terminal control characters", () => {
    const key = `ghp_${"a1B2".repeat(9)}`
    const shown = parse(`Found ${key}.\u001b[31m\n\nSKILL_ACTION: deploy: use ${key}`)
    assert.notMatch(JSON.stringify(shown), new RegExp(`${key}|u001b`))
    const piece = fc.oneof(
      fc.constantFrom("SKILL_ACTION:", "a:", "**", "\n\n", "\nWhy:", "none"),
      fc.string({ unit: "binary" })
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const { actions, observations } = parse(pieces.join(""))
        const { limits } = RecommendedAction
        assert.isAtMost(observations.length, limits.observations)
        assert.isAtMost(actions.length, limits.actions)
        for (const { change, id, reason } of actions) {
          assert.match(id, /^act-[a-z0-9]{14}$/)
          assert.isAtMost(Math.max(change.length / 2, reason.length), limits.reason)
          assert.isAbove(change.length, 0)
        }
      })
    )
  })
})

describe("Mutator.Proposal", () => {
  const action = make({ target: "deploy", change: "Log in first.", reason: "three runs had no token" })
  if (action === null) throw new Error("the change is one")

  const propose = (directory: string) =>
    Effect.flatMap(Mutator.Mutator, (mutator) => mutator.propose(action)).pipe(
      Effect.provide(Mutator.Mutator.Proposal({ directory })),
      Effect.provide(NodeContext.layer)
    )

  works("writes the change and its reason once, readable only by the user, ignored by git", function* () {
    const root = yield* folder
    const { reference, ...rest } = yield* propose(root)
    assert.deepStrictEqual(rest, { actionId: action.id, kind: "proposal", detail: "written for a person to read" })
    assert.strictEqual(reference, join(root, ".reflection", "proposals", `${action.id}.md`))
    assert.strictEqual(
      FS.readFileSync(reference, "utf8").replace(action.id, "ID"),
      "# A change of deploy\n\nProposal ID, by a model that looked at how the runs of many tasks ended. Nothing was changed.\n\n## What to change\n\nLog in first.\n\n## Why\n\nthree runs had no token\n\nMake the change, or delete this file.\n"
    )
    if (process.platform !== "win32") assert.strictEqual(FS.statSync(reference).mode & 0o077, 0)
    assert.match(FS.readFileSync(join(root, ".reflection", ".gitignore"), "utf8"), /^\*$/mu)
    FS.writeFileSync(reference, "edited")
    assert.strictEqual((yield* propose(root)).detail, "the same change was proposed before")
    assert.strictEqual(FS.readFileSync(reference, "utf8"), "edited")
  })

  works("does not write through a symbolic link, and creates no missing workspace", function* () {
    const elsewhere = yield* folder
    for (const place of [".reflection", ".reflection/proposals"]) {
      const root = yield* folder
      if (place !== ".reflection") FS.mkdirSync(join(root, ".reflection"))
      FS.symlinkSync(elsewhere, join(root, place))
      const error = yield* Effect.flip(propose(root))
      assert.deepStrictEqual([error.reason, error.message.includes("symbolic link")], ["failed", true])
      assert.deepStrictEqual(FS.readdirSync(elsewhere), [])
    }
    assert.strictEqual((yield* Effect.flip(propose("/repo/that/is/not/there"))).reason, "failed")
  })
})
