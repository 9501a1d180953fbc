import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as RecommendedAction from "../../src/learn/changes/RecommendedAction.ts"

const parse = RecommendedAction.parse

const brief = (text: string, known: ReadonlyArray<string> = []) =>
  parse(text, { known }).actions.map(({ change, reason, target }) => ({ target, change, reason }))

/** What an action is about that names nothing itself. */
const about = (change: string, ...known: ReadonlyArray<string>) =>
  brief(`SKILL_ACTION: ${change}`, known).map(({ target }) => target)

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

  it("takes each item of a list below the marker as one, where each names what it is about", () => {
    assert.deepStrictEqual(brief("SKILL_ACTION:\n\n- deploy: add step one\n- `build`: add step two"), [
      { target: "deploy", change: "add step one", reason: "" },
      { target: "build", change: "add step two", reason: "" }
    ])
    assert.lengthOf(brief("SKILL_ACTION:\n- log in first\n- then push"), 1)
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

  it("is about a known name that stands in its text as a word, and about the longer of two", () => {
    assert.deepStrictEqual(about("Look at the trunk before you rerun it", "run"), [null])
    assert.deepStrictEqual(about("Look at run 7 first", "run"), ["run"])
    assert.deepStrictEqual(about("Say in skills/deploy.md where it is", "deploy", "skills/deploy.md"), [
      "skills/deploy.md"
    ])
    assert.deepStrictEqual(about("在deploy里说明地址", "deploy"), ["deploy"])
    assert.deepStrictEqual(about("在价格表里说明地址", "价格表"), ["价格表"])
  })

  it("has keys in whatever language", () => {
    const change = { target: "deploy", change: "добавить шаг", reason: "" }
    for (const text of [
      '{"actions":[{"цель":"deploy","изменение":"добавить шаг"}]}',
      '{"actions":[{"изменение":"добавить шаг","цель":"deploy"}]}',
      '{"actions":[{"target":"deploy","изменение":"добавить шаг"}]}',
      '{"рекомендации":[{"цель":"deploy","изменение":"добавить шаг"}]}',
      '{"empfohlene Maßnahmen":[{"Ziel":"deploy","Änderung":"добавить шаг"}]}',
      '{"acciones":[{"objetivo":"deploy","cambio":"добавить шаг"}]}',
      '{"建议":[{"目标":"deploy","更改":"добавить шаг"}]}',
      '{"推奨アクション":[{"対象":"deploy","変更":"добавить шаг"}]}'
    ])
      assert.deepStrictEqual(brief(`Anything.\n\`\`\`json\n${text}\n\`\`\``), [change], text)
    for (const text of [
      '{"actions":[{"目标":"deploy","更改":"添加步骤"}]}',
      '{"actions":[{"更改":"添加步骤","目标":"deploy"}]}'
    ])
      assert.deepStrictEqual(brief(text), [{ target: "deploy", change: "添加步骤", reason: "" }], text)
    assert.deepStrictEqual(brief('{"建议":[{"目标":"部署技能","更改":"先检查登录","原因":"没有令牌"}]}'), [
      { target: "部署技能", change: "先检查登录", reason: "没有令牌" }
    ])
    assert.deepStrictEqual(
      parse('{"наблюдения":"Нет токена.","рекомендации":[{"цель":"deploy","изменение":"войти","причина":"три сбоя"}]}'),
      {
        observations: "Нет токена.",
        actions: parse('{"actions":[{"target":"deploy","change":"войти","reason":"три сбоя"}]}').actions
      }
    )
  })

  it("stays in the observations where its actions say nothing that can be read", () => {
    const text = 'It fails.\n{"actions": [{ "priority": 1, "steps": { "a": "b" } }]}'
    assert.deepStrictEqual(parse(text), { observations: text, actions: [] })
  })

  it("makes no action of a record that is quoted", () => {
    for (const text of [
      '[{"id":"o1","status":"failed"}]',
      '{"tasks":[{"name":"nightly","status":"failed"}]}',
      '{"目标":"deploy","状态":"失败"}'
    ])
      assert.deepStrictEqual(parse(`It fails: ${text}`).actions, [], text)
  })

  it("goes along with the paragraphs before it, and what both say counts once", () => {
    const tail = JSON.stringify({ observations: "It fails.", actions: [action] })
    assert.deepStrictEqual(brief(`Why.\n\nSKILL_ACTION: build: pin the image\n\n${tail}`), [
      { target: "build", change: "pin the image", reason: "" },
      action
    ])
    assert.lengthOf(brief(`SKILL_ACTION: deploy: log in first\n\n${tail}`), 1)
    assert.deepStrictEqual(brief(`SKILL_ACTION:\n${tail}`), [action])
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
      "SKILL_ACTION: Нет изменений",
      "SKILL_ACTION: Изменения не требуются.",
      "SKILL_ACTION: ninguna acción",
      "SKILL_ACTION: No se requiere ninguna acción por el momento.",
      "SKILL_ACTION: No action required at this time.",
      "SKILL_ACTION: There is nothing to do.",
      "SKILL_ACTION: Keine Änderungen erforderlich.",
      "SKILL_ACTION: Es sind derzeit keine Maßnahmen nötig.",
      "SKILL_ACTION: Aucune modification n'est nécessaire.",
      "SKILL_ACTION: Nessuna modifica necessaria",
      "SKILL_ACTION: Nenhuma ação necessária no momento.",
      "SKILL_ACTION: Geen wijzigingen nodig",
      "SKILL_ACTION: Brak zmian",
      "SKILL_ACTION：无需更改。",
      "SKILL_ACTION：不需要任何操作",
      "SKILL_ACTION：変更は必要ありません。",
      "SKILL_ACTION: 변경 필요 없음",
      "SKILL_ACTION: (…)",
      'All is well. {"actions": [{ "target": "none", "change": "none" }]}',
      '{"actions": ["n/a"]}'
    ])
      assert.deepStrictEqual(RecommendedAction.parse(text).actions, [], text)
    for (const change of [
      "Keine Tokens loggen",
      "No actions without approval",
      "Не менять токен",
      "无需重试时跳过登录",
      "Нет токена: обновить",
      "Nothing but step 3",
      "update",
      "修改"
    ])
      assert.deepStrictEqual(brief(JSON.stringify({ actions: [{ target: "deploy", change }] })), [
        { target: "deploy", change, reason: "" }
      ])
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
      { numRuns: 60 }
    )
  })

  it("reads an answer of brackets alone no longer than any other", () => {
    assert.deepStrictEqual(parse("[{".repeat(200_000)).actions, [])
    assert.deepStrictEqual(parse("SKILL_ACTION:\n".repeat(50_000)).actions, [])
  })
})
