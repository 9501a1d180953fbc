import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Stream } from "effect"
import * as ModelBudget from "../../src/model/calls/ModelBudget.ts"
import * as ModelCall from "../../src/model/calls/ModelCall.ts"
import { Models } from "../../src/model/calls/Models.ts"
import { CurrentConfig, type PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import { type Answer, chatServer, completion, question } from "../support/chatServer.ts"
import { live, works } from "../support/works.ts"
import * as AiError from "@effect/ai/AiError"
import * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Response from "@effect/ai/Response"
import * as EffectAiModel from "../../src/model/calls/EffectAiModel.ts"

const key = "sk-test-0123456789abcdefghijklmnop"

const env = (variables: Readonly<Record<string, string>>) =>
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables))))

const over = (config: PartialConfig, variables: Readonly<Record<string, string>> = {}) =>
  Models.Live.pipe(Layer.provideMerge(CurrentConfig.layer(config)), Layer.provide(env(variables)))

const judged = (config: PartialConfig, variables: Readonly<Record<string, string>> = {}) =>
  Effect.provide(ModelCall.ask(question), Layer.provide(Models.Judge, over(config, variables)))

const provider = (url: string, keyEnv?: string) => ({
  api: "chat-completions" as const,
  url,
  ...(keyEnv !== undefined && { keyEnv })
})

