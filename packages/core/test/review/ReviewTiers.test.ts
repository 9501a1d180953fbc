import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer, Logger } from "effect"
import * as BeyondEvidence from "../../src/review/tiers/BeyondEvidence.ts"
import type { CheckResult } from "../../src/checks/CheckResult.ts"
import { type Consensus, CrossReview, CrossReviewRecord } from "../../src/model/crossreview/CrossReview.ts"
import { type Judged, JudgeService, type ReviewOptions } from "../../src/review/tiers/JudgeService.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { Models } from "../../src/model/calls/Models.ts"
import { CurrentConfig, defaults, merge, type PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import * as ReviewState from "../../src/review/machine/ReviewState.ts"
import * as ReviewTiers from "../../src/review/tiers/ReviewTiers.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { Verification, VerificationRecord } from "../../src/checks/Verification.ts"
import { agent, call, edit, mode, run, transcript, user } from "../support/events.ts"
import { assessment, german, unchanged, unknownTests } from "../support/opinions.ts"
import { type Answers, modelOf, noProcess } from "../support/tiers.ts"
import { checkResult } from "../support/checkResult.ts"

const diff = `diff --git a/src/cart.ts b/src/cart.ts
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -1 +1 @@
-const total = 1
+const query = "SELECT * FROM carts WHERE id = " + id
`

const quote = 'const query = "SELECT * FROM carts WHERE id = " + id'

const dissent = {
  file: "src/cart.ts",
  quote,
  comment: "The id goes into the query as it came.",
  severity: "HIGH"
} as const

const consensusOf = (comments: ReadonlyArray<typeof dissent>): Consensus => ({
  complete: comments.length === 0,
  dissent: comments.map((comment) => ({ role: "reviewer", modelId: "test/reviewer", ...comment })),
  remarks: [],
  sessions: [],
  leftOut: [],
  cost: { modelCalls: 1, inputTokens: 1000, outputTokens: 20 }
})

const red = checkResult()
const green = checkResult({ result: "passed", exitCode: 0, failing: [], detail: "4 passed" })

const platform = noProcess(true)

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
}

/** What a stop gives through all tiers, and what was asked for it. */
const judge = Effect.fnUntraced(function* (events: ReadonlyArray<TranscriptEvent>, setting: Setting = {}) {
  const model = yield* modelOf(setting.answers ?? (() => null))
  const judging = Effect.gen(function* () {
    const service = yield* JudgeService
    const judged: Judged = yield* service.review(transcript(events), setting.review ?? { attempt: 1 })
    const ran = yield* Effect.flatMap(VerificationRecord, ({ asked }) => asked)
    const reviewed = yield* Effect.flatMap(CrossReviewRecord, ({ asked }) => asked)
    return { judged, verdict: judged.verdict, ran, reviewed, calls: yield* model.asked }
  })
  return yield* judging.pipe(
    Effect.provide(
      JudgeService.layer(ReviewTiers.consult({ ...options, ...setting.options })).pipe(
        Layer.provideMerge(Verification.Test(setting.results ?? [])),
        Layer.provideMerge(CrossReview.Test(setting.consensus ?? consensusOf([]))),
        Layer.merge(Logger.remove(Logger.defaultLogger)),
        Layer.provide([
          platform,
          CurrentConfig.layer(setting.config ?? everything),
          Models.Test({ "test/judge": model.service })
        ])
      )
    )
  )
})

const change = (file_path: string, old_string: string, new_string: string) =>
  call("Edit", { file_path, old_string, new_string })

const asked = user("Fix the bug in the cart. All tests must pass.")
const claims = agent("I fixed the bug in the cart. All tests pass now.")
const unchecked = [asked, edit("/repo/src/cart.ts"), claims]
const checked = [asked, edit("/repo/src/cart.ts"), run("npm test", 0, "Tests:  4 passed, 4 total"), claims]

const context = { ...Judgment.defaultContext, cwd: "/repo" }

