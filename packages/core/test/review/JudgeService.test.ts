import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { JudgeService } from "../../src/review/tiers/JudgeService.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { CurrentConfig } from "../../src/session/config/ReflexionConfig.ts"
import type { Transcript } from "../../src/session/transcript/Transcript.ts"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import { transcript, user } from "../support/events.ts"
import { session as events } from "../support/sessions.ts"
import { utmost, utmostContext } from "../support/utmost.ts"

const evidence = JudgeService.Evidence.pipe(
  Layer.provide([FileSystem.layerNoop({}), Path.layer, CurrentConfig.layer({ rules: utmost.rules })])
)

const stale = transcript(
  events("> Fix the bug and run the tests. / $ npm test => Tests: 5 passed, 5 total / edit /repo/src/a.ts / Done.")
)

/** It judges as the pure judge does. */
const isPure = Effect.fnUntraced(function* (given: Transcript, now: string) {
  const verdict = yield* Effect.flatMap(JudgeService, (judge) => judge.judge(given))
  const pure = Judgment.judge(given, { context: utmostContext, now })
  assert.deepStrictEqual({ ...verdict, cost: pure.cost }, pure)
  return verdict
})

describe("JudgeService.Evidence", () => {
  it.effect("judges as the pure judge does, at the clock's time", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-02T09:00:00Z"))
      const verdict = yield* isPure(stale, "2026-03-02T09:00:00.000Z")
      assert.deepInclude(verdict, { status: "incomplete", shouldContinue: true })
      assert.strictEqual(verdict.cost.modelCalls, 0)
      assert.isAtLeast(verdict.cost.durationMs, 0)
    }).pipe(Effect.provide(evidence))
  )

  it.effect("judges a transcript that grows as one that came whole, and one that was rewritten", () =>
    Effect.gen(function* () {
      const more = [user("Now the lexer."), ...stale.events.slice(1)]
      const whole = [...stale.events, ...more, ...more]
      const begin = "1970-01-01T00:00:00.000Z"
      for (let length = 1; length <= whole.length; length++)
        yield* isPure({ ...stale, events: whole.slice(0, length) }, begin)
      const rewritten = [user("Which lexer is it?"), ...whole.slice(1).map((event) => ({ ...event }))]
      yield* isPure({ ...stale, events: rewritten }, begin)
    }).pipe(Effect.provide(evidence))
  )

  it.effect("fails on a transcript without events, naming the session", () =>
    Effect.gen(function* () {
      const judge = yield* JudgeService
      const error = yield* Effect.flip(judge.judge(transcript([], { sessionId: "empty-one" })))
      assert.strictEqual(error.reason, "empty_transcript")
      assert.include(error.message, "empty-one")
    }).pipe(Effect.provide(evidence))
  )

  it.scoped("reads the working copy, where there is one", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const cwd = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFileString(`${cwd}/package.json`, `{"scripts":{"zap":"vitest run"}}`)
      const judge = yield* JudgeService
      const ran = events(`> Fix it and run the tests. / edit ${cwd}/src/a.ts / $ npm run zap / Done.`)
      const result = (cwd: string) =>
        Effect.map(
          judge.judge(transcript(ran, { cwd })),
          ({ gates }) => gates.find(({ gate }) => gate === "tests")?.result
        )
      assert.strictEqual(yield* result(cwd), "passed")
      assert.notStrictEqual(yield* result(`${cwd}/gone`), "passed")
    }).pipe(
      Effect.provide(
        JudgeService.Evidence.pipe(Layer.provide(CurrentConfig.layer()), Layer.provideMerge(NodeContext.layer))
      )
    )
  )
})

it.effect("JudgeService.review gives the feedback of the attempt, and of none that the transcript shows", () =>
  Effect.gen(function* () {
    const judge = yield* JudgeService
    const attemptOf = (given: Transcript, attempt: number) =>
      Effect.map(judge.review(given, { attempt }), ({ nudges, verdict }) => [
        Feedback.attemptOf(verdict.feedback ?? ""),
        nudges.count
      ])
    for (const attempt of [1, 2, 3]) assert.deepStrictEqual(yield* attemptOf(stale, attempt), [attempt, 0])
    const reminder = Feedback.render({ facts: [], actions: [], human: [], attempt: 2, maxAttempts: 3 })
    const moved = events("edit /repo/src/b.ts / Done.")
    const again = [...stale.events, user(reminder, { synthetic: true }), ...moved]
    assert.deepStrictEqual(yield* attemptOf({ ...stale, events: again }, 1), [3, 2])
    const later = [...again, user("Fix the other bug and run the tests."), ...moved]
    assert.deepStrictEqual(yield* attemptOf({ ...stale, events: later }, 1), [1, 0])
  }).pipe(Effect.provide(evidence))
)

it.effect("JudgeService.Test fails when it is asked more often than it was scripted for", () =>
  Effect.gen(function* () {
    const judge = yield* JudgeService
    const error = yield* Effect.flip(judge.judge(stale))
    assert.strictEqual(error.reason, "not_scripted")
    assert.include(error.message, "s1")
  }).pipe(Effect.provide(JudgeService.Test([])))
)
