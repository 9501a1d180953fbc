/** Somebody there, or nobody: who says so, and what follows. */
import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as Rules from "../../src/judge/rules/Rules.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, run, transcript, user } from "../support/events.ts"
import { examples } from "./rules/examples.ts"
import { lower } from "../../src/session/config/Levels.ts"

const asks: ReadonlyArray<TranscriptEvent> = [
  user("Add a function that rounds the invoice total."),
  call("Read", { file_path: "src/total.ts" }),
  agent("The total is a float. Should I round half up or half even?")
]

const judged = (
  attended: boolean | null | undefined,
  over: ReflexionConfig.PartialConfig = {},
  events: ReadonlyArray<TranscriptEvent> = asks
) =>
  Judgment.judge(
    { ...transcript(events), ...(attended !== undefined && { attended }) },
    { context: { config: ReflexionConfig.merge(ReflexionConfig.defaults, over) } }
  )

const sessions = Object.entries(examples).flatMap(([id, { fires, spares }]) =>
  Object.entries({ ...fires, ...spares }).map(([title, events]) => ({ events, name: `${id}: ${title}` }))
)

describe("whether somebody is there", () => {
  it("is so where the record says nothing: no verdict on an example is another for it", () => {
    for (const { events, name } of sessions) {
      const there = judged(true, {}, events)
      assert.deepStrictEqual(judged(null, {}, events), there, name)
      assert.deepStrictEqual(judged(undefined, {}, events), there, name)
    }
  })

  it("is the record's to say, and the configuration's before it", () => {
    assert.strictEqual(judged(null).status, "waiting_for_user")
    assert.strictEqual(judged(false).status, "incomplete")
    assert.strictEqual(judged(false, { attended: true }).status, "waiting_for_user")
    assert.strictEqual(judged(true, { attended: false }).status, "incomplete")
    assert.strictEqual(judged(false, { attended: "auto" }).status, "incomplete")
  })

  it.each([
    "A server costs 40 EUR a month. Should I create it?",
    "The migration deletes the column in production and cannot be undone. May I run it?",
    "I can publish the package now. Should I publish it?",
    "The paid plan is $20. Which one should I buy?"
  ])("leaves money and what cannot be taken back to a person, with nobody there: %s", (text) => {
    const verdict = judged(false, {}, [user("Set up the staging environment."), run("ls", 0, "infra"), agent(text)])
    assert.deepStrictEqual([verdict.status, verdict.shouldContinue], ["needs_human", false])
  })

  it("raises no rule that the user has turned down, nor one that a workspace has", () => {
    assert.isFalse(judged(false, { rules: { "question/nobody-there": "tell" } }).shouldContinue)
    const limited = ReflexionConfig.mergeWorkspace(ReflexionConfig.defaults, {
      rules: { "question/nobody-there": "tell" }
    })
    const verdict = Judgment.judge({ ...transcript(asks), attended: false }, { context: { config: limited } })
    assert.isFalse(verdict.shouldContinue)
    assert.isFalse(judged(false, { profile: "advisory" }).shouldContinue)
  })

  it("lowers no rule", () => {
    for (const rule of Rules.rules) {
      const levels = { profile: "balanced", rules: {}, ruleLimits: {} } as const
      const [there, alone] = [true, false].map((attended) => Rules.levelOf(rule, levels, attended))
      assert.strictEqual(lower(there ?? "off", alone ?? "off"), there, rule.id)
    }
  })

  it("a workspace can only say that somebody is, and only where the user says neither", () => {
    const { defaults, merge, mergeTrusted, mergeWorkspace } = ReflexionConfig
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
  it("the agent is told so, and to decide and to state what it assumed", () => {
    const { feedback, findings } = judged(false)
    assert.deepStrictEqual(
      findings.map(({ rule }) => rule),
      ["question/nobody-there"]
    )
    assert.include(feedback, '"Should I round half up or half even?"')
    assert.include(feedback, "Nobody is there to answer in this session")
    assert.lengthOf(feedback?.match(/what you assumed|nobody is there/gi) ?? [], 2, "each is said once")
  })

  it("every reminder says so, and none with somebody there", () => {
    const events = [
      user("Fix the total and run the tests."),
      edit("src/total.ts"),
      run("npm test", 1, " Tests  1 failed (4)\n"),
      agent("Fixed. Now I will run the tests again.")
    ]
    assert.include(judged(false, {}, events).feedback, "Nobody is there")
    assert.notInclude(judged(true, {}, events).feedback, "Nobody is there")
  })

  it("a question that was pushed for is not pushed for again, though the evidence moved", () => {
    const push = { ...user(judged(false).feedback ?? "", { synthetic: true }) }
    const again = [...asks, push, edit("src/total.ts"), agent("Should I round half up, or half even?")]
    const verdict = judged(false, {}, again)
    assert.strictEqual(verdict.status, "needs_human")
    assert.isFalse(verdict.shouldContinue)
    const other = [...asks, push, edit("src/total.ts"), agent("Should I export it or keep it private?")]
    assert.isTrue(judged(false, {}, other).shouldContinue)
  })

  it("no dialogue of the host's own is answered: who is asked there is the user", () => {
    const events = [
      user("Add a function that rounds the invoice total."),
      call("AskUserQuestion", { questions: [] }, { status: "pending", output: null })
    ]
    assert.isFalse(judged(false, {}, events).shouldContinue)
  })

  it("nobody is pushed in plan mode or in a subagent", () => {
    for (const rest of [{ mode: "plan" as const }, { parentSessionId: "parent" }]) {
      assert.isFalse(Judgment.judge({ ...transcript(asks), attended: false, ...rest }).shouldContinue)
    }
  })
})
