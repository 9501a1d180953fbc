import { assert, describe, it } from "@effect/vitest"
import type { Model } from "@reflexion/core/Model"
import * as ModelCall from "@reflexion/core/ModelCall"
import { Effect, Layer, Schema } from "effect"
import { JudgeSession } from "../src/models/JudgeSession.ts"
import * as OpenCodeModel from "../src/models/OpenCodeModel.ts"
import { answered, type Behaviour, fakeHost, fault } from "./support/fakeHost.ts"

const Opinion = Schema.Struct({ done: Schema.Boolean, missing: Schema.Array(Schema.String) })

/** Runs what uses a model over a host that behaves so, for the session `s0`. */
const over = (behaviour: Behaviour) => {
  const { layer, questions, there } = fakeHost(behaviour)
  const model = OpenCodeModel.layer({ model: { providerID: "p", modelID: "m" }, timeout: "30 seconds" }).pipe(
    Layer.provide(JudgeSession.layer({ directory: "/repo" })),
    Layer.provide(layer)
  )
  const using = <A, E>(effect: Effect.Effect<A, E, Model>) =>
    effect.pipe(OpenCodeModel.inSession("s0"), Effect.provide(model))
  return { model, questions, there, using }
}

const saying = (text: string) => over({ ask: Effect.succeed(answered(text)) })

const asked = ModelCall.ask({
  purpose: "judge",
  system: "Be brief.",
  prompt: "Done?",
  schema: Opinion,
  objectName: "opinion"
})

describe("OpenCodeModel", () => {
  it.effect("answers with what the host's model says, and counts its tokens", () =>
    Effect.gen(function* () {
      const { there, using } = saying("Yes.")
      const { text, usage } = yield* using(asked)
      assert.strictEqual(text, "Yes.")
      assert.deepStrictEqual(usage, { inputTokens: 137, outputTokens: 25 })
      assert.deepStrictEqual([...there], [])
    })
  )

  it.effect("keeps what the system says apart, asks for JSON in words, and finds it in a fence", () =>
    Effect.gen(function* () {
      const { questions, using } = saying('Sure:\n```json\n{"done":false,"missing":["tests"]}\n```')
      assert.deepStrictEqual((yield* using(asked)).value, { done: false, missing: ["tests"] })
      assert.strictEqual(questions[0]?.system, "Be brief.")
      for (const part of ["Done?", "one JSON object", '"missing"']) assert.include(questions[0]?.text, part)
    })
  )

  it.effect("takes no opinion out of an answer that was cut off, says nothing, or has another shape", () =>
    Effect.gen(function* () {
      for (const text of ['{"done":true,"missing":[],"more":{"a":', "I cannot say.", '{"done":"yes","missing":[]}'])
        assert.isNull((yield* saying(text).using(asked)).value)
    })
  )

  it.effect("says the provider's status, and nothing of its headers", () =>
    Effect.gen(function* () {
      const data = { message: "Bad key", statusCode: 401, responseHeaders: { "x-request-id": "req_1" } }
      const { using } = over({ ask: Effect.succeed(answered("", { error: { name: "APIError", data } })) })
      const error = yield* Effect.flip(using(asked))
      assert.include(error.message, "HTTP 401: Bad key")
      assert.notInclude(JSON.stringify(error), "req_1")
    })
  )

  it.effect("says what else is wrong, and what to do", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(over({ create: fault("unreachable") }).using(asked))
      assert.include(error.message, "check that it still runs")
    })
  )

  it.effect("asks nothing for no session", () =>
    Effect.gen(function* () {
      const { model, questions } = saying("Yes.")
      const unnamed = yield* Effect.flip(Effect.provide(asked, model))
      assert.include(unnamed.message, "OpenCodeModel.inSession")
      assert.deepStrictEqual(questions, [])
    })
  )
})
