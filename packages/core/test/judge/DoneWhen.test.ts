import { assert, describe, it } from "@effect/vitest"
import * as DueChecks from "../../src/checks/DueChecks.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { decide } from "../../src/model/assessment/Decide.ts"
import * as Prompts from "../../src/model/assessment/Prompt.ts"
import { turnOf } from "../../src/model/assessment/TurnRecord.ts"
import * as Acceptance from "../../src/review/tiers/acceptance.ts"
import { isAsked } from "../../src/review/tiers/BeyondEvidence.ts"
import { unasked } from "../../src/review/tiers/Question.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import { mergeTrusted, mergeWorkspace } from "../../src/session/config/ConfigMerge.ts"
import { transcript } from "../support/events.ts"
import { assessment } from "../support/opinions.ts"
import { session, table } from "../support/sessions.ts"

const { defaults, merge } = ReflexionConfig

const words = { O: "> Fix the total of the cart.", S: "edit /repo/src/cart.ts", D: "The total of the cart is fixed." }

const judge = (doneWhen: ReadonlyArray<string>, line: string, attended = true) =>
  Judgment.judge(transcript(session(line, words)), { context: { config: merge(defaults, { doneWhen, attended }) } })

/** The condition, the session, what the verdict says of both; then what it says with nobody there, if that differs. */
const rows = String.raw`
  \`npm run e2e\` passes :: O / S / $ npm run e2e / D :: complete passed :: complete passed
  \`npm run e2e\` passes :: O / S / D :: incomplete nudged not_run :: incomplete nudged not_run
  $ npm run e2e :: O / $ npm run e2e / S / D :: incomplete nudged not_run :: incomplete nudged not_run
  $ npm run e2e :: O / S / $1 npm run e2e => boom / Done. :: incomplete nudged failed :: incomplete nudged failed
  $ npm run e2e :: > What does the cart do? / It sums up the items. :: complete not_run :: complete not_run
  the docs name the flag :: O / S / $ npm test / D :: abstained unknown :: abstained unknown
  $ npm run a && npm run b :: O / S / $ npm run a && npm run b / $ npm test / D :: complete not_run :: abstained not_run
`

describe("a condition for being done", () => {
  it.each(table(rows))("%s: %s", (condition = "", line = "", there, alone) => {
    const told = [true, false].map((attended) => {
      const { acceptance, shouldContinue, status } = judge([condition.replaceAll("\\`", "`")], line, attended)
      return [status, ...(shouldContinue ? ["nudged"] : []), acceptance?.[0]?.result].join(" ")
    })
    assert.deepStrictEqual(told, [there, alone])
  })

  it("evidence names the proving call or how to run the command; a failure is HIGH", () => {
    const proved = judge(["`npm run e2e` passes"], "O / S / #c9 $ npm run e2e / D").acceptance
    const evidence = ["`npm run e2e` exited 0 (c9)", "npm exited 0"]
    assert.deepStrictEqual(proved, [{ id: "d1", text: "`npm run e2e` passes", result: "passed", evidence }])
    const open = judge(["`npm run e2e` passes"], "O / S / D")
    assert.match(open.acceptance?.[0]?.evidence[0] ?? "", /^not run: .*--checks/)
    for (const part of ["Run `npm run e2e` now", "a condition for this task being done"])
      assert.include(open.feedback, part)
    const failed = judge(["$ npm run e2e"], "O / S / $1 npm run e2e => boom / Done.")
    assert.deepStrictEqual([failed.severity, failed.findings.map(({ gate }) => gate)], ["HIGH", ["done-when:d1"]])
    assert.include(judge(["the docs name the flag"], "O / S / $ npm test / D").reason, "the docs name the flag")
    assert.notProperty(judge([], "O / S / D"), "acceptance")
  })

  it("the command of a condition, single or chained, is a check that is due", () => {
    const doneWhen = ["$ npm run a && npm run b", "$ npm run e2e"]
    const { checks } = merge(defaults, { doneWhen })
    assert.deepStrictEqual(checks, [
      { name: "done-when:d1", command: "npm run a && npm run b", timeout: 300 },
      { name: "done-when:d2", command: "npm run e2e", timeout: 300 }
    ])
    const due = DueChecks.required(judge(doneWhen, "O / S / D"), checks)
    assert.sameMembers([...due], ["done-when:d1", "done-when:d2"])
  })
})

