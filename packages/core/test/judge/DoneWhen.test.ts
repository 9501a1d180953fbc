import { assert, describe, it } from "@effect/vitest"
import * as Acceptance from "../../src/review/tiers/acceptance.ts"
import { unasked } from "../../src/review/tiers/Question.ts"
import { decide } from "../../src/model/assessment/Decide.ts"
import * as Prompts from "../../src/model/assessment/Prompt.ts"
import { turnOf } from "../../src/model/assessment/TurnRecord.ts"
import { isAsked } from "../../src/review/tiers/BeyondEvidence.ts"
import { assessment, ofAssessment } from "../support/opinions.ts"
import * as DueChecks from "../../src/checks/DueChecks.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as ConfigMerge from "../../src/session/config/ReflexionConfig.ts"
import { mergeWorkspace, mergeTrusted } from "../../src/session/config/ConfigMerge.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, edit, run, transcript, user } from "../support/events.ts"

const order = user("Fix the total of the cart.")
const done = agent("The total of the cart is fixed.")

const judge = (
  doneWhen: NonNullable<ConfigMerge.PartialConfig["doneWhen"]>,
  events: ReadonlyArray<TranscriptEvent>,
  attended = true
) => {
  const config = ConfigMerge.merge(ConfigMerge.defaults, { doneWhen, attended })
  return Judgment.judge(transcript(events), { context: { config } })
}

const results = (verdict: Judgment.Judged["verdict"]) =>
  verdict.acceptance?.map(({ id, result }) => [id, result] as const)

describe("a condition for being done", () => {
  it("is proved by its command on record after the last edit", () => {
    const verdict = judge(
      ["`npm run e2e` passes"],
      [order, edit("/repo/src/cart.ts"), run("npm run e2e", 0, "", { id: "c9" }), done]
    )
    assert.strictEqual(verdict.status, "complete")
    assert.deepStrictEqual(verdict.acceptance, [
      {
        id: "d1",
        text: "`npm run e2e` passes",
        result: "passed",
        evidence: ["`npm run e2e` exited 0 (c9)", "npm exited 0"]
      }
    ])
  })

  it("that was not run has the agent run it, and is not done", () => {
    const verdict = judge(["`npm run e2e` passes"], [order, edit("/repo/src/cart.ts"), done])
    assert.isTrue(verdict.shouldContinue)
    assert.deepStrictEqual(results(verdict), [["d1", "not_run"]])
    assert.match(verdict.acceptance?.[0]?.evidence[0] ?? "", /^not run: .*--checks/)
    assert.include(verdict.feedback, "Run `npm run e2e` now")
    assert.include(verdict.feedback, "a condition for this being done")
  })

  it("whose command ran before the last edit is not proved", () => {
    const verdict = judge(["$ npm run e2e"], [order, run("npm run e2e", 0), edit("/repo/src/cart.ts"), done])
    assert.deepStrictEqual(results(verdict), [["d1", "not_run"]])
    assert.isFalse(verdict.complete)
  })

  it("that fails is grave, and pushes", () => {
    const verdict = judge(
      ["$ npm run e2e"],
      [order, edit("/repo/src/cart.ts"), run("npm run e2e", 1, "boom"), agent("Done.")]
    )
    assert.deepStrictEqual([verdict.status, verdict.severity, verdict.shouldContinue], ["incomplete", "HIGH", true])
    assert.deepStrictEqual(results(verdict), [["d1", "failed"]])
    assert.deepStrictEqual(
      verdict.findings.map(({ gate }) => gate),
      ["done-when:d1"]
    )
  })

  it("keeps no question from being answered", () => {
    const verdict = judge(["$ npm run e2e"], [user("What does the cart do?"), agent("It sums up the items.")])
    assert.strictEqual(verdict.status, "complete")
  })

  it("without a command is not known, and pushes nobody", () => {
    for (const attended of [true, false]) {
      const verdict = judge(
        ["the docs name the flag"],
        [order, edit("/repo/src/cart.ts"), run("npm test", 0), done],
        attended
      )
      assert.deepStrictEqual([verdict.status, verdict.shouldContinue], ["abstained", false])
      assert.include(verdict.reason, "the docs name the flag")
      assert.deepStrictEqual(results(verdict), [["d1", "unknown"]])
    }
  })

  it("of several commands at once is not proved by the record: with nobody there it is not called done", () => {
    const events = [order, edit("/repo/src/cart.ts"), run("npm run a && npm run b", 0), run("npm test", 0), done]
    const there = judge(["$ npm run a && npm run b"], events)
    assert.deepStrictEqual([there.status, results(there)], ["complete", [["d1", "not_run"]]])
    const alone = judge(["$ npm run a && npm run b"], events, false)
    assert.deepStrictEqual([alone.status, alone.shouldContinue], ["abstained", false])
  })

  it("is a check that is due, by one command or several", () => {
    const config = ConfigMerge.merge(ConfigMerge.defaults, { doneWhen: ["$ npm run a && npm run b", "$ npm run e2e"] })
    const { checks } = config
    assert.deepStrictEqual(checks, [
      { name: "done-when:d1", command: "npm run a && npm run b", timeout: 300 },
      { name: "done-when:d2", command: "npm run e2e", timeout: 300 }
    ])
    const verdict = judge(["$ npm run a && npm run b", "$ npm run e2e"], [order, edit("/repo/src/cart.ts"), done])
    assert.deepStrictEqual(DueChecks.required(verdict, checks), ["done-when:d2", "done-when:d1"].toSorted())
  })

  it("leaves a verdict without conditions as it is", () => {
    assert.notProperty(judge([], [order, edit("/repo/src/cart.ts"), done]), "acceptance")
  })
})