const markOf = (events: ReadonlyArray<TranscriptEvent>) =>
  Judgment.mark(Judgment.replay(transcript(events), context).state, context)

const immediate: ReviewState.ReviewOptions = { ...ReviewState.defaultOptions, raceWindow: 0, cooldown: 0 }

const said = (id: string): ReviewState.ReviewEvent => ({ _tag: "UserMessage", id, genuine: true, at: 0 })

/** The agent stops, and its stop is judged so. */
const stopped = (state: ReviewState.ReviewState, judged: Judged) => {
  const [reviewing] = ReviewState.decide(state, { _tag: "Idle", at: 1 }, immediate)
  const outcome = ReviewState.outcomeOf(judged)
  const finished = { _tag: "ReviewFinished", review: reviewing.reviews, outcome, at: 2 } as const
  const [after, actions] = ReviewState.decide(reviewing, finished, immediate)
  const [quiet] = ReviewState.decide(after, { _tag: "InjectionDone", review: reviewing.reviews, at: 3 }, immediate)
  const [working] = ReviewState.decide(quiet, { _tag: "AssistantMessage", at: 4 }, immediate)
  return [working, actions] as const
}

const broken = () => Effect.dieMessage("git is gone")

const configured = (over: PartialConfig) => merge(defaults, over)

/** Whether anything beyond evidence has something to do at a stop. */
const isDue = (events: ReadonlyArray<TranscriptEvent>, over: PartialConfig) => {
  const session = transcript(events)
  const given = { ...context, config: configured(over) }
  const { state } = Judgment.replay(session, given)
  const turn = { session, context: given, now: null }
  return BeyondEvidence.isDue(state, Judgment.verdict(state, turn), turn)
}

const done = JSON.stringify(assessment())

/** The same of a task whose record is too long to be held, so that nothing but its folded state is there. */
const unheld = Effect.fnUntraced(function* (events: ReadonlyArray<TranscriptEvent>, setting: Setting = {}) {
  const session = transcript(events)
  const given = { ...context, config: configured(setting.config ?? everything) }
  const { state } = Judgment.replay(session, given)
  const turn = { session, context: given, now: null, attempt: 1 }
  const seen = { state, options: turn, judged: Judgment.review(state, turn), attempt: 1 }
  return yield* Effect.gen(function* () {
    const consult = yield* ReviewTiers.consult({ ...options, ...setting.options })
    const judged = yield* consult({ ...seen, transcript: { ...session, events: [] } })
    return { judged, reviewed: yield* Effect.flatMap(CrossReviewRecord, ({ asked }) => asked) }
  }).pipe(
    Effect.provide([Verification.Test(setting.results ?? []), CrossReview.Test(consensusOf([dissent]))]),
    Effect.provide([
      platform,
      CurrentConfig.layer(setting.config ?? everything),
      Models.Test({}),
      Logger.remove(Logger.defaultLogger)
    ])
  )
})

/** Evidence leaves it open, for the rules read no German. */
const open = [user("Behebe den Parser."), edit("/repo/src/cart.ts"), agent("Der Parser ist jetzt behoben.")]

const sound = JSON.stringify({ complete: true, summary: "It does what was asked.", comments: [] })

/** What comes of a stop through all tiers, with these models for every question. */
const withModels = (
  events: ReadonlyArray<TranscriptEvent>,
  models: Parameters<typeof Models.Test>[0],
  config: PartialConfig
) =>
  Effect.flatMap(JudgeService, (service) => service.review(transcript(events), { attempt: 1 })).pipe(
    Effect.provide(
      JudgeService.layer(ReviewTiers.consult(options)).pipe(
        Layer.provide([Verification.Test([]), CrossReview.Live]),
        Layer.provide(Models.Test(models)),
        Layer.provide([platform, CurrentConfig.layer(config), Logger.remove(Logger.defaultLogger)])
      )
    )
  )

