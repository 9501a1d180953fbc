import { assert, describe, it } from "@effect/vitest"
import * as ModelCall from "@reflexion/core/ModelCall"
import { Models } from "@reflexion/core/Models"
import { CurrentConfig, defaults, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { Effect, Layer, Schema } from "effect"
import { live, works } from "../../core/test/support/works.ts"
import * as HostModels from "../src/models/HostModels.ts"
import { JudgeSession } from "../src/models/JudgeSession.ts"
import * as OpenCodeModel from "../src/models/OpenCodeModel.ts"
import { answered, type Behaviour, fakeHost } from "./support/host.ts"
import { user } from "./support/messages.ts"

const schema = Schema.Struct({ done: Schema.Boolean, missing: Schema.Array(Schema.String) })

const question = { purpose: "self_assessment", system: "Be brief.", prompt: "Done?", objectName: "opinion" } as const

const opinion = ModelCall.ask({ ...question, schema })

type Settings = Partial<Omit<ReflexionConfig, "models">> & { readonly models?: Partial<ReflexionConfig["models"]> }

const configured = ({ models, ...rest }: Settings): ReflexionConfig =>
  HostModels.chosen({ ...defaults, ...rest, models: { ...defaults.models, ...models } })

interface Host extends Pick<Behaviour, "ask"> {
  readonly modelID?: string
  readonly smallModel?: string | undefined
}

/** A host whose session `s0` is with that model, under a configuration. */
const asked = (settings: Settings, { modelID = "big", smallModel, ...behaviour }: Host = {}) => {
  const config = configured(settings)
  const { layer, questions } = fakeHost({
    stored: { s0: [user("u1", 0, "Fix it.", { model: { providerID: "p", modelID } })] },
    models: ["p/big", "p/mini", "anthropic/claude-sonnet-4-5", "opencode/grok", "router/a/b"],
    providers: [{ id: "p", models: { big: {}, mini: {}, nano: { family: "gpt-nano" } } }],
    ...(smallModel === undefined ? {} : { config: { small_model: smallModel } }),
    ...behaviour
  })
  const models = Layer.unwrapEffect(Effect.map(HostModels.make(config), (hosts) => Models.layer({ hosts }))).pipe(
    Layer.provideMerge(Layer.succeed(CurrentConfig, config)),
    Layer.provide(JudgeSession.layer({ directory: "/repo" })),
    Layer.provide(layer)
  )
  const unnamed = Effect.provide(opinion, Layer.provide(Models.Judge, models))
  return {
    unnamed,
    judging: OpenCodeModel.inSession("s0")(unnamed),
    small: HostModels.ofAny(OpenCodeModel.inSession("s0")(Effect.provide(opinion, Layer.provide(Models.Fast, models)))),
    questions,
    models: () => questions.map(({ model }) => `${model?.providerID}/${model?.modelID}`)
  }
}

describe("the host's models by the configuration's names", () => {
  it.effect.each<readonly [expected: string, name: string, fallback?: string | undefined, smallModel?: string]>([
    ["p/big", "opencode/default"],
    ["p/big", "opencode/p/big"],
    ["router/a/b", "opencode/router/a/b"],
    ["opencode/grok", "opencode/grok"],
    ["p/big", "p/big"],
    ["anthropic/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"],
    // The session's own model, or the configuration's fallback if there is one.
    ["p/big", "auto"],
    ["opencode/grok", "auto", "opencode/grok"],
    // The small model of the session's provider, however weak, or the one that `small_model` names there.
    ["p/nano", "opencode/small"],
    ["p/mini", "opencode/small", undefined, "p/mini"]
  ])("%s is asked through the host as %s", ([expected, model, fallback, smallModel]) => {
    const { judging, models } = asked({ model, ...(fallback && { models: { fallback: [fallback] } }) }, { smallModel })
    return Effect.map(judging, () => assert.deepStrictEqual(models(), [expected]))
  })

  works("a model too weak to judge is not asked to, but may answer small questions", function* () {
    const { judging, models, small } = asked({ model: "auto" }, { modelID: "mini" })
    assert.include((yield* Effect.flip(judging)).message, "p/mini is too weak to judge")
    assert.deepStrictEqual(models(), [])
    yield* small
    assert.deepStrictEqual(models(), ["p/mini"])
  })

  live("a provider of chat completions is asked without the host", function* () {
    const providers = { mine: { api: "chat-completions" as const, url: "http://127.0.0.1:9/v1" } }
    const { judging, models } = asked({ model: "mine/m", models: { providers } })
    assert.include((yield* Effect.flip(judging)).message, "127.0.0.1:9")
    assert.deepStrictEqual(models(), [])
  })

  it("a fallback alone asks no model, a named auditor does", () => {
    assert.isFalse(HostModels.areAsked(configured({ models: { fallback: ["opencode/default"] } })))
    assert.isTrue(HostModels.areAsked(configured({ crossReview: { auditor: "opencode/default" } })))
  })
})

describe("a question to a host's model", () => {
  works("has a separate system prompt, asks for JSON in words, and reads fenced JSON", function* () {
    const ask = Effect.succeed(answered('Sure:\n```json\n{"done":false,"missing":["tests"]}\n```'))
    const { judging, questions } = asked({ model: "auto" }, { ask })
    const { usage, value } = yield* judging
    assert.deepStrictEqual(value, { done: false, missing: ["tests"] })
    assert.deepStrictEqual(usage, { inputTokens: 137, outputTokens: 25 })
    assert.strictEqual(questions[0]?.system, "Be brief.")
    for (const part of ["Done?", "one JSON object", '"missing"']) assert.include(questions[0]?.text, part)
  })

  works("its error has the provider's status but none of its headers", function* () {
    const data = { message: "Bad key", statusCode: 401, responseHeaders: { "x-request-id": "req_1" } }
    const ask = Effect.succeed(answered("", { error: { name: "APIError", data } }))
    const error = yield* Effect.flip(asked({ model: "auto" }, { ask }).judging)
    assert.include(error.message, "HTTP 401: Bad key")
    assert.notInclude(JSON.stringify(error), "req_1")
  })

  works("fails outside of a session", function* () {
    const { questions, unnamed } = asked({ model: "auto" })
    assert.include((yield* Effect.flip(unnamed)).message, "OpenCodeModel.inSession")
    assert.deepStrictEqual(questions, [])
  })
})

const model = (family: string, release_date: string) => ({ family, release_date })

const nano = { "gpt-5-nano": model("gpt-nano", "2025-08-07") }

const providers = [
  {
    id: "anthropic",
    models: {
      "claude-opus-4-5": model("claude-opus", "2025-11-24"),
      "claude-3-5-haiku": model("claude-haiku", "2024-10-22"),
      "claude-haiku-4-5": model("claude-haiku", "2025-10-15")
    }
  },
  { id: "openai", models: { "gpt-5": model("gpt", "2025-08-07"), ...nano } },
  {
    id: "github-copilot",
    models: { "claude-haiku-4.5": model("claude-haiku", "2025-10-15"), mini: model("gpt-mini", "2025-08-13") }
  },
  { id: "azure", models: nano },
  { id: "mine", models: { large: {}, tiny: {} } },
  { id: "plain", models: { quick: {} } }
]

describe("the small model of a session's provider", () => {
  type Maybe = string | undefined
  type Row = readonly [provider: string, expected: string, named?: Maybe, own?: Maybe, fast?: string]
  const rows: ReadonlyArray<Row> = [
    // The newest of a small family.
    ["anthropic", "anthropic/claude-haiku-4-5"],
    ["openai", "openai/gpt-5-nano"],
    ["github-copilot", "github-copilot/mini"],
    // A model of models.fast, if the provider offers it and has no model of a known small family.
    ["plain", "plain/quick", undefined, undefined, "quick"],
    ["plain", "none", undefined, undefined, "also-gone"],
    // No model if the provider is the user's own, has other models for each account, or is not set up.
    ...["mine", "azure", "elsewhere", "__proto__"].map((one): Row => [one, "none"]),
    // The model that `small_model` names at the provider. It may be another provider's if the user's own files say so.
    ["mine", "mine/tiny", "mine/tiny"],
    ["mine", "openai/gpt-5-nano", "openai/gpt-5-nano", "openai/gpt-5-nano"],
    // No model of another provider if only a project names it: it may have replaced the user's choice.
    ["anthropic", "anthropic/claude-haiku-4-5", "openai/gpt-5"],
    ["mine", "none", "openai/gpt-5"],
    ["mine", "openai/gpt-5-nano", "openai/gpt-5", "openai/gpt-5-nano"],
    // No model that the host does not have, no matter who names it.
    ["openai", "openai/gpt-5-nano", "openai/gone", "openai/gone"],
    ["mine", "none", "nonsense", "a/b"]
  ]
  for (const [provider, expected, named, own, fast] of rows)
    it(`of ${provider} is ${expected} with small_model ${named}, ${own} of the user's and ${fast} as fast`, () => {
      const setup = { providers, configured: named ?? null, own: own === undefined ? [] : [own, ""] }
      const found = HostModels.smallOf(provider, { ...setup, fast: { plain: ["gone", ...(fast ? [fast] : [])] } })
      assert.strictEqual(found === null ? "none" : `${found.providerID}/${found.modelID}`, expected)
    })
})
