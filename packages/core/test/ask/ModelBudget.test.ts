import * as LanguageModel from "@effect/ai/LanguageModel"
import { NodeFileSystem, NodePath } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck as fc, Layer, Schema, Scope, Stream, TestClock } from "effect"
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Ledger from "../../src/ask/models/ledgerLines.ts"
import * as ModelBudget from "../../src/ask/models/ModelBudget.ts"
import * as ModelCall from "../../src/ask/models/ModelCall.ts"
import { TokenLedger } from "../../src/ask/models/TokenLedger.ts"

const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "reflexion-ledger-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const files = (directory: string) =>
  Layer.provide(TokenLedger.Files({ directory }), Layer.merge(NodeFileSystem.layer, NodePath.layer))

const spent = Effect.flatMap(TokenLedger, (ledger) => ledger.spent)

const add = (tokens: number) => Effect.flatMap(TokenLedger, (ledger) => ledger.add(tokens))

/** A model whose every answer costs so many tokens. */
const model = (tokens: number) => {
  const asked = { count: 0 }
  const usage = { inputTokens: tokens, outputTokens: 0, totalTokens: tokens }
  const layer = Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({
      generateText: () => {
        asked.count += 1
        const answer = [
          { type: "text" as const, text: '{"ok":true}' },
          { type: "finish" as const, reason: "stop" as const, usage }
        ]
        return Effect.as(Effect.yieldNow(), answer)
      },
      streamText: () => Stream.die("not asked for")
    })
  )
  return { asked, layer }
}

const ask = ModelCall.ask({
  purpose: "judge",
  system: "s".repeat(40),
  prompt: "p".repeat(400),
  schema: Schema.Struct({ ok: Schema.Boolean }),
  objectName: "answer"
})

describe("TokenLedger", () => {
  it.scoped("adds up what processes write, for a day of UTC", () =>
    Effect.gen(function* () {
      const folder = join(yield* scratch, "a", "b")
      yield* TestClock.setTime(Date.UTC(2026, 0, 31, 23, 59))
      assert.strictEqual(yield* Effect.provide(spent, files(folder)), 0)
      yield* Effect.all([add(100), add(23), add(0.5)], { concurrency: "unbounded" }).pipe(Effect.provide(files(folder)))
      yield* Effect.provide(add(1000), files(folder))
      assert.strictEqual(yield* Effect.provide(spent, files(folder)), 1124)
      assert.strictEqual(statSync(join(folder, "tokens-2026-01-31.log")).mode & 0o777, 0o600)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(yield* Effect.provide(spent, files(folder)), 0)
    })
  )

  it.scoped("removes its files of earlier days, and nothing else", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      yield* TestClock.setTime(Date.UTC(2026, 1, 2))
      for (const name of ["tokens-2026-02-01.log", "tokens-2026-02-03.log", "tokens-notes.log", "log.jsonl"])
        writeFileSync(join(folder, name), "5\n")
      yield* Effect.provide(add(1), files(folder))
      assert.sameMembers(readdirSync(folder), [
        "tokens-2026-02-02.log",
        "tokens-2026-02-03.log",
        "tokens-notes.log",
        "log.jsonl"
      ])
    })
  )

  it.scoped("leaves a line out that is no count, and names a file that cannot be read", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      yield* TestClock.setTime(Date.UTC(2026, 1, 2))
      writeFileSync(join(folder, "tokens-2026-02-02.log"), "5\nx\n-3\n7")
      assert.strictEqual(yield* Effect.provide(spent, files(folder)), 12)
      writeFileSync(join(folder, "file"), "")
      const error = yield* Effect.flip(Effect.provide(add(1), files(join(folder, "file"))))
      assert.include(error.message, join(folder, "file"))
    })
  )
})

const reserve = (tokens: number, limit: number) =>
  Effect.flatMap(TokenLedger, (ledger) => ledger.reserve(tokens, limit))

