import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { JudgeService } from "../../src/review/tiers/JudgeService.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { CurrentConfig, type PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import { agent, edit, run, transcript, user } from "../support/events.ts"
import { utmost, utmostContext } from "../support/utmost.ts"

const evidence = (config: PartialConfig = {}) =>
  JudgeService.Evidence.pipe(
    Layer.provide(
      Layer.mergeAll(FileSystem.layerNoop({}), Path.layer, CurrentConfig.layer({ rules: utmost.rules, ...config }))
    )
  )

const stale = transcript([
  user("Fix the bug and run the tests."),
  run("npm test", 0, "Tests: 5 passed, 5 total"),
  edit("/repo/src/a.ts"),
  agent("Done.")
])

describe("JudgeService.Evidence", () => {
  it.effect("judges as the pure judge does, at the clock's time", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-02T09:00:00Z"))
      const judge = yield* JudgeService
      const verdict = yield* judge.judge(stale)
      assert.strictEqual(verdict.status, "incomplete")
      assert.isTrue(verdict.shouldContinue)
      const pure = Judgment.judge(stale, { context: utmostContext, now: "2026-03-02T09:00:00.000Z" })
      assert.deepStrictEqual({ ...verdict, cost: pure.cost }, pure)
      assert.strictEqual(verdict.cost.modelCalls, 0)
      assert.isAtLeast(verdict.cost.durationMs, 0)
    }).pipe(Effect.provide(evidence()))
  )

  it.effect("judges a transcript that grows as one that came whole, and one that was rewritten", () =>
    Effect.gen(function* () {
      const judge = yield* JudgeService
      const more = [user("Now the lexer."), ...stale.events.slice(1)]
      const whole = [...stale.events, ...more, ...more]
      for (let length = 1; length <= whole.length; length++) {
        const given = { ...stale, events: whole.slice(0, length) }
        const verdict = yield* judge.judge(given)
        const pure = Judgment.judge(given, { context: utmostContext, now: "1970-01-01T00:00:00.000Z" })
        assert.deepStrictEqual({ ...verdict, cost: pure.cost }, pure)
      }
      const rewritten = {
        ...stale,
        events: [user("Which lexer is it?"), ...whole.slice(1).map((event) => ({ ...event }))]
      }
      const verdict = yield* judge.judge(rewritten)
      const pure = Judgment.judge(rewritten, { context: utmostContext, now: "1970-01-01T00:00:00.000Z" })
      assert.deepStrictEqual({ ...verdict, cost: pure.cost }, pure)
    }).pipe(Effect.provide(evidence()))
  )

  it.effect("fails on a transcript without events, naming the session", () =>
    Effect.gen(function* () {
      const judge = yield* JudgeService
      const error = yield* Effect.flip(judge.judge(transcript([], { sessionId: "empty-one" })))
      assert.strictEqual(error.reason, "empty_transcript")
      assert.include(error.message, "empty-one")
    }).pipe(Effect.provide(evidence()))
  )

  it.scoped("reads the working copy, where there is one", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const cwd = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFileString(`${cwd}/package.json`, `{"scripts":{"zap":"vitest run"}}`)
      const judge = yield* JudgeService
      const ran = transcript(
        [user("Fix it and run the tests."), edit(`${cwd}/src/a.ts`), run("npm run zap", 0), agent("Done.")],
        { cwd }
      )
      const verdict = yield* judge.judge(ran)
      assert.strictEqual(verdict.gates.find((gate) => gate.gate === "tests")?.result, "passed")
      const gone = yield* judge.judge({ ...ran, cwd: `${cwd}/gone` })
      assert.notStrictEqual(gone.gates.find((gate) => gate.gate === "tests")?.result, "passed")
    }).pipe(
      Effect.provide(
        JudgeService.Evidence.pipe(Layer.provide(CurrentConfig.layer()), Layer.provideMerge(NodeContext.layer))
      )
    )
  )
})

describe("JudgeService.review", () => {
  const nudged = (attempt: number) =>
    user(Feedback.render({ ...nothing, attempt, maxAttempts: 3 }), { synthetic: true })
  const nothing = { facts: [], actions: [], human: [] }
  const moved = [edit("/repo/src/b.ts"), agent("Done.")]

  it.effect("gives the feedback of the attempt", () =>
    Effect.gen(function* () {
      const judge = yield* JudgeService
      for (const attempt of [1, 2, 3]) {
        const { verdict } = yield* judge.review(stale, { attempt })
        assert.strictEqual(Feedback.attemptOf(verdict.feedback ?? ""), attempt)
      }
    }).pipe(Effect.provide(evidence()))
  )

  it.effect("never gives the feedback of an attempt that the transcript shows", () =>
    Effect.gen(function* () {
      const judge = yield* JudgeService
      const again = { ...stale, events: [...stale.events, nudged(2), ...moved] }
      const { nudges, verdict } = yield* judge.review(again, { attempt: 1 })
      assert.strictEqual(nudges.count, 2)
      assert.strictEqual(Feedback.attemptOf(verdict.feedback ?? ""), 3)
      const later = { ...again, events: [...again.events, user("Fix the other bug and run the tests."), ...moved] }
      assert.deepStrictEqual((yield* judge.review(later, { attempt: 1 })).nudges, { count: 0, mark: null })
    }).pipe(Effect.provide(evidence()))
  )
})

describe("JudgeService.Test", () => {
  it.effect("fails when it is asked more often than it was scripted for", () =>
    Effect.gen(function* () {
      const judge = yield* JudgeService
      const error = yield* Effect.flip(judge.judge(stale))
      assert.strictEqual(error.reason, "not_scripted")
      assert.include(error.message, "s1")
    }).pipe(Effect.provide(JudgeService.Test([])))
  )
})
