/** Whether somebody is there: which source decides, and what follows. */
import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import type { Transcript } from "../../src/session/transcript/Transcript.ts"
import { transcript, user } from "../support/events.ts"
import { session } from "../support/sessions.ts"

const { defaults, merge, mergeTrusted, mergeWorkspace } = ReflexionConfig

const asks =
  "> Add a function that rounds the total. / $ cat a / The total is a float. Should I round half up or half even?"

const events = session(asks)

const judged = (attended: boolean | null | undefined, over: ReflexionConfig.PartialConfig = {}, all = events) =>
  Judgment.judge(
    { ...transcript(all), ...(attended !== undefined && { attended }) },
    { context: { config: merge(defaults, over) } }
  )

describe("whether somebody is there", () => {
  it.each([
    ["waiting_for_user", null, {}],
    ["waiting_for_user", undefined, {}],
    ["incomplete", false, {}],
    ["waiting_for_user", false, { attended: true }],
    ["incomplete", true, { attended: false }],
    ["incomplete", false, { attended: "auto" }]
  ] as const)("%s where the record says %s and the configuration %j", (status, attended, over) => {
    assert.strictEqual(judged(attended, over).status, status)
  })

  it("is not for a workspace to deny, and to say only where the user says neither", () => {
    for (const lay of [mergeTrusted, mergeWorkspace]) {
      assert.strictEqual(lay(defaults, { attended: true }).attended, true)
      assert.strictEqual(lay(defaults, { attended: false }).attended, "auto")
      assert.strictEqual(lay(merge(defaults, { attended: false }), { attended: true }).attended, false)
      assert.strictEqual(lay(merge(defaults, { attended: true }), { attended: false }).attended, true)
      assert.strictEqual(lay(merge(defaults, { attended: false }), {}).attended, false)
    }
  })
})

describe("with nobody there", () => {
  it.each([
    "A server costs 40 EUR a month. Should I create it?",
    "The migration deletes the column in production and cannot be undone. May I run it?",
    "I can publish the package now. Should I publish it?",
    "The paid plan is $20. Which one should I buy?"
  ])("money and what cannot be taken back are left to a person: %s", (text) => {
    const verdict = judged(false, {}, session(`> Set up the staging environment. / $ ls => infra / ${text}`))
    assert.deepStrictEqual([verdict.status, verdict.shouldContinue], ["needs_human", false])
  })

  it("the agent is told so, and to decide and to state what it assumed; so does every nudge, and none with somebody there", () => {
    const { feedback } = judged(false)
    assert.include(feedback, '"Should I round half up or half even?"')
    assert.lengthOf(feedback?.match(/what you assumed|nobody is there to answer in this session/gi) ?? [], 2)
    const red = session("> Fix it and run the tests. / edit a.ts / $1 npm test =>  Tests  1 failed (4)\\n / Fixed.")
    assert.include(judged(false, {}, red).feedback, "Nobody is there")
    assert.notInclude(judged(true, {}, red).feedback, "Nobody is there")
  })

  it("a question is nudged for once, though the evidence moved, and another one again", () => {
    const before = [...events, user(judged(false).feedback ?? "", { synthetic: true })]
    const again = judged(false, {}, [
      ...before,
      ...session("edit src/total.ts / Should I round half up, or half even?")
    ])
    assert.deepStrictEqual([again.status, again.shouldContinue], ["needs_human", false])
    const other = [...before, ...session("edit src/total.ts / Should I export it or keep it private?")]
    assert.isTrue(judged(false, {}, other).shouldContinue)
  })

  it.each<readonly [string, Partial<Transcript>, ReflexionConfig.ReflexionConfig]>([
    ["in a dialogue of the host's own", { events: session("> Add it. / call? AskUserQuestion") }, defaults],
    ["where the rule only tells", {}, merge(defaults, { rules: { "question/nobody-there": "tell" } })],
    ["under the advisory profile", {}, merge(defaults, { profile: "advisory" })],
    ["in plan mode", { mode: "plan" }, defaults],
    ["in a subagent", { parentSessionId: "p" }, defaults],
    [
      "where a workspace has turned the rule down",
      {},
      mergeWorkspace(defaults, { rules: { "question/nobody-there": "tell" } })
    ]
  ])("nobody is nudged %s", (_, info, config) => {
    const { shouldContinue } = Judgment.judge(
      { ...transcript(events), attended: false, ...info },
      { context: { config } }
    )
    assert.isFalse(shouldContinue)
  })
})
