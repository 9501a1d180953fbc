import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck as fc, Layer, Schema, TestClock } from "effect"
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Lines from "../../src/model/calls/AskLines.ts"
import { AskLog } from "../../src/model/calls/AskLog.ts"
import { Model } from "../../src/model/calls/Model.ts"
import * as ModelBudget from "../../src/model/calls/ModelBudget.ts"
import * as ModelCall from "../../src/model/calls/ModelCall.ts"
import { folder } from "../support/stores.ts"
import { askLine as asked, modelOf } from "../support/tiers.ts"
import { works, worksWith } from "../support/works.ts"

const files = (directory: string) => AskLog.Files({ directory })

const add = (line: Lines.AskLine) => Effect.flatMap(AskLog, (log) => log.add(line))

const read = Effect.flatMap(AskLog, (log) => log.read)

const ends = fc.constantFrom<Lines.AskEnd>("answered", "late", "failed", "unreadable")

const line: fc.Arbitrary<Lines.AskLine> = fc.record({
  at: fc
    .date({ min: new Date("2026-11-01"), max: new Date("2026-11-30"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  host: fc.constantFrom("claude-code", "codex", "opencode"),
  session: fc.string(),
  model: fc.option(fc.string()),
  ms: fc.nat(60_000),
  end: ends,
  inputTokens: fc.nat(10_000),
  outputTokens: fc.nat(4_000),
  attended: fc.boolean()
})

describe("AskLog", () => {
  it.scopedLive.each<readonly [string, (file: string) => unknown]>([
    ["link to a device", (file) => symlinkSync("/dev/zero", file)],
    ["link to nothing", (file) => symlinkSync(`${file}.elsewhere`, file)],
    ["folder", (file) => mkdirSync(file)]
  ])("a %s instead of its file: reads and writes fail, and change nothing", ([, put]) =>
    Effect.gen(function* () {
      const place = yield* folder
      const at = new Date().toISOString()
      put(join(place, Lines.fileOf(at)))
      const there = readdirSync(place)
      for (const work of [add(asked({ at })), read]) {
        const failed = yield* Effect.flip(Effect.asVoid(Effect.provide(work, files(place))))
        assert.include(failed.message, "the questions to models cannot be counted there")
      }
      assert.deepStrictEqual(readdirSync(place), there)
    })
  )

  works("keeps all lines that many processes write at once, readable only by the user", function* () {
    const place = join(yield* folder, "a", "models")
    yield* TestClock.setTime(Date.UTC(2026, 10, 27, 12))
    assert.deepStrictEqual(yield* Effect.provide(read, files(place)), [])
    const lines = Array.from({ length: 40 }, (_, ms) => asked({ ms, session: `s${ms % 3}` }))
    yield* Effect.forEach(lines, (one) => Effect.provide(add(one), files(place)), { concurrency: "unbounded" })
    const kept = yield* Effect.provide(read, files(place))
    const found = kept.toSorted((one, other) => one.ms - other.ms)
    assert.deepStrictEqual(found, lines)
    assert.strictEqual(statSync(join(place, "asks-2026-11-27.jsonl")).mode & 0o777, 0o600)
  })

  works("keeps 30 days, and deletes no foreign file", function* () {
    const place = yield* folder
    writeFileSync(join(place, "tokens-2020-01-01.log"), "1\n")
    yield* TestClock.setTime(Date.UTC(2026, 9, 28, 23, 59))
    yield* Effect.provide(add(asked({ at: "2026-10-28T23:59:00.000Z" })), files(place))
    yield* TestClock.setTime(Date.UTC(2026, 10, 26, 23, 59))
    yield* Effect.provide(add(asked({ at: "2026-11-26T23:59:00.000Z" })), files(place))
    assert.strictEqual((yield* Effect.provide(read, files(place))).length, 2)
    yield* TestClock.setTime(Date.UTC(2026, 10, 27))
    yield* Effect.provide(add(asked({ at: "2026-11-27T00:00:00.000Z" })), files(place))
    const left = readdirSync(place).toSorted()
    assert.deepStrictEqual(left, ["asks-2026-11-26.jsonl", "asks-2026-11-27.jsonl", "tokens-2020-01-01.log"])
    assert.strictEqual((yield* Effect.provide(read, files(place))).length, 2)
  })

  works("keeps nothing without a layer; with one, it keeps questions and the user's word", function* () {
    yield* add(asked())
    assert.deepStrictEqual(yield* read, [])
    yield* TestClock.setTime(Date.UTC(2026, 10, 27, 12))
    const kept = Effect.gen(function* () {
      const log = yield* AskLog
      for (const _ of "123") yield* log.add(asked({ end: "failed" }))
      const before = Lines.isOff(yield* log.read, "s1")
      yield* log.again({ at: "2026-11-27T12:00:00.000Z", host: "claude-code", session: "s1" })
      return [before, Lines.isOff(yield* log.read, "s1"), (yield* log.read).length]
    })
    for (const layer of [files(join(yield* folder, "models")), AskLog.Memory])
      assert.deepStrictEqual(yield* Effect.provide(kept, layer), [true, false, 3])
  })
})

const unanswered = `${Lines.print(asked({ end: "late" }))}\n`.repeat(3)

const word = (host: string, session: string | null) =>
  `${Lines.printAgain({ at: "2026-11-27T11:00:00.000Z", host, session })}\n`

const isOff = (...texts: ReadonlyArray<string>) => Lines.isOff(Lines.parse(...texts), "s1")

describe("AskLines", () => {
  it("reads its own lines, even after a line that was cut off", () => {
    fc.assert(
      fc.property(fc.array(line), line, fc.nat(60), (lines, cut, at) => {
        const before = Lines.print(cut).slice(0, at)
        assert.deepStrictEqual(Lines.parse(`${before}\n${lines.map(Lines.print).join("\n")}`), lines)
      })
    )
  })

  it("asking is off exactly if the session's last three questions have no answer", () => {
    fc.assert(
      fc.property(fc.array(ends), fc.array(line), (own, others) => {
        const strangers = others.map((one) => ({ ...one, session: `other ${one.session}` }))
        const lines = own.flatMap((end, at) => [...strangers.slice(at, at + 1), asked({ end })])
        const last = own.slice(-3)
        assert.strictEqual(Lines.isOff(lines, "s1"), last.length === 3 && !last.includes("answered"))
      })
    )
  })

  it("the user's word turns asking on again, per session or host; no question is lost", () => {
    assert.isTrue(isOff(unanswered))
    for (const session of ["s1", null]) assert.isFalse(isOff(unanswered, word("claude-code", session)))
    for (const other of [word("claude-code", "s2"), word("codex", null)]) assert.isTrue(isOff(unanswered, other))
    assert.isFalse(isOff(unanswered, word("claude-code", "s1") + unanswered.slice(0, unanswered.length / 1.5)))
    assert.isTrue(isOff(unanswered, word("claude-code", "s1") + unanswered))
    assert.isTrue(isOff(word("claude-code", "s1"), unanswered))
    assert.lengthOf(Lines.parse(unanswered, word("claude-code", null)), 3)
  })

  it("sums up calls, answers, tokens and the median time", () => {
    const none = { calls: 0, answered: 0, medianMs: null, inputTokens: 0, outputTokens: 0 }
    assert.deepStrictEqual(Lines.summary([]), none)
    const lines = [asked({ ms: 1 }), asked({ ms: 9, end: "late" }), asked({ ms: 2 }), asked({ ms: 4 })]
    const sum = { calls: 4, answered: 3, medianMs: 3, inputTokens: 12_000, outputTokens: 800 }
    assert.deepStrictEqual(Lines.summary(lines), sum)
    assert.strictEqual(Lines.summary(lines.slice(0, 3)).medianMs, 2)
  })
})

const spent = Effect.flatMap(AskLog, (log) => log.spent)

const model = (tokens: number) =>
  Effect.map(
    modelOf(() => '{"ok":true}', { inputTokens: tokens, outputTokens: 0 }),
    ({ asked, service }) => ({
      asked,
      layer: Layer.succeed(Model, service)
    })
  )

const ask = ModelCall.ask({
  purpose: "self_assessment",
  system: "s".repeat(40),
  prompt: "p".repeat(400),
  schema: Schema.Struct({ ok: Schema.Boolean }),
  objectName: "answer"
})

describe("ModelBudget", () => {
  works("the daily limit holds for all processes of the log; an uncountable question is refused", function* () {
    const path = yield* folder
    const log = files(join(path, "models"))
    const { asked, layer } = yield* model(110)
    const daily = ModelBudget.daily({ tokens: 200 })
    const process = () => Effect.provide(Effect.either(ask), [layer, Layer.provide(daily, log)])
    assert.deepStrictEqual([yield* process(), yield* process()].map(Either.isRight), [true, false])
    assert.strictEqual(yield* Effect.provide(spent, log), 110)
    writeFileSync(join(path, "file"), "")
    const uncounted = Layer.provide(daily, files(join(path, "file")))
    const { reason } = yield* Effect.flip(Effect.provide(ask, [layer, uncounted]))
    assert.deepStrictEqual([reason, yield* asked], ["over_budget", 1])
  })

  worksWith(AskLog.Memory)("the day's tokens are spent → asks no more, and the error names the setting", function* () {
    const { asked, layer } = yield* model(500)
    const failure = yield* Effect.flip(Effect.forever(ask)).pipe(
      Effect.provide([layer, ModelBudget.daily({ tokens: 1200 })])
    )
    const detail = "1,500 tokens are spent and about 110 more are needed, but models.tokensPerDay is 1,200"
    assert.deepInclude(failure, { reason: "over_budget", calls: 0, detail })
    assert.strictEqual(yield* asked, 3)
    assert.strictEqual(yield* spent, 1500)
  })

  worksWith(AskLog.Memory)("each review has its own token limit and counts into the day's", function* () {
    const { asked, layer } = yield* model(500)
    yield* Effect.gen(function* () {
      for (const [detail, count] of [
        ["models.tokensPerReview is 900", 2],
        ["models.tokensPerReview is 900", 4],
        ["models.tokensPerDay is 2,400", 5]
      ] as const) {
        const failure = yield* ModelBudget.within({ tokens: 900 })(Effect.flip(Effect.forever(ask)))
        assert.include(failure.detail, detail)
        assert.strictEqual(yield* asked, count)
      }
      assert.strictEqual(yield* spent, 2500)
    }).pipe(Effect.provide([layer, ModelBudget.daily({ tokens: 2400 })]))
  })

  worksWith(AskLog.Memory)("estimates the tokens if the provider counts none", function* () {
    const { layer } = yield* model(0)
    yield* Effect.provide(ask, [layer, ModelBudget.daily({ tokens: 1000 })])
    assert.strictEqual(yield* spent, 110)
  })
})
