import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, TestClock } from "effect"
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

const stale = transcript(
  session("> Fix the bug and run the tests. / $ npm test => Tests: 5 passed, 5 total / edit /repo/src/a.ts / Done.")
)

const begin = "1970-01-01T00:00:00.000Z"

describe("JudgeService.Evidence", () => {
  byEvidence(
    "judges a transcript that grows as the pure judge does one that came whole, and one that was rewritten",
    function* () {
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
    }
  )

  it.scoped("reads the working copy, where there is one", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const cwd = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFileString(`${cwd}/package.json`, `{"scripts":{"zap":"vitest run"}}`)
      const judge = yield* JudgeService
      const ran = session(`> Fix it and run the tests. / edit ${cwd}/src/a.ts / $ npm run zap / Done.`)
      const isTested = (cwd: string) =>
        Effect.map(judge.judge(transcript(ran, { cwd })), ({ gates }) =>
          gates.some(({ gate, result }) => gate === "tests" && result === "passed")
        )
      assert.deepStrictEqual([yield* isTested(cwd), yield* isTested(`${cwd}/gone`)], [true, false])
    }).pipe(
      Effect.provide(
        JudgeService.Evidence.pipe(Layer.provide(CurrentConfig.layer()), Layer.provideMerge(NodeContext.layer))
      )
    )
  )

  byEvidence("gives the feedback of the attempt, and of none that the transcript shows", function* () {
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

/** Runs an effect with a judge whose model answers so, and gives it what the model was asked. */
const live = <A, E, R>(
  answers: Answers,
  use: (asked: Effect.Effect<ReadonlyArray<string>>) => Effect.Effect<A, E, R>,
  { guidance, platform = noFiles }: Setting = {}
) =>
  Effect.flatMap(modelOf(answers), ({ prompts, service }) =>
    use(prompts).pipe(
      Effect.provide(
        (guidance === undefined ? JudgeService.Live : Layer.provide(JudgeService.Live, guidance)).pipe(
          Layer.provide([platform, CurrentConfig.layer({}), Layer.succeed(Model, service)])
        )
      )
    )
  )

const says =
  (...texts: ReadonlyArray<string>): Answers =>
  ({ count }) =>
    texts[Math.min(count, texts.length - 1)] ?? ""

const done = JSON.stringify(assessment())

const judge = (events: ReadonlyArray<TranscriptEvent>, rest: Partial<Transcript> = {}) =>
  Effect.flatMap(JudgeService, (service) => service.judge(transcript(events, { cwd: null, ...rest })))

const review = (events: ReadonlyArray<TranscriptEvent>) =>
  Effect.flatMap(JudgeService, (service) => service.review(transcript(events, { cwd: null }), { attempt: 2 }))

/** Sessions, what becomes of them where the model says that they are done, and how often it is asked. */
const rows: ReadonlyArray<readonly [string, string, number]> = [
  ["unchanged", "complete, model", 1],
  ["> Fix the bug and run the tests. / edit a.ts / $ npm test => 5 passed / Done.", "complete, evidence", 1],
  ["> Fix the bug and run the tests. / edit a.ts / $1 npm test => 1 failed / Done.", "incomplete, evidence", 0],
  ["> Fix the bug and run the tests. / edit a.ts / Done.", "incomplete, evidence", 0],
  ["> What does parse() return? / $ grep -n parse a.ts => 1: parse / A list.", "complete, evidence", 0]
]

describe("JudgeService.Live", () => {
  it.effect.each(rows)("asks about what evidence leaves open or calls done, once: %s", ([line, expected, calls]) =>
    live(says(done), (asked) =>
      Effect.gen(function* () {
        const { cost, source, status } = yield* judge(line === "unchanged" ? unchanged : session(line))
        assert.strictEqual(`${status}, ${source}`, expected)
        const { durationMs: _, ...paid } = cost
        assert.deepStrictEqual(paid, { modelCalls: calls, inputTokens: 100 * calls, outputTokens: 10 * calls })
        assert.lengthOf(yield* asked, calls)
      })
    )
  )

  it.effect("nudges for what the model shows in the record, with the attempt's number", () => {
    const work = { what: "the tests", event: "e2", quote: "Als Nächstes schreibe ich die Tests" }
    return live(says(JSON.stringify(assessment({ status: "in_progress", remaining_work: [work] }))), () =>
      Effect.map(review(german), ({ verdict, wouldContinue }) => {
        assert.deepStrictEqual([verdict.status, verdict.shouldContinue, wouldContinue], ["incomplete", true, true])
        assert.include(verdict.feedback ?? "", "[reflexion 2/3]")
      })
    )
  })

  it.effect.each<readonly [string, string]>([
    ["has no object", "It looks done to me."],
    ["was cut off", done.slice(0, -10)],
    ["has another schema", '{"verdict":"ok"}']
  ])("asks again after an answer that %s, for the object alone, and keeps what it says then", ([, text]) =>
    live(says(text, done), (prompts) =>
      Effect.gen(function* () {
        const { asked, verdict } = yield* review(unchanged)
        assert.deepStrictEqual([verdict.status, verdict.cost.modelCalls], ["complete", 2])
        assert.deepInclude(asked, { problem: null, answer: assessment() })
        assert.include((yield* prompts)[1], "Answer with the JSON object alone.")
      })
    )
  )

  works("judges by evidence where nothing that the model says can be read", function* () {
    const { reason, ...unread } = yield* live(says("I cannot say."), () => judge(unchanged))
    assert.deepInclude(unread, { status: "abstained", shouldContinue: false })
    assert.include(reason, "unparseable")
  })

  it.effect("leaves tier 1's verdict where the model fails, names the failure, and shows no key", () => {
    const logged: Array<string> = []
    const logger = Logger.make(({ message }) => void logged.push(JSON.stringify(message)))
    const refused = ofStatus(400, "wrong key sk-proj-aB3dE5gH7jK9mN1pQ3sT5v")
    return live(
      () => Effect.fail(refused),
      (asked) =>
        Effect.gen(function* () {
          const { verdict, wouldContinue } = yield* review(german)
          assert.deepStrictEqual([verdict.status, verdict.source, wouldContinue], ["abstained", "evidence", false])
          for (const part of ["unavailable", "HTTP 400"]) assert.include(verdict.reason, part)
          assert.deepStrictEqual([(yield* asked).length, logged.length], [1, 1])
          assert.include(logged[0], "unavailable")
          assert.notInclude(JSON.stringify([verdict, logged]), "aB3dE5gH7jK9")
        })
    ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  })

  worksWith(NodeContext.layer)("reads the project's instructions, and reads them again after a minute", function* () {
    const fs = yield* FileSystem.FileSystem
    const cwd = yield* fs.makeTempDirectoryScoped()
    const said = (asked: Effect.Effect<ReadonlyArray<string>>) =>
      Effect.gen(function* () {
        for (const word of ["pineapple", "mango", "mango"]) {
          yield* fs.writeFileString(`${cwd}/AGENTS.md`, `Say ${word}.`)
          if ((yield* asked).length === 2) yield* TestClock.adjust("61 seconds")
          yield* judge(unchanged, { cwd })
        }
        return (yield* asked).map((prompt) => /Say (\w+)/.exec(prompt)?.[1]).join()
      })
    assert.strictEqual(yield* live(says(done), said, { platform: NodeContext.layer }), "pineapple,pineapple,mango")
  })

  it.effect.each<readonly [ReadonlyArray<string> | null, string | undefined]>([
    [[], "Look at the docs"],
    [["Look at the tests."], "Look at the tests"],
    [["Be kind.", "Look at the tests."], "Be kind"],
    [[" ", "x".repeat(65_537), "Look at the tests."], "Look at the tests"],
    [null, undefined]
  ])(
    "takes guidance from a trusted workspace's file, or from the session, and from no other: %#",
    ([texts, expected]) => {
      const guidance = JudgeGuidance.layer({
        texts: () => Effect.succeed(texts),
        said: () => Effect.succeed("Look at the docs.")
      })
      return Effect.map(
        live(says(done), (asked) => Effect.zipRight(judge(unchanged, { cwd: "/shop" }), asked), { guidance }),
        ([prompt = ""]) => assert.strictEqual(/Look at the \w+|Be kind/.exec(prompt)?.[0], expected)
      )
    }
  )
})
