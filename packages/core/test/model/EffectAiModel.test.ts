import * as AiError from "@effect/ai/AiError"
import * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Response from "@effect/ai/Response"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import * as EffectAiModel from "../../src/model/calls/EffectAiModel.ts"
import * as ModelCall from "../../src/model/calls/ModelCall.ts"
import { question } from "../support/chatServer.ts"
import { works } from "../support/works.ts"

const end = (reason: Response.FinishReason): ReadonlyArray<Response.PartEncoded> => [
  { type: "response-metadata", modelId: "own-1" },
  { type: "finish", reason, usage: { inputTokens: 12, outputTokens: 3, totalTokens: 15 } }
]

const says = (text: string, reason: Response.FinishReason = "stop"): ReadonlyArray<Response.PartEncoded> => [
  { type: "text", text },
  ...end(reason)
]

/** A question to a program's own model that answers so, and what it was asked. */
const over = (answer: Effect.Effect<ReadonlyArray<Response.PartEncoded>, AiError.AiError>) => {
  const prompts: Array<string> = []
  const own = Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({
      generateText: ({ prompt }) => {
        prompts.push(JSON.stringify(prompt.content))
        return Effect.map(answer, (parts) => [...parts])
      },
      streamText: () => Stream.die("not asked for")
    })
  )
  const asked = Effect.provide(ModelCall.ask(question), Layer.provide(EffectAiModel.layer, own))
  return Effect.map(Effect.either(asked), (result) => ({ result, prompts }))
}

describe("EffectAiModel", () => {
  works("asks a program's own model in words, and gives what it says with what it cost", function* () {
    const { prompts, result } = yield* over(Effect.succeed(says('So:\n{"done":true}')))
    assert.deepStrictEqual(yield* result, {
      text: 'So:\n{"done":true}',
      value: { done: true },
      model: "own-1",
      usage: { inputTokens: 12, outputTokens: 3 },
      calls: 1
    })
    for (const part of ["You judge.", "Is it done?", "one JSON object"]) assert.include(prompts.join(), part)
  })

  it.effect.each<readonly [string, ReadonlyArray<Response.PartEncoded> | null]>([
    ["unavailable", null],
    ["truncated", says("{", "length")],
    ["refused", says("", "content-filter")]
  ])("fails as other models do, without what its error was caused by: %s", ([reason, parts]) =>
    Effect.gen(function* () {
      const cause = new Error("Bearer top-secret-of-acme")
      const where = { module: "Own", method: "generateText" }
      const broken = new AiError.UnknownError({ ...where, description: "out of order", cause })
      const { result } = yield* over(parts === null ? Effect.fail(broken) : Effect.succeed(parts))
      const failure = yield* Effect.flip(result)
      assert.strictEqual(failure.reason, reason)
      if (parts === null) assert.include(failure.message, "out of order")
      assert.notInclude(JSON.stringify(failure), "top-secret")
    })
  )
})