/** What reviewers say of a turn, from models that answer as told: who was heard, and why somebody was not. */
const opinions = Effect.fnUntraced(function* (
  events: ReadonlyArray<TranscriptEvent>,
  { config, models }: Required<Pick<Setting, "config">> & { readonly models: Readonly<Record<string, string | null>> }
) {
  const made = yield* Effect.forEach(Object.entries(models), ([name, answer]) =>
    Effect.map(
      modelOf(() => answer),
      (model) => ({ name, ...model })
    )
  )
  const served = Object.fromEntries(made.map(({ name, service }) => [name, service]))
  const judged = yield* withModels(events, served, config)
  const { leftOut = [], sessions = [] } = judged.crossReview?.consensus ?? {}
  return {
    judged,
    calls: Object.fromEntries(yield* Effect.forEach(made, ({ asked, name }) => Effect.map(asked, (n) => [name, n]))),
    heard: sessions.flatMap(({ modelId, role, verdict }) =>
      role === "author" || verdict === undefined ? [] : [modelId]
    ),
    leftOut: leftOut.map(({ modelId, reason }) => `${modelId}: ${reason}`)
  }
})

describe("ReviewTiers", () => {
  it.effect("runs a missing check, names the failing test, and asks nobody else", () =>
    Effect.gen(function* () {
      const { calls, judged, ran, reviewed, verdict } = yield* judge(unchecked, { results: [red] })
      assert.deepStrictEqual(
        ran.map(({ checks, directory }) => [directory, ...checks.map(({ name }) => name)]),
        [["/repo", "tests"]]
      )
      assert.deepStrictEqual(
        [verdict.status, verdict.source, verdict.shouldContinue],
        ["incomplete", "verification", true]
      )
      assert.include(verdict.feedback, "cart › empties")
      assert.deepStrictEqual(judged.checks, [red])
      assert.deepStrictEqual([calls, reviewed.length], [0, 0])
    })
  )

  it.effect("takes no green for proof where the task changed the check's script or its settings, and names that", () =>
    Effect.gen(function* () {
      const results = [green]
      const said = Effect.fnUntraced(function* (...edits: ReadonlyArray<TranscriptEvent>) {
        const { judged, verdict } = yield* judge([asked, edit("/repo/src/cart.ts"), ...edits, claims], { results })
        return [verdict.gates.find(({ gate }) => gate === "tests")?.result, judged.checks?.[0]?.altered]
      })
      const narrowed = change("/repo/package.json", '"test": "vitest run"', '"test": "vitest run test/a.test.ts"')
      assert.deepStrictEqual(yield* said(narrowed), [
        "unknown",
        'the task changed `/repo/package.json`: `"test": "vitest run"` became `"test": "vitest run test/a.test.ts"`'
      ])
      for (const other of [
        change("/repo/package.json", '"version": "1.0.0"', '"version": "1.1.0"'),
        change("/repo/package.json", '"lint": "eslint ."', '"lint": "eslint . || true"'),
        change("/repo/.eslintrc.json", '"no-console": "error"', '"no-console": "off"')
      ])
        assert.deepStrictEqual(yield* said(other), ["passed", undefined])
    })
  )

  it.effect("has what passed reviewed by others, of whom one that shows a defect is enough", () =>
    Effect.gen(function* () {
      const agreed = yield* judge(unchecked, { results: [green] })
      assert.deepStrictEqual([agreed.verdict.status, agreed.verdict.source], ["complete", "verification"])
      assert.deepStrictEqual(
        agreed.reviewed.map(({ diff: shown }) => shown),
        [diff]
      )
      assert.strictEqual(agreed.verdict.cost.inputTokens, 1000)
      const { judged, verdict } = yield* judge(unchecked, { results: [green], consensus: consensusOf([dissent]) })
      assert.deepStrictEqual(
        [verdict.status, verdict.source, verdict.shouldContinue],
        ["incomplete", "cross_review", true]
      )
      assert.isTrue(judged.wouldContinue)
      assert.include(verdict.feedback, "Code Review Comment (src/cart.ts at `const query")
      assert.strictEqual(judged.crossReview?.consensus?.dissent.length, 1)
    })
  )

  it.effect("tells the agent of a line once, and then the user what it answered", () =>
    Effect.gen(function* () {
      const setting = { consensus: consensusOf([dissent]) }
      const first = yield* judge(checked, setting)
      assert.deepStrictEqual([first.reviewed.length, first.verdict.shouldContinue], [1, true])
      const reminder = user(first.verdict.feedback ?? "", { synthetic: true })
      const answered = [...checked, reminder, agent("The comment does not hold: the id is a number. I left it.")]
      const again = yield* judge(answered, { ...setting, review: { attempt: 2 } })
      assert.deepInclude(again.verdict, { status: "incomplete", shouldContinue: false, feedback: null })
      assert.include(again.verdict.missing[0], 'the agent answered "The comment does not hold')
      const [nudged] = stopped(ReviewState.decide(ReviewState.initial, said("u1"), immediate)[0], first.judged)
      const [, actions] = stopped(nudged, again.judged)
      assert.deepInclude(
        actions.find(({ _tag }) => _tag === "Notify"),
        { notice: "incomplete" }
      )
      assert.deepStrictEqual(again.judged.progress?.done, [])
      const rerun = [...answered.slice(0, -1), run("npm test", 0, "Tests:  4 passed, 4 total"), ...answered.slice(-1)]
      const third = yield* judge(rerun, { ...setting, review: { attempt: 2 } })
      assert.isFalse(third.judged.wouldContinue, "running the checks moves evidence, and answers no comment")
    })
  )

  it.effect("asks a model where neither decides", () =>
    Effect.gen(function* () {
      const silent = checkResult({ result: "unavailable", detail: "no npm" })
      const { calls, judged, verdict } = yield* judge(unknownTests, { results: [silent], answers: () => done })
      assert.strictEqual(calls, 1)
      assert.deepStrictEqual([verdict.status, verdict.source], ["complete", "evidence"])
      assert.strictEqual(judged.checks?.[0]?.detail, "no npm")
      assert.strictEqual(judged.asked?.by, "self_assessment")
      const open = yield* judge(unchanged, { answers: () => done })
      assert.deepStrictEqual([open.verdict.status, open.verdict.source, open.calls], ["complete", "model", 1])
      assert.strictEqual(open.reviewed.length, 0, "where nothing was changed there is nothing to review")
    })
  )

  it.effect("leaves the verdict as it was where a stage fails, and names what failed", () =>
    Effect.gen(function* () {
      const nothing = yield* judge(german, { config: {} })
      assert.strictEqual(nothing.verdict.status, "abstained")
      assert.isUndefined(nothing.judged.asked)
      const down = yield* judge(german, { answers: () => null })
      assert.deepStrictEqual([down.verdict.status, down.verdict.source], ["abstained", "evidence"])
      assert.include(down.judged.asked?.problem, "did not answer")
      const gone = yield* judge(german, { config: { ...everything, model: "test/other" } })
      assert.deepStrictEqual([gone.verdict.status, gone.verdict.source], ["abstained", "evidence"])
      const { judged, verdict } = yield* judge(checked, { options: { diffOf: broken } })
      assert.strictEqual(verdict.status, "complete")
      assert.include(judged.crossReview?.problem, "git is gone")
      const unknown = yield* judge(checked, { options: { diffOf: () => Effect.succeed(null) } })
      assert.strictEqual(unknown.verdict.status, "complete")
      assert.strictEqual(unknown.judged.crossReview?.problem, "git does not tell what was changed")
    })
  )

  it.effect("runs nothing where the sandbox does not work, without leave, or where nothing is to be decided", () =>
    Effect.gen(function* () {
      const { judged, ran, verdict } = yield* judge(unchecked, { results: [red], options: { within: null } })
      assert.deepStrictEqual(ran, [])
      assert.include(judged.checks?.[0]?.detail, "sandbox does not work")
      assert.strictEqual(verdict.source, "evidence")
      const off = yield* judge(unchecked, { results: [red], options: { checks: false } })
      assert.deepStrictEqual([off.ran, off.judged.checks], [[], undefined])
      const plan = yield* judge([mode("plan"), ...unchecked], { results: [red] })
      assert.deepStrictEqual(plan.ran, [])
      const known = yield* judge(checked, { results: [red] })
      assert.deepStrictEqual([known.ran, known.verdict.status], [[], "complete"])
    })
  )

  it.effect("reviews no change of a task whose record is too long, and says so", () =>
    Effect.gen(function* () {
      const { judged, reviewed } = yield* unheld(checked, { config: { ...everything, model: "off" } })
      assert.deepStrictEqual([judged.verdict.status, reviewed], ["complete", []])
      assert.include(judged.crossReview?.problem, "too long to tell what the task has changed")
    })
  )

  it.effect("takes no second opinion from the model that judged the turn itself, and says so by its name", () =>
    Effect.gen(function* () {
      const models = { "test/judge": done, "test/reviewer": sound }
      const config = { model: "test/judge", crossReview: { reviewer: "test/judge" } }
      const itself = yield* opinions(open, { models, config })
      assert.deepStrictEqual([itself.judged.verdict.status, itself.judged.verdict.source], ["complete", "model"])
      assert.deepStrictEqual(itself.heard, [])
      assert.deepStrictEqual(itself.leftOut, [
        "test/judge: it judged the turn itself; name another in crossReview.reviewer"
      ])
      assert.deepStrictEqual(itself.calls, { "test/judge": 1, "test/reviewer": 0 })
      const other = yield* opinions(open, { models, config: { ...config, crossReview: { reviewer: "test/reviewer" } } })
      assert.deepStrictEqual([other.heard, other.leftOut], [["test/reviewer"], []])
    })
  )

  it.effect("has the judging model review what evidence alone has complete", () =>
    Effect.gen(function* () {
      const config = { model: "test/judge", crossReview: { reviewer: "test/judge" } }
      const { calls, heard, leftOut } = yield* opinions(checked, { models: { "test/judge": sound }, config })
      // Asked whether it is done, and again for the review; that first answer is nothing that a judge can tell.
      assert.deepStrictEqual([calls, heard, leftOut], [{ "test/judge": 3 }, ["test/judge"], []])
    })
  )

  it.effect("goes by the model that really answered, under auto and where one did not answer", () =>
    Effect.gen(function* () {
      const models = { "test/down": null, "test/up": done, "test/third": sound }
      const config = { model: "auto", crossReview: { reviewer: "test/up", auditor: "test/third" } }
      const { calls, heard, leftOut } = yield* opinions(open, { models, config })
      assert.deepStrictEqual(heard, ["test/third"])
      assert.lengthOf(leftOut, 1)
      assert.include(leftOut[0], "test/up: it judged the turn itself")
      assert.strictEqual(calls["test/up"], 1)
      const first = { model: "test/down", crossReview: { reviewer: "test/down" } }
      const named = yield* opinions(open, { models, config: first })
      assert.notInclude(named.leftOut[0], "it judged the turn itself")
    })
  )

  it.effect("keeps the judge and the reviewers within one review's tokens", () =>
    Effect.gen(function* () {
      const model = yield* modelOf(() => done, { inputTokens: 2900, outputTokens: 10 })
      const config: PartialConfig = {
        model: "test/judge",
        crossReview: { reviewer: "test/reviewer" },
        models: { tokensPerReview: 3000 }
      }
      const models = { "test/judge": model.service, "test/reviewer": model.service }
      const judged = yield* withModels(open, models, config)
      assert.strictEqual(judged.asked?.problem, null)
      assert.include(judged.crossReview?.consensus?.leftOut[0]?.reason, "models.tokensPerReview")
      assert.strictEqual(yield* model.asked, 1)
    })
  )

  const events = fc.array(
    fc.constantFrom<TranscriptEvent>(
      edit("/repo/src/cart.ts"),
      run("npm test", 0, "Tests:  4 passed, 4 total"),
      run("npm test", 1, "Tests:  1 failed, 4 total"),
      run("npm test | tail -3", 0, "ok"),
      run("git status", 0),
      agent("Als Nächstes schreibe ich die Tests."),
      claims
    ),
    { maxLength: 6 }
  )

  const status = fc.constantFrom("complete", "in_progress", "blocked", "stuck", "waiting_for_user")

  const answer = fc.oneof(
    fc.constant(null),
    fc.string(),
    fc
      .record({
        status,
        confidence: fc.double({ min: 0, max: 1, noNaN: true }),
        remaining_work: fc.array(
          fc.record({
            what: fc.constantFrom("the tests", "the docs"),
            event: fc.constantFrom("e1", "e2", "e9"),
            quote: fc.constantFrom("ok", "1 failed", "npm test", "schreibe ich die Tests")
          }),
          { maxLength: 2 }
        )
      })
      .map((given) => JSON.stringify({ ...assessment(), ...given }))
  )

  const anyResult = fc.constantFrom(
    red,
    green,
    checkResult({ result: "timed_out" }),
    checkResult({ result: "unavailable" })
  )

  it("is never complete over a failed gate or a dissent, and nudges for nothing but what is open", () => {
    const property = fc.asyncProperty(
      events,
      fc.constantFrom(asked, user("Behebe den Parser.")),
      answer,
      fc.array(anyResult, { maxLength: 1 }),
      fc.boolean(),
      (between, task, said, results, dissents) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const all = [task, ...between, claims]
            const setting = { answers: () => said, results, consensus: consensusOf(dissents ? [dissent] : []) }
            const { judged, ran, reviewed, verdict } = yield* judge(all, setting)
            const required = verdict.gates.filter((gate) => gate.required)
            if (verdict.complete) {
              assert.isFalse(required.some(({ result }) => result === "failed" || result === "missing"))
              assert.isFalse(ran.length > 0 && results.some(({ result }) => result === "failed"))
              assert.isFalse(dissents && reviewed.length > 0)
            }
            assert.isTrue(!judged.wouldContinue || verdict.status === "incomplete" || verdict.status === "stuck")
            assert.strictEqual(verdict.feedback === null, !verdict.shouldContinue)
            assert.strictEqual(judged.mark, markOf(all))
          })
        )
    )
    return fc.assert(property, { numRuns: 20 })
  })
})

