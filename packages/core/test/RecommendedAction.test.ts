import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as RecommendedAction from "../src/RecommendedAction.ts"

const parse = RecommendedAction.parse

const brief = (text: string, known: ReadonlyArray<string> = []) =>
  parse(text, { known }).actions.map(({ change, reason, target }) => ({ target, change, reason }))

describe("SKILL_ACTION paragraphs", () => {
  it("takes each paragraph as one action and the rest as observations", () => {
    const said = parse(
      "The deploy task fails since Tuesday.\n\nSKILL_ACTION: deploy-skill: check the login\nbefore the first push.\n\nNothing else stands out.\n\nSKILL_ACTION: `docs/release.md` - say which registry is meant."
    )
    assert.strictEqual(said.observations, "The deploy task fails since Tuesday.\n\nNothing else stands out.")
    assert.deepStrictEqual(
      said.actions.map(({ change, target }) => ({ target, change })),
      [
        { target: "deploy-skill", change: "check the login\nbefore the first push." },
        { target: "docs/release.md", change: "say which registry is meant." }
      ]
    )
  })

  it("knows the marker in whatever Markdown and case it stands", () => {
    for (const line of [
      "SKILL_ACTION: retry the login",
      "**SKILL_ACTION:** retry the login",
      "- SKILL_ACTION: retry the login",
      "2. **Skill action 1**: retry the login",
      "### SKILL-ACTION: retry the login",
      "> `SKILL_ACTION`: retry the login",
      "SKILL_ACTION：retry the login",
      "SKILL_ACTION - retry the login"
    ])
      assert.deepStrictEqual(brief(line), [{ target: null, change: "retry the login", reason: "" }], line)
  })

  it("takes what stands after a marker alone on its line", () => {
    assert.deepStrictEqual(brief("SKILL_ACTION:\n\nRetry the login."), [
      { target: null, change: "Retry the login.", reason: "" }
    ])
    assert.deepStrictEqual(brief("SKILL_ACTION:\n\nSKILL_ACTION: retry"), [
      { target: null, change: "retry", reason: "" }
    ])
    assert.deepStrictEqual(brief("SKILL_ACTION:"), [])
  })

  it("reads keys within a paragraph", () => {
    assert.deepStrictEqual(
      brief("SKILL_ACTION:\n- skill: `deploy`\n- change: log in first\n- reason: three runs had no token"),
      [{ target: "deploy", change: "log in first", reason: "three runs had no token" }]
    )
  })

  it("does not depend on the language", () => {
    assert.deepStrictEqual(brief("部署任务连续失败。\n\nSKILL_ACTION：「部署技能」：先检查登录。", []), [
      { target: "部署技能", change: "先检查登录。", reason: "" }
    ])
    assert.deepStrictEqual(
      brief("SKILL_ACTION: Перед выпуском deploy-skill должен проверить вход.", ["deploy-skill"]),
      [{ target: "deploy-skill", change: "Перед выпуском deploy-skill должен проверить вход.", reason: "" }]
    )
    assert.deepStrictEqual(brief("SKILL_ACTION: „deploy“ prüft die Anmeldung zuerst.", ["deploy"]), [
      { target: "deploy", change: "„deploy“ prüft die Anmeldung zuerst.", reason: "" }
    ])
  })

  it("takes no sentence about the marker for an action", () => {
    const said = parse("I would write SKILL_ACTION: paragraphs, but there is nothing to change.")
    assert.deepStrictEqual(said.actions, [])
  })
})

