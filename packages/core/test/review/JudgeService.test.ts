import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, TestClock } from "effect"
import { Model } from "../../src/model/calls/Model.ts"
import { ofStatus } from "../../src/model/calls/ModelFailures.ts"
import { JudgeGuidance } from "../../src/review/tiers/JudgeGuidance.ts"
import { JudgeService } from "../../src/review/tiers/JudgeService.ts"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { CurrentConfig } from "../../src/session/config/ReflexionConfig.ts"
import type { Transcript, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { transcript, user } from "../support/events.ts"
import { assessment, german, unchanged } from "../support/opinions.ts"
import { session } from "../support/sessions.ts"
import { type Answers, modelOf } from "../support/tiers.ts"
import { utmost, utmostContext } from "../support/utmost.ts"
import { works, worksWith } from "../support/works.ts"

const noFiles = Layer.merge(FileSystem.layerNoop({}), Path.layer)

const evidence = JudgeService.Evidence.pipe(Layer.provide([noFiles, CurrentConfig.layer({ rules: utmost.rules })]))

const byEvidence = worksWith(evidence)

const onDisk = worksWith(NodeContext.layer)

const stale = transcript(
  session("> Fix the bug and run the tests. / $ npm test => Tests: 5 passed, 5 total / edit /repo/src/a.ts / Done.")
)

const begin = "1970-01-01T00:00:00.000Z"

describe("JudgeService.Evidence", () => {
  byEvidence("judges a growing or rewritten transcript as the pure judge judges the whole one", function* () {
    const judge = yield* JudgeService
    const isPure = (given: Transcript, now = begin) =>
      Effect.map(judge.judge(given), (verdict) => {
        const pure = Judgment.judge(given, { context: utmostContext, now })
        assert.deepStrictEqual({ ...verdict, cost: pure.cost }, pure)
        assert.strictEqual(verdict.cost.modelCalls, 0)
      })
    const more = [user("Now the lexer."), ...stale.events.slice(1)]
    const whole = [...stale.events, ...more, ...more]
    for (let length = 1; length <= whole.length; length++) yield* isPure({ ...stale, events: whole.slice(0, length) })
    const rewritten = [user("Which lexer is it?"), ...whole.slice(1).map((event) => ({ ...event }))]
    yield* isPure({ ...stale, events: rewritten })
    yield* TestClock.setTime(Date.parse("2026-03-02T09:00:00Z"))
    yield* isPure(stale, "2026-03-02T09:00:00.000Z")
    const error = yield* Effect.flip(judge.judge(transcript([], { sessionId: "empty-one" })))
    assert.strictEqual(error.reason, "empty_transcript")
    assert.include(error.message, "empty-one")
  })

  onDisk("reads the working copy if there is one", function* () {
    const fs = yield* FileSystem.FileSystem
    const cwd = yield* fs.makeTempDirectoryScoped()
    yield* fs.writeFileString(`${cwd}/package.json`, `{"scripts":{"zap":"vitest run"}}`)
    const live = Layer.provide(JudgeService.Evidence, [CurrentConfig.layer(), NodeContext.layer])
    const judge = Context.get(yield* Layer.build(live), JudgeService)
    const ran = session(`> Fix it and run the tests. / edit ${cwd}/src/a.ts / $ npm run zap / Done.`)
    const isTested = (cwd: string) =>
      Effect.map(judge.judge(transcript(ran, { cwd })), ({ gates }) =>
        gates.some(({ gate, result }) => gate === "tests" && result === "passed")
      )
    assert.deepStrictEqual([yield* isTested(cwd), yield* isTested(`${cwd}/gone`)], [true, false])
  })

  byEvidence("numbers the feedback by the given attempt, and after the transcript's nudges", function* () {
    const judge = yield* JudgeService
    const attemptOf = (events: ReadonlyArray<TranscriptEvent>, attempt: number) =>
      Effect.map(judge.review({ ...stale, events }, { attempt }), ({ nudges, verdict }) => [
        Feedback.attemptOf(verdict.feedback ?? ""),
        nudges.count
      ])
    for (const attempt of [1, 2, 3]) assert.deepStrictEqual(yield* attemptOf(stale.events, attempt), [attempt, 0])
    const reminder = Feedback.render({ facts: [], actions: [], human: [], attempt: 2, maxAttempts: 3 })
    const moved = session("edit /repo/src/b.ts / Done.")
    const again = [...stale.events, user(reminder, { synthetic: true }), ...moved]
    assert.deepStrictEqual(yield* attemptOf(again, 1), [3, 2])
    const later = [...again, user("Fix the other bug and run the tests."), ...moved]
    assert.deepStrictEqual(yield* attemptOf(later, 1), [1, 0])
  })
})

interface Setting {
  readonly platform?: Layer.Layer<FileSystem.FileSystem | Path.Path>
  readonly guidance?: Layer.Layer<JudgeGuidance>
}

const judging = Effect.fnUntraced(function* (answers: Answers, { guidance, platform = noFiles }: Setting = {}) {
  const { prompts, service: model } = yield* modelOf(answers)
  const live = guidance === undefined ? JudgeService.Live : Layer.provide(JudgeService.Live, guidance)
  const needs = Layer.mergeAll(platform, CurrentConfig.layer({}), Layer.succeed(Model, model))
  const service = Context.get(yield* Layer.build(Layer.provide(live, needs)), JudgeService)
  return {
    asked: prompts,
    judge: (events: ReadonlyArray<TranscriptEvent>, rest: Partial<Transcript> = {}) =>
      service.judge(transcript(events, { cwd: null, ...rest })),
    review: (all: ReadonlyArray<TranscriptEvent>) => service.review(transcript(all, { cwd: null }), { attempt: 2 })
  }
})

const says =
  (...texts: ReadonlyArray<string>): Answers =>
  ({ count }) =>
    texts[Math.min(count, texts.length - 1)] ?? ""

const done = JSON.stringify(assessment())

/** Sessions, their status if the model says that they are done, and how often it is asked. */
const rows: ReadonlyArray<readonly [string, string, number]> = [
  ["unchanged", "complete, model", 1],
  ["> Fix the bug and run the tests. / edit a.ts / $ npm test => 5 passed / Done.", "complete, evidence", 1],
  ["> Fix the bug and run the tests. / edit a.ts / Done.", "incomplete, evidence", 0]
]

describe("JudgeService.Live", () => {
  it.scoped.each(rows)("asks once if evidence leaves the turn open or calls it done: %s", ([line, expected, calls]) =>
    Effect.gen(function* () {
      const { asked, judge } = yield* judging(says(done))
      const { cost, source, status } = yield* judge(line === "unchanged" ? unchanged : session(line))
      assert.strictEqual(`${status}, ${source}`, expected)
      const { durationMs: _, ...paid } = cost
      assert.deepStrictEqual(paid, { modelCalls: calls, inputTokens: 100 * calls, outputTokens: 10 * calls })
      assert.lengthOf(yield* asked, calls)
    })
  )

  works("nudges for open work that the model cites from the record, with the attempt's number", function* () {
    const work = { what: "the tests", event: "e2", quote: "Als Nächstes schreibe ich die Tests" }
    const opinion = assessment({ status: "in_progress", remaining_work: [work] })
    const { review } = yield* judging(says(JSON.stringify(opinion)))
    const { verdict, wouldContinue } = yield* review(german)
    assert.deepStrictEqual([verdict.status, verdict.shouldContinue, wouldContinue], ["incomplete", true, true])
    assert.include(verdict.feedback ?? "", "[reflexion 2/3]")
  })

  it.scoped.each<readonly [string, string]>([
    ["has no object", "It looks done to me."],
    ["was cut off", done.slice(0, -10)],
    ["has another schema", '{"verdict":"ok"}']
  ])(
    "an answer that %s → asks once more for the object alone, and judges by evidence if it cannot be read again",
    ([, text]) =>
      Effect.gen(function* () {
        const { asked: prompts, review } = yield* judging(says(text, done))
        const { asked, verdict } = yield* review(unchanged)
        assert.deepStrictEqual([verdict.status, verdict.cost.modelCalls], ["complete", 2])
        assert.deepInclude(asked, { problem: null, answer: assessment() })
        assert.include((yield* prompts)[1], "Answer with the JSON object alone.")
        const twice = (yield* (yield* judging(says(text))).review(unchanged)).verdict
        assert.deepInclude(twice, { status: "abstained", shouldContinue: false })
        assert.include(twice.reason, "unparseable")
      })
  )

  works("the model fails → tier 1's verdict stays, names the failure and shows no key", function* () {
    const logged: Array<string> = []
    const log = Logger.make(({ message }) => void logged.push(JSON.stringify(message)))
    const { asked, review } = yield* judging(() => ofStatus(400, "wrong key sk-proj-aB3dE5gH7jK9mN1pQ3sT5v"))
    const { verdict, wouldContinue } = yield* Effect.provide(review(german), Logger.replace(Logger.defaultLogger, log))
    assert.deepStrictEqual([verdict.status, verdict.source, wouldContinue], ["abstained", "evidence", false])
    for (const part of ["unavailable", "HTTP 400"]) assert.include(verdict.reason, part)
    assert.deepStrictEqual([(yield* asked).length, logged.length], [1, 1])
    assert.include(logged[0], "unavailable")
    assert.notInclude(JSON.stringify([verdict, logged]), "aB3dE5gH7jK9")
  })

  onDisk("reads the project's instructions, and reads them again after a minute", function* () {
    const fs = yield* FileSystem.FileSystem
    const cwd = yield* fs.makeTempDirectoryScoped()
    const { asked, judge } = yield* judging(says(done), { platform: NodeContext.layer })
    for (const word of ["pineapple", "mango", "mango"]) {
      yield* fs.writeFileString(`${cwd}/AGENTS.md`, `Say ${word}.`)
      if ((yield* asked).length === 2) yield* TestClock.adjust("61 seconds")
      yield* judge(unchanged, { cwd })
    }
    const words = (yield* asked).map((prompt) => /Say (\w+)/.exec(prompt)?.[1])
    assert.deepStrictEqual(words, ["pineapple", "pineapple", "mango"])
  })

  it.scoped.each<readonly [ReadonlyArray<string> | null, string | undefined]>([
    [[], "Look at the docs"],
    [["Look at the tests."], "Look at the tests"],
    [["Be kind.", "Look at the tests."], "Be kind"],
    [[" ", "x".repeat(65_537), "Look at the tests."], "Look at the tests"],
    [null, undefined]
  ])("guidance comes from a trusted workspace's file, or else from the session: %#", ([texts, expected]) =>
    Effect.gen(function* () {
      const guidance = JudgeGuidance.layer({
        texts: () => Effect.succeed(texts),
        said: () => Effect.succeed("Look at the docs.")
      })
      const { asked, judge } = yield* judging(says(done), { guidance })
      yield* judge(unchanged, { cwd: "/shop" })
      const [prompt = ""] = yield* asked
      assert.strictEqual(/Look at the \w+|Be kind/.exec(prompt)?.[0], expected)
    })
  )
})