describe("conditions in files", () => {
  const said = { doneWhen: ["`make e2e` passes", { text: "it builds", command: "make" }, "the docs say so"] }

  it("of the user's own and of a trusted workspace name commands that may be run", () => {
    for (const config of [ConfigMerge.merge(ConfigMerge.defaults, said), mergeTrusted(ConfigMerge.defaults, said)]) {
      assert.deepStrictEqual(
        config.doneWhen.map(({ command }) => command),
        ["make e2e", "make", null]
      )
      assert.strictEqual(config.checks.length, 2)
      assert.strictEqual(config.gates.length, 2)
    }
  })

  it("of an untrusted workspace name none, and take nothing away", () => {
    const own = ConfigMerge.merge(ConfigMerge.defaults, { doneWhen: ["$ make lint"] })
    const config = mergeWorkspace(own, said)
    assert.deepStrictEqual(
      config.doneWhen.map(({ command, id, text }) => [id, text, command]),
      [
        ["d1", "make lint", "make lint"],
        ["d2", "`make e2e` passes", null],
        ["d3", "it builds", null],
        ["d4", "the docs say so", null]
      ]
    )
    assert.deepStrictEqual(
      config.checks.map(({ command }) => command),
      ["make lint"]
    )
  })

  it("of an untrusted workspace cannot take the command from one of the user's", () => {
    const own = ConfigMerge.merge(ConfigMerge.defaults, { doneWhen: ["`make e2e` passes"] })
    assert.strictEqual(mergeWorkspace(own, said).doneWhen[0]?.command, "make e2e")
  })
})

describe("conditions that only a reader can tell", () => {
  const config = ConfigMerge.merge(ConfigMerge.defaults, {
    doneWhen: ["the changelog names the release"],
    model: "test/m"
  })
  const untrusted = mergeWorkspace(
    { ...ConfigMerge.defaults, model: "test/m" },
    { doneWhen: ["the changelog names the release"] }
  )

  const events = [
    user("Fix the rounding of totals in the cart."),
    edit("/repo/src/cart.ts"),
    run("npm test", 0),
    agent("The rounding of totals is fixed.")
  ]

  const turn = (by: typeof config) => {
    const context = { ...Judgment.defaultContext, config: by, cwd: "/repo" }
    const session = transcript(events)
    const { state } = Judgment.replay(session, context)
    const options = { session, context, now: null }
    const judged = Judgment.review(state, options)
    const asked = isAsked(state, judged.verdict, options)
    return { ...turnOf(state, { ...options, transcript: session, judged }), asked }
  }

  const telling = { nonce: "record-x", attempt: 1, maxAttempts: 3, guidance: null, instructions: null }

  const attempt = { ...telling, from: ConfigMerge.defaults.models.pushFrom }

  const left = ofAssessment(
    assessment({
      status: "in_progress",
      remaining_work: [{ what: "The changelog", event: "d1", quote: "the changelog names the release" }]
    })
  )

  it("keep evidence from calling it done, and are put to the model", () => {
    const { asked, judged } = turn(config)
    assert.strictEqual(judged.verdict.status, "abstained")
    assert.isTrue(asked)
    assert.include(Prompts.selfAssessment(turn(config), telling).prompt, "[d1] the changelog names the release")
  })

  it("push where the model cites them and nothing that was done has a word of them, but not for an untrusted project", () => {
    assert.isTrue(decide(turn(config), left, attempt).verdict.shouldContinue)
    const { verdict } = decide(turn(untrusted), left, attempt)
    assert.isFalse(verdict.shouldContinue)
    assert.notInclude(verdict.feedback ?? "", "changelog")
  })

  it("are met or open as the model says", () => {
    const told = (answer: typeof left) => {
      const judged = decide(turn(config), answer, attempt)
      const asked = { ...unasked(turn(config), "").asked, by: "self_assessment", answer } as const
      return Acceptance.told({ ...judged, asked }, config.doneWhen).verdict.acceptance?.[0]
    }
    assert.deepInclude(told(left), { result: "open", evidence: ["a model: The changelog"] })
    assert.deepInclude(told(ofAssessment(assessment())), { result: "met" })
  })
})
