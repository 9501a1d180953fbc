import { assert, describe, it } from "@effect/vitest"
import { Model } from "@reflexion/core/Model"
import { Models } from "@reflexion/core/Models"
import { CurrentConfig, defaults, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { Effect, Layer } from "effect"
import * as HostModels from "../src/models/HostModels.ts"
import { JudgeSession } from "../src/models/JudgeSession.ts"
import * as OpenCodeModel from "../src/models/OpenCodeModel.ts"
import { fakeHost } from "./support/fakeHost.ts"
import { user } from "./support/messages.ts"

const question = {
  purpose: "judge",
  system: "Be brief.",
  prompt: "Done?",
  schema: { type: "object" },
  objectName: "opinion",
  maxOutputTokens: null
} as const

type Settings = Partial<Omit<ReflexionConfig, "models">> & { readonly models?: Partial<ReflexionConfig["models"]> }

const configured = ({ models, ...rest }: Settings): ReflexionConfig =>
  HostModels.chosen({ ...defaults, ...rest, models: { ...defaults.models, ...models } })

/** A host whose session `s0` is with that model, under a configuration. */
const world = (settings: Settings, modelID = "big", smallModel?: string) => {
  const config = configured(settings)
  const host = fakeHost({
    parent: [user("u1", 0, "Fix it.", { model: { providerID: "p", modelID } })],
    models: ["p/big", "p/mini", "anthropic/claude-sonnet-4-5", "opencode/grok", "router/a/b"],
    providers: [{ id: "p", models: { big: {}, mini: {}, nano: { family: "gpt-nano" } } }],
    ...(smallModel === undefined ? {} : { config: { small_model: smallModel } })
  })
  const models = Layer.unwrapEffect(Effect.map(HostModels.make(config), (hosts) => Models.layer({ hosts }))).pipe(
    Layer.provideMerge(Layer.succeed(CurrentConfig, config)),
    Layer.provide(JudgeSession.layer({ directory: "/repo" })),
    Layer.provide(host.layer)
  )
  const asked = Effect.flatMap(Model, ({ ask }) => ask(question)).pipe(OpenCodeModel.inSession("s0"))
  const judging = Effect.provide(asked, Layer.provide(Models.Judge, models))
  const small = HostModels.ofAny(Effect.provide(asked, Layer.provide(Models.Fast, models)))
  return { ...host, judging, small }
}

const model = (providerID: string, modelID: string) => ({ providerID, modelID })

describe("the host's models by the configuration's names", () => {
  const names: ReadonlyArray<readonly [string, { readonly providerID: string; readonly modelID: string }]> = [
    ["opencode/default", model("p", "big")],
    ["opencode/p/big", model("p", "big")],
    ["opencode/router/a/b", model("router", "a/b")],
    ["opencode/grok", model("opencode", "grok")],
    ["p/big", model("p", "big")],
    ["anthropic/claude-sonnet-4-5", model("anthropic", "claude-sonnet-4-5")]
  ]

  for (const [name, expected] of names) {
    it.effect(`${name} is asked through the host`, () => {
      const { judging, questions } = world({ model: name })
      return Effect.gen(function* () {
        yield* judging
        assert.deepStrictEqual(
          questions.map((question) => question.model),
          [expected]
        )
      })
    })
  }

  it.effect(
    "opencode/small is the small one of the session's provider, however weak, and what small_model names there",
    () => {
      const all = [world({ model: "opencode/small" }), world({ model: "opencode/small" }, "big", "p/mini")]
      return Effect.gen(function* () {
        for (const { judging } of all) yield* judging
        assert.deepStrictEqual(
          all.flatMap(({ questions }) => questions.map((question) => question.model)),
          [model("p", "nano"), model("p", "mini")]
        )
      })
    }
  )

  it.effect("auto is the session's own model, and what the configuration falls back to where it says so", () => {
    const [own, other] = [world({ model: "auto" }), world({ model: "auto", models: { fallback: ["opencode/grok"] } })]
    return Effect.gen(function* () {
      yield* own.judging
      yield* other.judging
      assert.deepStrictEqual(
        [...own.questions, ...other.questions].map((question) => question.model),
        [model("p", "big"), model("opencode", "grok")]
      )
    })
  })

  it.effect("one that is too weak to judge is not asked to, and may answer small questions", () => {
    const { judging, questions, small } = world({ model: "auto" }, "mini")
    return Effect.gen(function* () {
      assert.include((yield* Effect.flip(judging)).message, "p/mini is too weak to judge")
      assert.deepStrictEqual(questions, [])
      yield* small
      assert.deepStrictEqual(
        questions.map((question) => question.model),
        [model("p", "mini")]
      )
    })
  })

  it.effect("a provider of chat completions is asked without the host", () => {
    const providers = { mine: { api: "chat-completions" as const, url: "http://127.0.0.1:9/v1" } }
    const { judging, questions } = world({ model: "mine/m", models: { providers } })
    return Effect.gen(function* () {
      const error = yield* Effect.flip(judging)
      assert.include(error.message, "127.0.0.1:9")
      assert.deepStrictEqual(questions, [])
    })
  })

  it.effect("nobody is asked unless a model is named", () =>
    Effect.sync(() => {
      assert.isFalse(HostModels.areAsked(configured({ models: { fallback: ["opencode/default"] } })))
      assert.isTrue(HostModels.areAsked(configured({ crossReview: { auditor: "opencode/default" } })))
    })
  )
})
