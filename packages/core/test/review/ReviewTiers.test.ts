import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer, Logger, Fiber, Option, TestClock } from "effect"
import * as BeyondEvidence from "../../src/review/tiers/BeyondEvidence.ts"
import type { CheckResult } from "../../src/checks/CheckResult.ts"
import { type Consensus, CrossReview } from "../../src/model/crossreview/CrossReview.ts"
import { type Judged, JudgeService, type ReviewOptions } from "../../src/review/tiers/JudgeService.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { Models } from "../../src/model/calls/Models.ts"
import { CurrentConfig, defaults, merge, type PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import * as ReviewTiers from "../../src/review/tiers/ReviewTiers.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import type { Request } from "../../src/checks/Verification.ts"
import { call, transcript, user } from "../support/events.ts"
import { assessment, german, unchanged, unknownTests } from "../support/opinions.ts"
import { list } from "../support/rows.ts"
import { session, table } from "../support/sessions.ts"
import { type Answers, askLine, checksOf, modelOf, noProcess, reviewersOf } from "../support/tiers.ts"
import { checkResult } from "../support/checkResult.ts"
import { works } from "../support/works.ts"
import type * as Lines from "../../src/model/calls/AskLines.ts"
import { AskLog, AskLogError } from "../../src/model/calls/AskLog.ts"
import * as AskedLine from "../../src/review/tiers/AskedLine.ts"

const quote = 'const query = "SELECT * FROM carts WHERE id = " + id'

const diff = `diff --git a/src/cart.ts b/src/cart.ts
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -1 +1 @@
-const total = 1
+${quote}
`

const comment = "The id goes into the query as it came."

const consensusOf = (isAgreed: boolean): Consensus => ({
  complete: isAgreed,
  dissent: isAgreed
    ? []
    : [{ role: "reviewer", modelId: "test/reviewer", file: "src/cart.ts", quote, comment, severity: "HIGH" }],
  remarks: [],
  sessions: [],
  leftOut: [],
  cost: { modelCalls: 1, inputTokens: 1000, outputTokens: 20 }
})

const red = checkResult()
const green = checkResult({ result: "passed", exitCode: 0, failing: [], detail: "4 passed" })

const options: ReviewTiers.Options = { state: "/state", within: [], diffOf: () => Effect.succeed(diff) }

const everything: PartialConfig = {
  model: "test/judge",
  checks: [{ name: "tests", command: "npm test", timeout: 60 }],
  crossReview: { reviewer: "test/reviewer" }
}

interface Setting {
  readonly config?: PartialConfig
  readonly options?: Partial<ReviewTiers.Options>
  readonly answers?: Answers
  readonly results?: ReadonlyArray<CheckResult>
  readonly consensus?: Consensus
  readonly review?: ReviewOptions
  /** Models for every question, including the reviewers' questions. */
  readonly models?: Readonly<Record<string, Asked>>
}

type Asked = Effect.Effect.Success<ReturnType<typeof modelOf>>

const platform = Layer.merge(noProcess(true), Logger.remove(Logger.defaultLogger))

/** The result of a stop after all tiers, and what was asked for it. */
const judge = Effect.fnUntraced(function* (events: ReadonlyArray<TranscriptEvent>, setting: Setting = {}) {
  const { answers = () => null, config = everything, consensus = consensusOf(true), results = [] } = setting
  const model = yield* modelOf(answers)
  const models = Object.entries(setting.models ?? { "test/judge": model })
  const ran: Array<Request> = []
  const reviewed: Array<string> = []
  const reviewers: Layer.Layer<CrossReview, never, CurrentConfig | Models> =
    setting.models === undefined ? reviewersOf(consensus, reviewed) : CrossReview.Live
  return yield* Effect.gen(function* () {
    const service = yield* JudgeService
    const judged = yield* service.review(transcript(events), setting.review ?? { attempt: 1 })
    const calls = yield* Effect.forEach(models, ([name, { asked }]) => Effect.map(asked, (count) => `${name} ${count}`))
    return { judged, verdict: judged.verdict, ran, reviewed, calls: calls.join(", ").replaceAll("test/", "") }
  }).pipe(
    Effect.provide(
      JudgeService.layer(ReviewTiers.consult({ ...options, ...setting.options })).pipe(
        Layer.provide(checksOf(results, ran)),
        Layer.provide(reviewers),
        Layer.provide([
          platform,
          CurrentConfig.layer(config),
          Models.Test(Object.fromEntries(models.map(([name, { service }]) => [name, service])))
        ])
      )
    )
  )
})

const words = {
  asked: "> Fix the bug in the cart. All tests must pass.",
  source: "edit /repo/src/cart.ts",
  ran: "$ npm test => Tests:  4 passed, 4 total",
  claims: "I fixed the bug in the cart. All tests pass now."
}

const events = (line: string) => session(line, words)

const unchecked = events("asked / source / claims")
const checked = events("asked / source / ran / claims")
const plans = events("mode plan / asked / source / claims")

/** Evidence leaves this turn open, because the rules read no German. */
const open = events("> Behebe den Parser. / source / Der Parser ist jetzt behoben.")

const context = { ...Judgment.defaultContext, cwd: "/repo" }

const configured = (over: PartialConfig) => merge(defaults, over)

const done = JSON.stringify(assessment())

const sound = JSON.stringify({ complete: true, summary: "It does what was asked.", comments: [] })

/** Which reviewers gave a verdict on a turn, and why others did not. */
const heardOf = ({ crossReview }: Judged) => {
  const { leftOut = [], sessions = [] } = crossReview?.consensus ?? {}
  const heard = sessions.filter(({ role, verdict }) => role !== "author" && verdict !== undefined)
  return [
    heard.map(({ modelId }) => modelId).join(),
    leftOut.map(({ modelId, reason }) => `${modelId}: ${reason}`).join()
  ] as const
}

const sessions: Readonly<Record<string, ReadonlyArray<TranscriptEvent>>> = {
  german,
  unchanged,
  unknownTests,
  unchecked,
  checked,
  plans
}

const settings: Readonly<Record<string, Setting>> = {
  red: { results: [red] },
  green: { results: [green] },
  silent: { results: [checkResult({ result: "unavailable", detail: "no npm" })] },
  dissent: { consensus: consensusOf(false) },
  done: { answers: () => done },
  alone: { config: {} },
  elsewhere: { config: { ...everything, model: "test/other" } },
  broken: { options: { diffOf: () => Effect.dieMessage("git is gone") } },
  mute: { options: { diffOf: () => Effect.succeed(null) } },
  unboxed: { options: { within: null } },
  forbidden: { options: { checks: false } }
}

/** A stop, its setting, its verdict, how often a check, a review and a model were asked for, and what is said of it. */
const rows = String.raw`
  a missing check that fails :: unchecked :: red :: incomplete, verification, sent on :: 1 0 0 :: cart › empties
  a missing check that passes :: unchecked :: green :: complete, verification :: 1 1 1 ::
  a reviewer who shows a defect :: unchecked :: green dissent :: incomplete, cross_review, sent on :: 1 1 1 :: Code Review Comment (src
  a check that says nothing :: unknownTests :: silent done :: complete, evidence :: 1 1 1 :: no npm
  what evidence leaves open :: unchanged :: done :: complete, model :: 0 0 1 :: test/judge
  nothing that is configured :: german :: alone :: abstained, evidence :: 0 0 0 ::
  a model that is down :: german :: :: abstained, evidence :: 1 0 1 :: did not answer
  a model that does not exist :: german :: elsewhere :: abstained, evidence :: 1 0 1 :: did not answer
  a git that fails :: checked :: broken :: complete, evidence :: 0 0 1 :: git is gone
  a git that is silent :: checked :: mute :: complete, evidence :: 0 0 1 :: git does not show what was changed
  a sandbox that does not work :: unchecked :: red unboxed :: incomplete, evidence, sent on :: 0 0 0 :: sandbox does not work
  no leave to run :: unchecked :: red forbidden :: incomplete, evidence, sent on :: 0 0 0 ::
  a plan :: plans :: red :: incomplete, evidence :: 0 0 0 ::
  a check that is known :: checked :: red :: complete, evidence :: 0 1 1 ::
`

const named = (name: string) => (name === "auto" ? name : `test/${name}`)

describe("ReviewTiers", () => {
  it.effect.each(table(rows))("with %s", ([, name = "", setting = "", expected = "", counts = "", said = ""]) =>
    Effect.gen(function* () {
      const given = setting.split(" ").reduce<Setting>((all, one) => ({ ...all, ...settings[one] }), {})
      const { calls, judged, ran, reviewed, verdict } = yield* judge(sessions[name] ?? assert.fail(name), given)
      const { feedback, shouldContinue, source, status } = verdict
      assert.strictEqual(`${status}, ${source}${shouldContinue ? ", sent on" : ""}`, expected)
      assert.strictEqual(`${ran.length} ${reviewed.length} ${calls}`, counts.replace(/(\d)$/, "judge $1"))
      const { asked, checks, crossReview } = judged
      assert.include(JSON.stringify({ feedback, asked, checks, problem: crossReview?.problem }), said)
      if (ran.length > 0) assert.deepInclude(ran[0], { directory: "/repo" })
      if (setting === "forbidden" || setting === "alone")
        assert.deepStrictEqual([asked, checks], [undefined, undefined])
    })
  )

  const altered =
    'the task changed `/repo/package.json`: `"test": "vitest run"` became `"test": "vitest run test/a.test.ts"`'

  it.effect.each<readonly [string, string, string, string | undefined]>([
    ["package.json", '"test": "vitest run"', '"test": "vitest run test/a.test.ts"', altered],
    ["package.json", '"version": "1.0.0"', '"version": "1.1.0"', undefined],
    ["package.json", '"lint": "eslint ."', '"lint": "eslint . || true"', undefined],
    [".eslintrc.json", '"no-console": "error"', '"no-console": "off"', undefined]
  ])("a passed check that the task changed proves nothing, and names the change: %s %s", ([file, old, next, found]) =>
    Effect.gen(function* () {
      const changed = call("Edit", { file_path: `/repo/${file}`, old_string: old, new_string: next })
      const all = [...unchecked.slice(0, 2), changed, ...unchecked.slice(2)]
      const { judged, verdict } = yield* judge(all, { results: [green] })
      assert.strictEqual(judged.checks?.[0]?.altered, found)
      const [tests] = verdict.gates.filter(({ gate }) => gate === "tests")
      assert.strictEqual(tests?.result, found === undefined ? "passed" : "unknown")
    })
  )

  works("tells the agent of a review comment once, then gives the user its answer", function* () {
    const consensus = consensusOf(false)
    const first = yield* judge(checked, { consensus })
    assert.deepStrictEqual([first.reviewed.length, first.verdict.shouldContinue], [1, true])
    const reminded = [...checked, user(first.verdict.feedback ?? "", { synthetic: true })]
    const answer = events("The comment does not hold: the id is a number. I left it.")
    const again = yield* judge([...reminded, ...answer], { consensus, review: { attempt: 2 } })
    assert.deepInclude(again.verdict, { status: "incomplete", shouldContinue: false, feedback: null })
    assert.include(again.verdict.missing[0], 'the agent answered "The comment does not hold')
    assert.deepStrictEqual(again.judged.progress?.done, [])
    const rerun = yield* judge([...reminded, ...events("ran"), ...answer], { consensus, review: { attempt: 2 } })
    assert.isFalse(rerun.judged.wouldContinue, "running the checks moves evidence, and answers no comment")
  })

  it.effect("a record too long to hold → no cross review, and the problem says so", () => {
    const reviewed: Array<string> = []
    return Effect.gen(function* () {
      const config = { ...everything, model: "off" }
      const turn = { session: transcript(checked), context: { ...context, config: configured(config) }, now: null }
      const { state } = Judgment.replay(turn.session, turn.context)
      const seen = { state, options: turn, judged: Judgment.review(state, { ...turn, attempt: 1 }), attempt: 1 }
      const consult = yield* ReviewTiers.consult(options)
      const judged = yield* consult({ ...seen, transcript: { ...turn.session, events: [] } })
      assert.deepStrictEqual([judged.verdict.status, reviewed], ["complete", []])
      assert.include(judged.crossReview?.problem, "too long to find out what the task changed")
    }).pipe(
      Effect.provide([checksOf([]), reviewersOf(consensusOf(false), reviewed), Models.Test({})]),
      Effect.provide([platform, CurrentConfig.layer({ ...everything, model: "off" })])
    )
  })

  const why = "the model judged the turn itself"

  // Evidence calls the turn `checked` done, but the model is asked. Its answer is not a judge's, so there are three
  // calls.
  it.effect.each<readonly [string, string, object, string, string | RegExp, string]>([
    ["open", "one", { reviewer: "one" }, "", `one: ${why}; name another model in crossReview.reviewer`, "one 1, two 0"],
    ["open", "one", { reviewer: "two" }, "two", "", "one 1, two 1"],
    ["checked", "two", { reviewer: "two" }, "two", "", "two 3"],
    ["open", "auto", { reviewer: "one", auditor: "two" }, "two", `one: ${why}`, "down 1, one 1, two 1"],
    ["open", "down", { reviewer: "down" }, "", /^test\/down: (?!the model judged)/, "down 2, one 1, two 0"]
  ])("the model that really judged gives no second opinion: %s, %s, %j", ([what, model, roles, ...expected]) =>
    Effect.gen(function* () {
      const [heard, leftOut, calls] = expected
      const models: Record<string, Asked> = {}
      for (const one of calls.split(", ")) {
        const [name = ""] = one.split(" ")
        models[named(name)] = yield* modelOf(() => ({ one: done, two: sound })[name] ?? null)
      }
      const crossReview = Object.fromEntries(Object.entries(roles).map(([role, name]) => [role, named(name)]))
      const config = { model: named(model), crossReview }
      const found = yield* judge(what === "open" ? open : checked, { config, models })
      const [who, whyNot] = heardOf(found.judged)
      assert.deepStrictEqual([who, found.calls], [heard === "" ? "" : named(heard), calls])
      if (leftOut === "") assert.strictEqual(whyNot, "")
      else if (typeof leftOut === "string") assert.include(whyNot, named(leftOut))
      else assert.match(whyNot, leftOut)
    })
  )

  works("the judge and the reviewers share one review's token limit", function* () {
    const model = yield* modelOf(() => done, { inputTokens: 2900, outputTokens: 10 })
    const config = { ...everything, checks: [], models: { tokensPerReview: 3000 } }
    const { judged } = yield* judge(open, { config, models: { "test/judge": model, "test/reviewer": model } })
    assert.strictEqual(judged.asked?.problem, null)
    assert.include(heardOf(judged)[1], "models.tokensPerReview")
    assert.strictEqual(yield* model.asked, 1)
  })

  const parts = list`
    source ¦ ran ¦ claims ¦ $1 npm test => Tests:  1 failed, 4 total ¦ $ npm test | tail => ok ¦ $ git status
    Als Nächstes schreibe ich die Tests.
  `

  const work = fc.record({
    what: fc.constantFrom("the tests", "the docs"),
    event: fc.constantFrom("e1", "e2", "e9"),
    quote: fc.constantFrom("ok", "1 failed", "npm test", "schreibe ich die Tests")
  })

  const answer = fc.oneof(
    fc.constant(null),
    fc.string(),
    fc
      .record({
        status: fc.constantFrom("complete", "in_progress", "blocked", "stuck", "waiting_for_user"),
        confidence: fc.double({ min: 0, max: 1, noNaN: true }),
        remaining_work: fc.array(work, { maxLength: 2 })
      })
      .map((given) => JSON.stringify({ ...assessment(), ...given }))
  )

  const silent = ["timed_out", "unavailable"] as const
  const result = fc.constantFrom(red, green, ...silent.map((one) => checkResult({ result: one })))

  it("never complete despite a failed gate or a dissent; nudges only for open turns", async () => {
    let sent = 0
    const property = fc.asyncProperty(
      fc.array(fc.constantFrom(...parts), { maxLength: 6 }),
      fc.constantFrom("asked", "> Behebe den Parser."),
      answer,
      fc.array(result, { maxLength: 1 }),
      fc.boolean(),
      (between, task, said, results, dissents) =>
        Effect.gen(function* () {
          const all = events([task, ...between, "claims"].join(" / "))
          const setting = { answers: () => said, results, consensus: consensusOf(!dissents) }
          const { judged, ran, reviewed, verdict } = yield* judge(all, setting)
          const { asked } = judged
          if (verdict.source === "model" && verdict.shouldContinue) {
            assert.isAtLeast(asked?.answer?.push ?? 0, defaults.models.nudgeFrom)
            sent += 1
          }
          assert.strictEqual(verdict.complete, verdict.status === "complete")
          if (verdict.complete) {
            const required = verdict.gates.filter((gate) => gate.required)
            assert.isFalse(required.some(({ result }) => result === "failed" || result === "missing"))
            assert.isFalse(ran.length > 0 && results.some(({ result }) => result === "failed"))
            assert.isFalse(dissents && reviewed.length > 0)
          }
          assert.isTrue(!judged.wouldContinue || verdict.status === "incomplete" || verdict.status === "stuck")
          assert.strictEqual(verdict.feedback === null, !verdict.shouldContinue)
          assert.strictEqual(judged.mark, Judgment.mark(Judgment.replay(transcript(all), context).state, context))
        }).pipe(Effect.runPromise)
    )
    const missing = [{ what: "the docs", event: "e1", quote: "1 failed" }]
    const nudging = JSON.stringify(assessment({ status: "in_progress", push: 1, remaining_work: missing }))
    await fc.assert(property, { numRuns: 60, examples: [[[], "asked", nudging, [green], true]] })
    assert.isAbove(sent, 0)
  })
})

const { checks = [] } = everything

const auto = { model: "auto" }

it.each<readonly [string, ReadonlyArray<TranscriptEvent>, PartialConfig, boolean]>([
  ["an unchecked change", unchecked, { checks }, true],
  ["a change that was checked", checked, { checks }, false],
  ["a text that rules cannot read", german, auto, true],
  ["what evidence calls done", checked, auto, true],
  ["an answer", events("> What does parse() return? / A list."), auto, false],
  ["a change that is done", checked, { crossReview: { reviewer: "a/b" } }, true],
  ["a change that is open", unchecked, { crossReview: { reviewer: "a/b" } }, false],
  ["a plan", plans, everything, false]
])("whether more than evidence is needed for %s: %#", (_, events, over, expected) => {
  const turn = { session: transcript(events), context: { ...context, config: configured(over) }, now: null }
  const { state } = Judgment.replay(turn.session, turn.context)
  assert.isTrue(BeyondEvidence.isConfigured(turn.context.config))
  assert.isFalse(BeyondEvidence.isConfigured(defaults))
  assert.strictEqual(BeyondEvidence.isDue(state, Judgment.verdict(state, turn), turn), expected)
})

it("BeyondEvidence.longest covers the checks, the judge and the reviewers", () => {
  const { checks } = configured(everything)
  assert.isAtLeast(BeyondEvidence.longest(configured(everything)), 3 * 60 + 60)
  assert.isAbove(BeyondEvidence.longest({ ...defaults, checks }), BeyondEvidence.longest(defaults) + 60)
})

const own = "claude-code/small"

interface Asking {
  /** What the model says: "down" is a failure, "never" no answer. */
  readonly said?: ReadonlyArray<string>
  readonly kept?: ReadonlyArray<Lines.AskLine>
  readonly config?: PartialConfig
  readonly attended?: boolean
  readonly log?: Layer.Layer<AskLog>
}

const answering = (said: ReadonlyArray<string>) =>
  modelOf(
    ({ count }) => {
      const text = said[count] ?? done
      if (text === "down") return null
      return text === "never" ? Effect.never : Effect.as(TestClock.adjust("4100 millis"), text)
    },
    { inputTokens: 3600, outputTokens: 12 }
  )

/** Reviews a session's stop `count` times. Returns the verdicts, the log's lines and the model's calls. */
const stops = Effect.fnUntraced(function* (count: number, setting: Asking = {}) {
  const { attended, config, kept = [], log = AskLog.Memory, said = [] } = setting
  const model = yield* answering(said)
  return yield* Effect.gen(function* () {
    const log = yield* AskLog
    for (const line of kept) yield* Effect.orDie(log.add(line))
    const service = yield* JudgeService
    const session = transcript(german, attended === undefined ? {} : { attended })
    const judged = yield* Effect.replicateEffect(service.review(session, { attempt: 1 }), count)
    return { judged, lines: yield* Effect.orElseSucceed(log.read, () => []), calls: yield* model.asked }
  }).pipe(
    Effect.provide(
      JudgeService.layer(ReviewTiers.consult({ state: "/state", within: [] })).pipe(
        Layer.provide([checksOf([]), CrossReview.Live]),
        Layer.provide([
          noProcess(false),
          CurrentConfig.layer({ model: own, ...config }),
          Models.Test({ [config?.model ?? own]: model.service }),
          Logger.remove(Logger.defaultLogger)
        ]),
        Layer.provideMerge(log)
      )
    )
  )
})

describe("a question at a stop", () => {
  works("is logged with its time and tokens, and described in a few words", function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 27, 9))
    const { judged, lines } = yield* stops(1)
    const kept = { at: "2026-11-27T09:00:00.000Z", host: "transcript", inputTokens: 3600, outputTokens: 12 }
    assert.deepStrictEqual(lines, [askLine(kept)])
    const [{ asked, verdict } = {}] = judged
    assert.strictEqual(AskedLine.describe(asked), "asked claude-code/small: 4.1 s, 3,612 tokens")
    assert.deepStrictEqual([asked?.told, verdict?.cost.modelCalls], [null, 1])
  })

  it.effect.each<readonly [string, string, number, ReadonlyArray<string>, string]>([
    ["a host's own", own, 20, ["never"], "timed_out"],
    ["a configured one", "local/large", 60, ["never"], "timed_out"],
    ["a host's own and its second reader together", own, 20, ["no JSON", "never"], "no answer within"],
    ["a configured one and its second reader together", "local/large", 60, ["no JSON", "never"], "no answer within"]
  ])("is late after the model's time limit: %s", ([, model, seconds, said, reason]) =>
    Effect.gen(function* () {
      const waiting = yield* Effect.fork(stops(1, { said, config: { model } }))
      // The first answer takes 4.1 seconds of the test's time by itself.
      yield* TestClock.adjust(seconds * 1000 - (said.length > 1 ? 4101 : 1))
      assert.isTrue(Option.isNone(yield* Fiber.poll(waiting)))
      yield* TestClock.adjust(1)
      const { calls, judged, lines } = yield* Fiber.join(waiting)
      assert.deepStrictEqual([calls, judged[0]?.verdict.status], [said.length, "abstained"])
      assert.include(judged[0]?.verdict.reason, reason)
      assert.deepInclude(lines[0], { end: "late", model, ms: seconds * 1000 })
      assert.strictEqual(BeyondEvidence.longest({ ...defaults, model }) - BeyondEvidence.longest(defaults), seconds)
    })
  )

  works("after three questions without an answer, the session asks no more, and says so once", function* () {
    const { calls, judged, lines } = yield* stops(5, { said: ["down", "no JSON", "neither", "down", "down"] })
    assert.strictEqual(calls, 4, "the answer that could not be read had a second reader")
    assert.strictEqual(lines.map(({ end }) => end).join(), "failed,unreadable,failed")
    const told = judged.flatMap(({ asked }, at) => (asked?.told ? [`${at} ${asked.told}`] : []))
    assert.lengthOf(told, 1)
    assert.match(told[0] ?? "", /^2 .*no model is asked in this session any more/)
    assert.isTrue(judged.every(({ verdict }) => verdict.status === "abstained" && !verdict.shouldContinue))
    assert.include(judged[4]?.verdict.reason, "No model is asked in this session any more")
    assert.isNull(AskedLine.describe(judged[4]?.asked))
    assert.strictEqual(AskedLine.describe(judged[2]?.asked), "asked claude-code/small: no answer, 0.0 s")
  })

  works("counts toward models.callsPerDay over all attended sessions, until midnight UTC", function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 27, 23, 59))
    const yesterday = askLine({ at: "2026-11-26T23:59:59.999Z" })
    const unattended = askLine({ at: "2026-11-27T08:00:00.000Z", attended: false })
    const today = Array.from({ length: 19 }, (_, count) =>
      askLine({ at: `2026-11-27T0${count % 10}:00:00.000Z`, session: `other-${count}` })
    )
    const kept = [yesterday, unattended, ...today]
    const { calls, judged } = yield* stops(3, { kept })
    assert.strictEqual(calls, 1)
    assert.include(judged[1]?.verdict.reason, "20 questions")
    assert.include(judged[1]?.asked?.problem, "models.callsPerDay")
    assert.strictEqual((yield* stops(2, { kept: [...kept, ...today], attended: false })).calls, 2)
    assert.strictEqual((yield* stops(1, { config: { models: { callsPerDay: 0 } } })).calls, 0)
    yield* TestClock.setTime(Date.UTC(2026, 10, 28))
    assert.strictEqual((yield* stops(1, { kept: [...kept, ...today] })).calls, 1)
  })

  works("is not asked if it cannot be counted or would cost too much", function* () {
    const broken = new AskLogError({ file: "/state/models/asks.jsonl", cause: "EACCES" })
    const refuses = () => broken
    const uncounted = { add: refuses, again: refuses, read: broken, spend: refuses, spent: broken }
    const { calls, judged } = yield* stops(1, { log: Layer.succeed(AskLog, uncounted) })
    assert.strictEqual(calls, 0)
    assert.include(judged[0]?.verdict.reason, "/state/models/asks.jsonl")
    const costly = yield* stops(1, { config: { models: { tokensPerReview: 1 } } })
    assert.deepStrictEqual([costly.calls, costly.lines.length], [0, 0])
  })
})
