import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Layer, Schema } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { AskLog } from "../../src/model/calls/AskLog.ts"
import { Model } from "../../src/model/calls/Model.ts"
import * as ModelBudget from "../../src/model/calls/ModelBudget.ts"
import * as ModelCall from "../../src/model/calls/ModelCall.ts"
import { folder } from "../support/stores.ts"

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
  it.scoped("holds over all processes that share the log, and admits nothing where the day cannot be counted", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const files = AskLog.Files({ directory: join(path, "models") })
      const { asked, layer } = model(110)
      const daily = ModelBudget.daily({ tokens: 200 })
      const process = () => Effect.provide(Effect.either(ask), [layer, Layer.provide(daily, files)])
      assert.deepStrictEqual([yield* process(), yield* process()].map(Either.isRight), [true, false])
      assert.strictEqual(yield* Effect.provide(spent, files), 110)
      writeFileSync(join(path, "file"), "")
      const uncounted = Layer.provide(daily, AskLog.Files({ directory: join(path, "file") }))
      const { reason } = yield* Effect.flip(Effect.provide(ask, [layer, uncounted]))
      assert.deepStrictEqual([reason, asked.count], ["over_budget", 1])
    })
  )

  it.effect("asks nothing more once the day's tokens are spent, and says what to change", () =>
    Effect.gen(function* () {
      const { asked, layer } = model(500)
      const failure = yield* Effect.flip(Effect.forever(ask)).pipe(
        Effect.provide([layer, ModelBudget.daily({ tokens: 1200 })])
      )
      const detail = "1,500 tokens are spent and about 110 more are needed, where models.tokensPerDay is 1,200"
      assert.deepInclude(failure, { reason: "over_budget", calls: 0, detail })
      assert.strictEqual(asked.count, 3)
      assert.strictEqual(yield* spent, 1500)
    }).pipe(Effect.provide(AskLog.Memory))
  )

  it.effect("holds for one review at a time, and counts it into the day", () =>
    Effect.gen(function* () {
      const { asked, layer } = model(500)
      yield* Effect.gen(function* () {
        for (const [detail, count] of [
          ["models.tokensPerReview is 900", 2],
          ["models.tokensPerReview is 900", 4],
          ["models.tokensPerDay is 2,400", 5]
        ] as const) {
          const failure = yield* ModelBudget.within({ tokens: 900 })(Effect.flip(Effect.forever(ask)))
          assert.include(failure.detail, detail)
          assert.strictEqual(asked.count, count)
        }
        assert.strictEqual(yield* spent, 2500)
      }).pipe(Effect.provide([layer, ModelBudget.daily({ tokens: 2400 })]))
    }).pipe(Effect.provide(AskLog.Memory))
  )

  it.effect("counts about what was asked where the provider counts nothing", () =>
    Effect.gen(function* () {
      yield* Effect.provide(ask, [model(0).layer, ModelBudget.daily({ tokens: 1000 })])
      assert.strictEqual(yield* spent, 110)
    }).pipe(Effect.provide(AskLog.Memory))
  )
})
