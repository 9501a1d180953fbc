import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Layer, Schema } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AskLog } from "../../src/model/calls/AskLog.ts"
import { Model } from "../../src/model/calls/Model.ts"
import * as ModelBudget from "../../src/model/calls/ModelBudget.ts"
import * as ModelCall from "../../src/model/calls/ModelCall.ts"

const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "reflexion-ledger-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const files = (directory: string) => AskLog.Files({ directory })

const spent = Effect.flatMap(AskLog, (log) => log.spent)

/** A model whose every answer costs so many tokens. */
const model = (tokens: number) => {
  const asked = { count: 0 }
  const layer = Layer.succeed(Model, {
    ask: () => {
      asked.count += 1
      const usage = { inputTokens: tokens, outputTokens: 0 }
      return Effect.as(Effect.yieldNow(), { text: '{"ok":true}', model: null, usage })
    }
  })
  return { asked, layer }
}

const ask = ModelCall.ask({
  purpose: "judge",
  system: "s".repeat(40),
  prompt: "p".repeat(400),
  schema: Schema.Struct({ ok: Schema.Boolean }),
  objectName: "answer"
})

describe("ModelBudget", () => {
  it.scoped("holds over all processes that share the log", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const { asked, layer } = model(110)
      const process = () =>
        Effect.provide(Effect.either(ask), [layer, Layer.provide(ModelBudget.daily({ tokens: 200 }), files(folder))])
      const answers = [yield* process(), yield* process()]
      assert.deepStrictEqual(answers.map(Either.isRight), [true, false])
      assert.strictEqual(asked.count, 1)
      assert.strictEqual(yield* Effect.provide(spent, files(folder)), 110)
    })
  )

  it.effect("asks nothing more once the day's tokens are spent, and says what to change", () =>
    Effect.gen(function* () {
      const { asked, layer } = model(500)
      const failure = yield* Effect.flip(Effect.forever(ask)).pipe(
        Effect.provide(
          Layer.mergeAll(layer, ModelBudget.daily({ tokens: 1200 })).pipe(Layer.provideMerge(AskLog.Memory))
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
          Layer.mergeAll(layer, ModelBudget.daily({ tokens: 2400 })).pipe(Layer.provideMerge(AskLog.Memory))
        )
      )
    })
  )

  it.effect("counts about what was asked where the provider counts nothing", () =>
    Effect.gen(function* () {
      yield* Effect.provide(ask, [model(0).layer, ModelBudget.daily({ tokens: 1000 })])
      assert.strictEqual(yield* spent, 110)
    }).pipe(Effect.provide(AskLog.Memory))
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
