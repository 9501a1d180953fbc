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
import { CurrentConfig, defaults, type PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import { transcript } from "../support/events.ts"
import { assessment, german } from "../support/opinions.ts"
import { checksOf, modelOf, noProcess } from "../support/tiers.ts"
import { works } from "../support/works.ts"

const done = JSON.stringify(assessment())

const own = "claude-code/small"

interface Setting {
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
const stops = Effect.fnUntraced(function* (count: number, setting: Setting = {}) {
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
  works("is kept with what it took, and told in a few words", function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 27, 9))
    const { judged, lines } = yield* stops(1)
    const kept = { at: "2026-11-27T09:00:00.000Z", session: "s1", ms: 4100, inputTokens: 3600, outputTokens: 12 }
    assert.deepStrictEqual(lines, [line(kept)])
    const [{ asked, verdict } = {}] = judged
    assert.strictEqual(AskedLine.describe(asked), "asked claude-code/small: 4.1 s, 3,612 tokens")
    assert.deepStrictEqual([asked?.told, verdict?.cost.modelCalls], [null, 1])
  })

  it.effect.each<readonly [string, string, number, ReadonlyArray<string>, string]>([
    ["a host's own", own, 20, ["never"], "timed_out"],
    ["a configured one", "local/large", 60, ["never"], "timed_out"],
    ["a host's own and its second reader together", own, 20, ["no JSON", "never"], "no answer within"],
    ["a configured one and its second reader together", "local/large", 60, ["no JSON", "never"], "no answer within"]
  ])("is late after its time: %s", ([, model, seconds, said, reason]) =>
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

  works("that nobody answers three times in a row is the session's last, which is told once", function* () {
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

  works("is one of models.callsPerDay where somebody is there, over all sessions, until midnight UTC", function* () {
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

  works("is not put where it cannot be counted, or would cost too much", function* () {
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