const candidates = (config: PartialConfig, variables: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(Models, (models) => models.candidates).pipe(
    Effect.map((all) => all.map(({ excluded, name }) => `${name}: ${excluded}`)),
    Effect.provide(over(config, variables))
  )

describe("Models", () => {
  works("says of every model why it is not asked", function* () {
    const providers = { bare: { api: "chat-completions" } as const, local: provider("http://127.0.0.1:1/v1") }
    const fallback = ["openai/gpt-5-mini", "openai/gpt-5", "nobody/x", "bare/x", "constructor/x", "local/coder"]
    const config = { model: "anthropic/claude-opus-4-5", models: { fallback, providers } }
    assert.deepStrictEqual(yield* candidates(config, { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: "  " }), [
      "anthropic/claude-opus-4-5: null",
      'openai/gpt-5-mini: too weak to judge ("mini" in models.weak)',
      "openai/gpt-5: OPENAI_API_KEY is not set",
      'nobody/x: unknown provider "nobody": add it to models.providers',
      "bare/x: models.providers.bare needs a url",
      'constructor/x: unknown provider "constructor": add it to models.providers',
      "local/coder: null"
    ])
  })

  works("has no model to ask if models are off or none is configured", function* () {
    assert.deepStrictEqual(yield* candidates({}, { ANTHROPIC_API_KEY: key }), [])
    const failure = yield* Effect.flip(judged({ model: "auto" }))
    assert.strictEqual(failure.reason, "unavailable")
    assert.match(failure.message, /no model is configured, and no provider's key is in the environment$/)
    const weak = yield* Effect.flip(judged({ model: "openai/gpt-5-nano" }, { OPENAI_API_KEY: key }))
    assert.include(weak.message, "too weak to judge")
  })

  it.scopedLive.each<readonly [string, Answer]>([
    ["is down", { status: 503, body: { error: { message: `no, ${key}` } } }],
    ["declines", completion("I cannot help with that.", { finish: "content_filter" })],
    ["is cut off", completion('{"done":', { finish: "length" })],
    ["says nothing", completion("")],
    ["hangs", { body: null, hangs: true }]
  ])("a model %s → asks the next in the configured order, and counts the cost", ([what, first]) =>
    Effect.gen(function* () {
      const { seen, url } = yield* chatServer(({ model }) => (model === "first" ? first : completion('{"done":true}')))
      const fallback = ["local/second", "local/third"]
      const models = { providers: { local: provider(url, "LOCAL_KEY") }, fallback, timeout: 6 }
      const spent: Array<number> = []
      const budget = { admit: () => Effect.void, spend: (tokens: number) => Effect.sync(() => void spent.push(tokens)) }
      const answer = yield* judged({ model: "local/first", models }, { LOCAL_KEY: key }).pipe(
        Effect.provideService(ModelBudget.ModelBudget, budget)
      )
      assert.deepInclude(answer, { value: { done: true }, calls: 2 })
      assert.strictEqual(seen.map(({ model }) => model).join(), "first,second")
      assert.lengthOf(spent, what === "is down" ? 1 : 2, "one that hung has cost about what it was asked")
      assert.strictEqual(seen[0]?.headers.authorization, `Bearer ${key}`)
      assert.isUndefined(seen[0]?.headers["traceparent"])
    })
  )

  live("keeps the key out of a failure when nobody answers", function* () {
    const { url } = yield* chatServer(() => ({ status: 401, body: { error: { message: `bad key ${key}` } } }))
    const models = { providers: { local: provider(url, "LOCAL_KEY") } }
    const failure = yield* Effect.flip(judged({ model: "local/x", models }, { LOCAL_KEY: key }))
    assert.include(failure.message, "HTTP 401")
    assert.notInclude(JSON.stringify(failure) + String(failure) + failure.message, key)
  })

  live("asks small questions of the judge's provider's fast model, or else of the judge", function* () {
    const { seen, url } = yield* chatServer(({ model }) =>
      model === "gone" ? { status: 404, body: {} } : completion("{}")
    )
    const providers = { local: provider(url) }
    for (const fast of [{ local: ["quick", "quicker"] }, { local: ["gone"] }, {}]) {
      const models = over({ model: "local/large", models: { providers, fast, fallback: ["other/x"] } })
      yield* Effect.provide(ModelCall.ask(question), Layer.provide(Models.Fast, models))
    }
    assert.strictEqual(seen.map(({ model }) => model).join(), "quick,gone,large,large")
  })

  works("asks a host's models through their program, without a key", function* () {
    const asked: Array<string> = []
    const model = (name: string) => {
      asked.push(name)
      return new ModelCall.ModelFailure({ reason: "unavailable", model: name, detail: "not here" })
    }
    const hosts = {
      codex: { model, problem: Effect.succeed(null) },
      "claude-code": { model, problem: Effect.succeed("claude is not on PATH") }
    }
    const config = { model: "codex/default", models: { fallback: ["claude-code/sonnet"] } }
    const found = yield* Effect.gen(function* () {
      const { candidates, named } = yield* Models
      yield* Effect.flip(named("codex/default"))
      return (yield* candidates).map(({ excluded, name }) => `${name}: ${excluded}`)
    }).pipe(Effect.provide(Models.layer({ hosts }).pipe(Layer.provide([CurrentConfig.layer(config), env({})]))))
    assert.deepStrictEqual(asked, ["default"])
    assert.deepStrictEqual(found, ["codex/default: null", "claude-code/sonnet: claude is not on PATH"])
  })
})

const end = (reason: Response.FinishReason): ReadonlyArray<Response.PartEncoded> => [
  { type: "response-metadata", modelId: "own-1" },
  { type: "finish", reason, usage: { inputTokens: 12, outputTokens: 3, totalTokens: 15 } }
]

const says = (text: string, reason: Response.FinishReason = "stop"): ReadonlyArray<Response.PartEncoded> => [
  { type: "text", text },
  ...end(reason)
]

const asking = (answer: Effect.Effect<ReadonlyArray<Response.PartEncoded>, AiError.AiError>) => {
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
  works("asks the program's own model in plain text, and returns its answer and cost", function* () {
    const { prompts, result } = yield* asking(Effect.succeed(says('So:\n{"done":true}')))
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
  ])("fails like other models, without its error's cause: %s", ([reason, parts]) =>
    Effect.gen(function* () {
      const cause = new Error("Bearer top-secret-of-acme")
      const where = { module: "Own", method: "generateText" }
      const broken = new AiError.UnknownError({ ...where, description: "out of order", cause })
      const { result } = yield* asking(parts === null ? Effect.fail(broken) : Effect.succeed(parts))
      const failure = yield* Effect.flip(result)
      assert.strictEqual(failure.reason, reason)
      if (parts === null) assert.include(failure.message, "out of order")
      assert.notInclude(JSON.stringify(failure), "top-secret")
    })
  )
})