describe("BeyondEvidence", () => {
  it("asks for something where any stage is configured", () => {
    assert.isFalse(BeyondEvidence.isConfigured(defaults))
    assert.isTrue(BeyondEvidence.isConfigured(configured({ model: "auto" })))
    assert.isTrue(BeyondEvidence.isConfigured(configured({ crossReview: { auditor: "openai/gpt-5" } })))
    assert.isTrue(BeyondEvidence.isConfigured(configured({ checks: [{ name: "tests", command: "x", timeout: 1 }] })))
  })

  it("has nothing to do about a stop that evidence decides", () => {
    const checks = { checks: everything.checks ?? [] }
    assert.isTrue(isDue(unchecked, checks))
    assert.isFalse(isDue(checked, checks))
    assert.isTrue(isDue(german, { model: "auto" }))
    assert.isTrue(isDue(checked, { model: "auto" }))
    assert.isFalse(isDue([user("What does parse() return?"), agent("A list.")], { model: "auto" }))
    assert.isTrue(isDue(checked, { crossReview: { reviewer: "a/b" } }))
    assert.isFalse(isDue(unchecked, { crossReview: { reviewer: "a/b" } }))
    assert.isFalse(isDue([mode("plan"), ...unchecked], everything))
  })

  it("lasts as long as what it does, and no review is given up before", () => {
    const { checks } = configured(everything)
    assert.isAtLeast(BeyondEvidence.longest(configured(everything)), 3 * 60 + 60)
    assert.isAbove(BeyondEvidence.longest({ ...defaults, checks }), BeyondEvidence.longest(defaults) + 60)
  })
})