const commands = ({ doneWhen }: ReflexionConfig.ReflexionConfig) => doneWhen.map(({ command }) => command)

describe("conditions in files", () => {
  const said = { doneWhen: ["`make e2e` passes", { text: "it builds", command: "make" }, "the docs say so"] }

  it("commands in the user's own file and in a trusted workspace may run", () => {
    for (const config of [merge(defaults, said), mergeTrusted(defaults, said)]) {
      assert.deepStrictEqual(commands(config), ["make e2e", "make", null])
      assert.deepStrictEqual([config.checks.length, config.gates.length], [2, 2])
    }
  })

  it("an untrusted workspace adds conditions without commands, and removes none of the user's", () => {
    const config = mergeWorkspace(merge(defaults, { doneWhen: ["$ make lint"] }), said)
    const told = config.doneWhen.map(({ command, id, text }) => `${id} ${text}: ${command}`)
    const named = ["d2 `make e2e` passes: null", "d3 it builds: null", "d4 the docs say so: null"]
    assert.deepStrictEqual(told, ["d1 make lint: make lint", ...named])
    assert.strictEqual(config.checks.map(({ command }) => command).join(), "make lint")
    const own = merge(defaults, { doneWhen: ["`make e2e` passes"] })
    assert.strictEqual(commands(mergeWorkspace(own, said))[0], "make e2e")
  })
})

describe("a condition that only a model can judge", () => {
  const doneWhen = ["the changelog names the release"]
  const config = merge(defaults, { doneWhen, model: "test/m" })
  const events = session("> Fix the rounding of totals. / S / $ npm test / The rounding of totals is fixed.", words)
  const telling = { nonce: "record-x", attempt: 1, maxAttempts: 3, guidance: null, instructions: null }
  const attempt = { ...telling, from: defaults.models.nudgeFrom }
  const cited = { what: "The changelog", event: "d1", quote: "the changelog names the release" }
  const left = assessment({ status: "in_progress", remaining_work: [cited] })

  const turn = (by: ReflexionConfig.ReflexionConfig) => {
    const context = { ...Judgment.defaultContext, config: by, cwd: "/repo" }
    const { state } = Judgment.replay(transcript(events), context)
    const options = { session: transcript(events), context, now: null }
    const judged = Judgment.review(state, options)
    const asked = isAsked(state, judged.verdict, options)
    return { ...turnOf(state, { ...options, transcript: transcript(events), judged }), asked }
  }

  it("evidence alone does not complete the task, and the prompt names the condition", () => {
    const { asked, judged } = turn(config)
    assert.deepStrictEqual([judged.verdict.status, asked], ["abstained", true])
    assert.include(Prompts.selfAssessment(turn(config), telling).prompt, "[d1] the changelog names the release")
  })

  it("a model that cites the condition causes a nudge, but not in an untrusted project", () => {
    assert.isTrue(decide(turn(config), left, attempt).verdict.shouldContinue)
    const untrusted = mergeWorkspace({ ...defaults, model: "test/m" }, { doneWhen })
    const { verdict } = decide(turn(untrusted), left, attempt)
    assert.isFalse(verdict.shouldContinue)
    assert.notInclude(verdict.feedback ?? "", "changelog")
  })

  it("the condition is met or open, as the model says", () => {
    const told = (answer: typeof left) => {
      const judged = decide(turn(config), answer, attempt)
      const asked = { ...unasked(turn(config), "").asked, answer } as const
      return Acceptance.told({ ...judged, asked }, config.doneWhen).verdict.acceptance?.[0]
    }
    assert.deepInclude(told(left), { result: "open", evidence: ["a model: The changelog"] })
    assert.deepInclude(told(assessment()), { result: "met" })
  })
})
