import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, Option, TestClock } from "effect"
import type * as Lines from "../../src/model/calls/AskLines.ts"
import { AskLog, AskLogError } from "../../src/model/calls/AskLog.ts"
import { Models } from "../../src/model/calls/Models.ts"
import * as AskedLine from "../../src/review/tiers/AskedLine.ts"
import * as BeyondEvidence from "../../src/review/tiers/BeyondEvidence.ts"
import { JudgeService } from "../../src/review/tiers/JudgeService.ts"
import * as ReviewTiers from "../../src/review/tiers/ReviewTiers.ts"
import { CrossReview } from "../../src/model/crossreview/CrossReview.ts"
import { Verification } from "../../src/checks/Verification.ts"
import { CurrentConfig, defaults, type PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import { transcript } from "../support/events.ts"
import { assessment, german } from "../support/opinions.ts"
import { modelOf, noProcess } from "../support/tiers.ts"

const done = JSON.stringify(assessment())

type Said = string | "down" | "never"

const usage = { inputTokens: 3600, outputTokens: 12 }

const answering = (said: ReadonlyArray<Said>) =>
  modelOf(({ count }) => {
    const text = said[count] ?? done
    if (text === "down") return null
    return text === "never" ? Effect.never : Effect.as(TestClock.adjust("4100 millis"), text)
  }, usage)

const platform = noProcess(false)

interface Setting {
  readonly said?: ReadonlyArray<Said>
  readonly kept?: ReadonlyArray<Lines.AskLine>
  readonly config?: PartialConfig
  readonly attended?: boolean
  readonly models?: Layer.Layer<Models>
  readonly log?: Layer.Layer<AskLog>
}

const own = "claude-code/small"

/** One stop after another of a session, with what was kept of them. */
const stops = (count: number, setting: Setting = {}) =>
  Effect.gen(function* () {
    const model = yield* answering(setting.said ?? [])
    const { attended } = setting
    const judging = Effect.gen(function* () {
      const log = yield* AskLog
      for (const line of setting.kept ?? []) yield* Effect.orDie(log.add(line))
      const service = yield* JudgeService
      const session = transcript(german, attended === undefined ? {} : { attended })
      const judged = yield* Effect.replicateEffect(service.review(session, { attempt: 1 }), count)
      return { judged, lines: yield* Effect.orElseSucceed(log.read, () => []), calls: yield* model.asked }
    })
    return yield* judging.pipe(
      Effect.provide(
        JudgeService.layer(ReviewTiers.consult({ state: "/state", within: [] })).pipe(
          Layer.provideMerge(Verification.Test([])),
          Layer.provideMerge(CrossReview.Live),
          Layer.merge(Logger.remove(Logger.defaultLogger)),
          Layer.provide([
            platform,
            CurrentConfig.layer({ model: own, ...setting.config }),
            setting.models ?? Models.Test({ [setting.config?.model ?? own]: model.service })
          ]),
          Layer.provideMerge(setting.log ?? AskLog.Memory)
        )
      )
    )
  })

const line = (over: Partial<Lines.AskLine> = {}): Lines.AskLine => ({
  at: "1970-01-01T00:00:00.000Z",
  host: "transcript",
  session: "s0",
  model: own,
  ms: 1,
  end: "answered",
  inputTokens: 1,
  outputTokens: 1,
  attended: true,
  ...over
})

describe("a question at a stop", () => {
  it.effect("is kept with what it took, and told in a few words", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 27, 9))
      const { judged, lines } = yield* stops(1)
      assert.deepStrictEqual(lines, [
        {
          at: "2026-11-27T09:00:00.000Z",
          host: "transcript",
          session: "s1",
          model: own,
          ms: 4100,
          end: "answered",
          inputTokens: 3600,
          outputTokens: 12,
          attended: true
        }
      ])
      const [first] = judged
      assert.strictEqual(AskedLine.describe(first?.asked), "asked claude-code/small: 4.1 s, 3,612 tokens")
      assert.isNull(first?.asked?.told)
      assert.strictEqual(first?.verdict.cost.modelCalls, 1)
    })
  )

  it.effect("to a model of a host's own is late after 20 seconds, to a configured one after models.timeout", () =>
    Effect.gen(function* () {
      for (const [model, seconds] of [
        [own, 20],
        ["local/large", 60]
      ] as const) {
        const waiting = yield* Effect.fork(stops(1, { said: ["never"], config: { model } }))
        yield* TestClock.adjust(seconds * 1000 - 1)
        assert.isNull(yield* Fiber.poll(waiting).pipe(Effect.map((exit) => (exit._tag === "None" ? null : exit))))
        yield* TestClock.adjust(1)
        const { judged, lines } = yield* Fiber.join(waiting)
        assert.strictEqual(judged[0]?.verdict.status, "abstained")
        assert.include(judged[0]?.verdict.reason, "timed_out")
        assert.deepInclude(lines[0], { end: "late", model, ms: seconds * 1000 })
      }
      const shorter = { model: own, models: { ...defaults.models, timeout: 5 } }
      assert.isBelow(
        BeyondEvidence.longest({ ...defaults, ...shorter }),
        BeyondEvidence.longest({ ...defaults, model: own })
      )
      assert.isBelow(
        BeyondEvidence.longest({ ...defaults, model: own }),
        BeyondEvidence.longest({ ...defaults, model: "local/large" })
      )
    })
  )

  it.effect("and its second reader have one time between them", () =>
    Effect.gen(function* () {
      for (const [name, seconds] of [
        [own, 20],
        ["local/large", 60]
      ] as const) {
        const waiting = yield* Effect.fork(stops(1, { said: ["no JSON", "never"], config: { model: name } }))
        yield* TestClock.adjust(seconds * 1000 - 4101)
        assert.isTrue(Option.isNone(yield* Fiber.poll(waiting)))
        yield* TestClock.adjust(1)
        const { calls, judged, lines } = yield* Fiber.join(waiting)
        assert.strictEqual(calls, 2)
        assert.include(judged[0]?.verdict.reason, "no answer within")
        assert.deepInclude(lines[0], { end: "late", model: name, ms: seconds * 1000 })
        const limits = { ...defaults, model: name }
        assert.strictEqual(BeyondEvidence.longest(limits) - BeyondEvidence.longest(defaults), seconds)
      }
    })
  )

  it.effect("that nobody answers three times in a row is the session's last, which is told once", () =>
    Effect.gen(function* () {
      const { calls, judged, lines } = yield* stops(5, { said: ["down", "no JSON", "neither", "down", "down"] })
      assert.strictEqual(calls, 4, "the answer that could not be read had a second reader")
      assert.deepStrictEqual(
        lines.map(({ end }) => end),
        ["failed", "unreadable", "failed"]
      )
      const told = judged.map(({ asked }) => asked?.told ?? null)
      assert.deepStrictEqual(
        told.map((text) => text !== null),
        [false, false, true, false, false]
      )
      assert.include(told[2], "no model is asked in this session any more")
      assert.isTrue(judged.every(({ verdict }) => verdict.status === "abstained" && !verdict.shouldContinue))
      assert.include(judged[4]?.verdict.reason, "No model is asked in this session any more")
      assert.strictEqual(AskedLine.describe(judged[4]?.asked), null)
      assert.strictEqual(AskedLine.describe(judged[2]?.asked), "asked claude-code/small: no answer, 0.0 s")
    })
  )

  it.effect("is one of models.callsPerDay where somebody is there, over all sessions, until midnight UTC", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 27, 23, 59))
      const yesterday = line({ at: "2026-11-26T23:59:59.999Z" })
      const unattended = line({ at: "2026-11-27T08:00:00.000Z", attended: false })
      const today = Array.from({ length: 19 }, (_, count) =>
        line({ at: `2026-11-27T0${count % 10}:00:00.000Z`, session: `other-${count}` })
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
  )

  it.effect("is not put where it cannot be counted", () =>
    Effect.gen(function* () {
      const broken = new AskLogError({ file: "/state/models/asks.jsonl", cause: "EACCES" })
      const log = Layer.succeed(AskLog, {
        add: () => broken,
        again: () => broken,
        read: broken,
        spend: () => broken,
        spent: broken
      })
      const { calls, judged } = yield* stops(1, { log })
      assert.strictEqual(calls, 0)
      assert.include(judged[0]?.verdict.reason, "/state/models/asks.jsonl")
    })
  )

  it.effect("that would cost too much is none", () =>
    Effect.gen(function* () {
      const { calls, lines } = yield* stops(1, { config: { models: { tokensPerReview: 1 } } })
      assert.deepStrictEqual([calls, lines.length], [0, 0])
    })
  )
})
