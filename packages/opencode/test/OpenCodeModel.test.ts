import { AiError, LanguageModel, Prompt, Tool, Toolkit } from "@effect/ai"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema, Stream } from "effect"
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
  const using = <A, E>(effect: Effect.Effect<A, E, LanguageModel.LanguageModel>) =>
    effect.pipe(OpenCodeModel.inSession("s0"), Effect.provide(model))
  return { model, questions, there, using }
}

const saying = (text: string) => over({ ask: Effect.succeed(answered(text)) })

const asked = LanguageModel.generateText({ prompt: "Done?" })

const opinion = LanguageModel.generateObject({ prompt: "Done?", schema: Opinion })

describe("OpenCodeModel", () => {
  it.effect("answers with what the host's model says, and counts its tokens", () =>
    Effect.gen(function* () {
      const { there, using } = saying("Yes.")
      const { content, finishReason, text, usage } = yield* using(asked)
      assert.deepStrictEqual([text, finishReason], ["Yes.", "stop"])
      assert.deepInclude(usage, {
        inputTokens: 137,
        outputTokens: 25,
        totalTokens: 162,
        reasoningTokens: 5,
        cachedInputTokens: 30
      })
      assert.isTrue(content.some((part) => part.type === "response-metadata"))
      assert.deepStrictEqual([...there], [])
    })
  )

  it.effect("keeps what the system says apart, and tells who said what where both have spoken", () =>
    Effect.gen(function* () {
      const { questions, using } = saying("Yes.")
      const prompt = Prompt.make([
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "Done?" }] }
      ])
      yield* using(LanguageModel.generateText({ prompt }))
      const more = Prompt.merge(prompt, [
        { role: "assistant", content: [{ type: "text", text: "No." }] },
        { role: "user", content: [{ type: "text", text: "And now?" }] }
      ])
      yield* using(LanguageModel.generateText({ prompt: more }))
      assert.deepStrictEqual(
        questions.map(({ system, text }) => [system, text]),
        [
          ["Be brief.", "Done?"],
          ["Be brief.", "User: Done?\n\nAssistant: No.\n\nUser: And now?"]
        ]
      )
    })
  )

  it.effect("asks for JSON in words, and finds it in a fence and after a sentence", () =>
    Effect.gen(function* () {
      const { questions, using } = saying('Sure:\n```json\n{"done":false,"missing":["tests"]}\n```')
      const { value } = yield* using(opinion)
      assert.deepStrictEqual(value, { done: false, missing: ["tests"] })
      for (const part of ["Done?", "one JSON object", '"missing"']) assert.include(questions[0]?.text, part)
    })
  )

  it.effect("takes no opinion out of an answer that was cut off, says nothing, or has another shape", () =>
    Effect.gen(function* () {
      for (const text of ['{"done":true,"missing":[],"more":{"a":', "I cannot say.", '{"done":"yes","missing":[]}']) {
        const error = yield* Effect.flip(saying(text).using(opinion))
        assert.strictEqual(error._tag, "MalformedOutput")
      }
    })
  )

  it.effect("streams the answer in one piece", () =>
    Effect.gen(function* () {
      const { using } = saying("Yes.")
      const parts = yield* using(Stream.runCollect(LanguageModel.streamText({ prompt: "Done?" })))
      const types = [...parts].map(({ type }) => type)
      assert.deepStrictEqual(types, ["text-start", "text-delta", "text-end", "response-metadata", "finish"])
    })
  )

  it.effect("says the provider's status, and nothing of its headers", () =>
    Effect.gen(function* () {
      const data = { message: "Bad key", statusCode: 401, responseHeaders: { "x-request-id": "req_1" } }
      const { using } = over({ ask: Effect.succeed(answered("", { error: { name: "APIError", data } })) })
      const error = yield* Effect.flip(using(asked))
      assert.isTrue(error._tag === "HttpResponseError" && error.response.status === 401)
      assert.include(error.message, "Bad key")
      assert.notInclude(JSON.stringify(error), "req_1")
    })
  )

  it.effect("says what else is wrong, and what to do", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(over({ create: fault("unreachable") }).using(asked))
      assert.isTrue(AiError.isAiError(error))
      assert.include(error.message, "check that it still runs")
    })
  )

  it.effect("asks nothing for no session, with tools, or with more than text", () =>
    Effect.gen(function* () {
      const { model, questions, using } = saying("Yes.")
      const unnamed = yield* Effect.flip(Effect.provide(asked, model))
      const tool = Tool.make("look", { success: Schema.String })
      const toolkit = Toolkit.make(tool)
      const armed = LanguageModel.generateText({ prompt: "Done?", toolkit }).pipe(
        Effect.provide(toolkit.toLayer({ look: () => Effect.succeed("") }))
      )
      const file = Prompt.make([
        { role: "user", content: [{ type: "file", mediaType: "image/png", data: new Uint8Array([1]) }] }
      ])
      const errors = [
        unnamed,
        yield* Effect.flip(using(armed)),
        yield* Effect.flip(using(LanguageModel.generateText({ prompt: file })))
      ]
      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        ["MalformedInput", "MalformedInput", "MalformedInput"]
      )
      assert.deepStrictEqual(questions, [])
    })
  )
})