describe("a JSON tail", () => {
  const action = { target: "deploy", change: "log in first", reason: "no token" }

  it("is read as a whole answer, in a fence, and after prose", () => {
    const json = JSON.stringify({ observations: "It fails.", actions: [action] })
    for (const text of [json, `\`\`\`json\n${json}\n\`\`\``, `Sure:\n\n${json}`]) {
      assert.deepStrictEqual(brief(text), [action], text)
      assert.include(parse(text).observations, "It fails.")
      assert.notInclude(parse(text).observations, "`")
    }
  })

  it("is read as a list, as several objects, and under the names that models give", () => {
    const other = { target: "docs/a.md", change: "name the registry", reason: "" }
    assert.deepStrictEqual(
      brief(`It fails.\n[${JSON.stringify({ skill: "deploy", action: "log in first", why: "no token" })}]`),
      [action]
    )
    assert.deepStrictEqual(
      brief(
        `It fails.\n{"skill": "deploy", "change": "log in first", "reason": "no token"}\n{"file": "docs/a.md", "recommendation": "name the registry"}`
      ),
      [action, other]
    )
    assert.deepStrictEqual(brief(`{"recommended_actions": ["log in first"]}`), [
      { target: null, change: "log in first", reason: "" }
    ])
  })

  it("may be nearly JSON", () => {
    assert.deepStrictEqual(
      brief("{'actions': [{'skill': 'deploy', 'change': 'log in first', 'reason': 'no token',}]}"),
      [action]
    )
  })

  it("is not what prose has in brackets", () => {
    const text = "Runs [1], [2] and {x} failed, see [the log](log.md)."
    assert.deepStrictEqual(parse(text), { observations: text, actions: [] })
  })

  it("may have the paragraphs in its observations", () => {
    assert.deepStrictEqual(brief(JSON.stringify({ observations: "SKILL_ACTION: deploy: log in first", actions: [] })), [
      { target: "deploy", change: "log in first", reason: "" }
    ])
  })

  it("gives the last of two that are apart, for the first is a draft", () => {
    const draft = JSON.stringify({ actions: [{ target: "a", change: "draft" }] })
    assert.deepStrictEqual(brief(`${draft}\nOn second thought:\n${JSON.stringify({ actions: [action] })}`), [action])
  })
})

describe("parse", () => {
  it("keeps an answer without actions as observations", () => {
    assert.deepStrictEqual(parse("Nothing to do."), { observations: "Nothing to do.", actions: [] })
  })

  it("takes no word for nothing as something to do", () => {
    for (const text of [
      "All is well.\n\nSKILL_ACTION: none",
      "SKILL_ACTION: None.",
      "SKILL_ACTION: N/A - no change needed",
      "SKILL_ACTION: no changes are required",
      "SKILL_ACTION: keine",
      "SKILL_ACTION：无",
      'All is well. {"actions": [{ "target": "none", "change": "none" }]}',
      '{"actions": ["n/a"]}'
    ])
      assert.deepStrictEqual(RecommendedAction.parse(text).actions, [], text)
    const [kept] = RecommendedAction.parse(
      '{"actions": [{ "target": "none", "change": "None of the steps logs in: do." }]}'
    ).actions
    assert.strictEqual(kept?.change, "None of the steps logs in: do.")
    assert.isNull(kept?.target)
  })

  it("says an action once, under an id that depends on nothing but what it says", () => {
    const { actions } = parse("SKILL_ACTION: deploy: log in\n\nSKILL_ACTION: deploy:   LOG IN")
    assert.lengthOf(actions, 1)
    const [first] = parse('{"actions":[{"skill":"deploy","change":"log in"}]}').actions
    assert.strictEqual(actions[0]?.id, first?.id)
    assert.notStrictEqual(first?.id, parse("SKILL_ACTION: deploy: log out").actions[0]?.id)
  })

  it("takes out secrets and what a terminal obeys", () => {
    const key = `ghp_${"a1B2".repeat(9)}`
    const said = parse(`Found ${key}.\u001b[31m\n\nSKILL_ACTION: deploy: use ${key}`)
    assert.notInclude(JSON.stringify(said), key)
    assert.notInclude(said.observations, "\u001b")
  })

  it("is bounded and total whatever the answer", () => {
    const piece = fc.oneof(
      fc.constantFrom("SKILL_ACTION:", "{", "[", "}", "]", '"', "`", "\n", "\n\n", "```json\n", '{"actions":', '["a"]'),
      fc.unicodeString({ maxLength: 12 }),
      fc.json()
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
      { numRuns: 500 }
    )
  })

  it("reads an answer of brackets alone no longer than any other", () => {
    assert.deepStrictEqual(parse("[{".repeat(200_000)).actions, [])
    assert.deepStrictEqual(parse("SKILL_ACTION:\n".repeat(50_000)).actions, [])
  })
})