describe("a reservation of tokens", () => {
  it.scoped("is one process's alone where two ask at the same moment, and ends with its question", () =>
    Effect.gen(function* () {
      const folder = join(yield* scratch, "models")
      yield* TestClock.setTime(Date.UTC(2026, 1, 2))
      const asked = () => Effect.provide(reserve(60, 100), files(folder))
      const both = Effect.all([asked(), asked()], { concurrency: "unbounded" })
      const first = yield* Effect.scoped(both)
      assert.sameDeepMembers(first, [
        { admitted: true, before: 0 },
        { admitted: false, before: 60 }
      ])
      assert.deepStrictEqual(yield* Effect.scoped(asked()), { admitted: true, before: 0 })
      yield* Effect.provide(add(50), files(folder))
      assert.deepStrictEqual(yield* Effect.scoped(asked()), { admitted: false, before: 50 })
      assert.strictEqual(yield* Effect.provide(spent, files(folder)), 50)
    })
  )

  it.scoped("of a process that was killed ends by itself", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      yield* TestClock.setTime(Date.UTC(2026, 1, 2))
      const asked = Effect.scoped(Effect.provide(reserve(60, 100), files(folder)))
      const killed = yield* Scope.make()
      yield* Scope.extend(Effect.provide(reserve(60, 100), files(folder)), killed)
      assert.isFalse((yield* asked).admitted)
      yield* TestClock.adjust("14 minutes")
      assert.isFalse((yield* asked).admitted)
      yield* TestClock.adjust("1 minute")
      assert.isTrue((yield* asked).admitted)
    })
  )

  it.scoped("that ends on the next day leaves no file of the day before", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      yield* TestClock.setTime(Date.UTC(2026, 1, 2, 23, 59))
      const night = Effect.gen(function* () {
        yield* reserve(60, 100)
        yield* TestClock.adjust("2 minutes")
        yield* add(7)
      })
      yield* Effect.provide(Effect.scoped(night), files(folder))
      assert.deepStrictEqual(readdirSync(folder), ["tokens-2026-02-03.log"])
    })
  )

  it.effect("holds in one process's memory as well", () =>
    Effect.gen(function* () {
      const asked = reserve(60, 100)
      const both = Effect.all([asked, asked], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        (yield* Effect.scoped(both)).map(({ admitted }) => admitted),
        [true, false]
      )
      assert.isTrue((yield* Effect.scoped(asked)).admitted)
    }).pipe(Effect.provide(TokenLedger.Memory))
  )

  it("is never admitted beyond the limit, however the processes' writing and reading falls together", () => {
    const step = fc.record({ who: fc.nat(4), tokens: fc.integer({ min: 1, max: 60 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const limit = 100
        const at = new Map<
          number,
          { readonly id: string; readonly tokens: number; readonly phase: "held" | "asking" }
        >()
        let text = ""
        let sum = 0
        for (const [index, { tokens, who }] of steps.entries()) {
          const one = at.get(who)
          if (one === undefined) {
            const id = `p${who}n${index}`
            text += Ledger.hold({ id, tokens, until: 10 })
            at.set(who, { id, tokens, phase: "held" })
          } else if (one.phase === "held") {
            const admitted = Ledger.before(text, { id: one.id, now: 1 }) + one.tokens <= limit
            if (admitted) at.set(who, { ...one, phase: "asking" })
            else {
              text += Ledger.release(one.id)
              at.delete(who)
            }
          } else {
            text += Ledger.count(one.tokens)
            sum += one.tokens
            text += Ledger.release(one.id)
            at.delete(who)
          }
          assert.isAtMost(sum, limit)
        }
        assert.strictEqual(Ledger.spent(text), sum)
      })
    )
  })
})

describe("ModelBudget", () => {
  it.scoped("admits one question of two processes that ask at the same moment, where only one is left", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const { asked, layer } = model(110)
      const process = () =>
        Effect.provide(Effect.either(ask), [layer, Layer.provide(ModelBudget.daily({ tokens: 200 }), files(folder))])
      const answers = yield* Effect.all([process(), process(), process()], { concurrency: "unbounded" })
      assert.strictEqual(answers.filter(Either.isRight).length, 1)
      assert.strictEqual(asked.count, 1)
      assert.strictEqual(yield* Effect.provide(spent, files(folder)), 110)
    })
  )

  it.effect("asks nothing more once the day's tokens are spent, and says what to change", () =>
    Effect.gen(function* () {
      const { asked, layer } = model(500)
      const failure = yield* Effect.flip(Effect.forever(ask)).pipe(
        Effect.provide(
          Layer.mergeAll(layer, ModelBudget.daily({ tokens: 1200 })).pipe(Layer.provideMerge(TokenLedger.Memory))
        )
      )
      assert.strictEqual(asked.count, 3)
      assert.strictEqual(failure.reason, "over_budget")
      assert.strictEqual(failure.calls, 0)
      assert.strictEqual(
        failure.detail,
        "1,500 tokens are spent and about 110 more are needed, where models.tokensPerDay is 1,200"
      )
    })
  )

  it.effect("holds for one review at a time, and counts it into the day", () =>
    Effect.gen(function* () {
      const { asked, layer } = model(500)
      const review = ModelBudget.within({ tokens: 900 })(Effect.flip(Effect.forever(ask)))
      const program = Effect.gen(function* () {
        assert.include((yield* review).detail, "models.tokensPerReview is 900")
        assert.strictEqual(asked.count, 2)
        assert.include((yield* review).detail, "models.tokensPerReview is 900")
        assert.include((yield* review).detail, "models.tokensPerDay is 2,400")
        assert.strictEqual(asked.count, 5)
        assert.strictEqual(yield* spent, 2500)
      })
      yield* program.pipe(
        Effect.provide(
          Layer.mergeAll(layer, ModelBudget.daily({ tokens: 2400 })).pipe(Layer.provideMerge(TokenLedger.Memory))
        )
      )
    })
  )

  it.effect("admits no two questions at once that together cost more than is left", () =>
    Effect.gen(function* () {
      const { asked, layer } = model(110)
      const both = Effect.all([Effect.either(ask), Effect.either(ask)], { concurrency: "unbounded" })
      const budgets = [ModelBudget.within({ tokens: 200 }), ModelBudget.within({ tokens: 1000 })]
      for (const budget of budgets) yield* Effect.provide(budget(both), layer)
      assert.strictEqual(asked.count, 3)
      yield* Effect.provide(both, [layer, ModelBudget.daily({ tokens: 200 })])
      assert.strictEqual(asked.count, 4)
    }).pipe(Effect.provide(TokenLedger.Memory))
  )

  it.effect("counts about what was asked where the provider counts nothing", () =>
    Effect.gen(function* () {
      yield* Effect.provide(ask, [model(0).layer, ModelBudget.daily({ tokens: 1000 })])
      assert.strictEqual(yield* spent, 110)
    }).pipe(Effect.provide(TokenLedger.Memory))
  )

  it.scoped("admits nothing where the day cannot be counted", () =>
    Effect.gen(function* () {
      const file = join(yield* scratch, "file")
      writeFileSync(file, "")
      const { asked, layer } = model(1)
      const ledger = files(file)
      const failure = yield* Effect.flip(ask).pipe(
        Effect.provide([layer, Layer.provide(ModelBudget.daily({ tokens: 1000 }), ledger)])
      )
      assert.deepStrictEqual([failure.reason, asked.count], ["over_budget", 0])
    })
  )
})
