/** The host's own models by the names that the configuration gives them. */
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import type { HostModels } from "@reflexion/core/Models"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import type { JudgeSession } from "./JudgeSession.ts"
import { OpenCodeClient, type Prompt } from "../host/OpenCodeClient.ts"
import * as OpenCodeModel from "./OpenCodeModel.ts"
import { modelOf, type Named, nameOf, providersOf } from "./HostModelNames.ts"
import * as Small from "./SmallOfSession.ts"
import * as OpenCodeRecord from "../host/OpenCodeRecord.ts"

const anyModel = FiberRef.unsafeMake(false)

/** What is asked in it may be asked of a model that is too weak to judge. */
export const ofAny: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.locally(anyModel, true)

const absent = (name: string): string =>
  `OpenCode has no model ${name}, and such models are asked through OpenCode: set its provider up there, or name another in "model"`

const tooWeak = (name: string, word: string): string =>
  `the session's own model ${name} is too weak to judge ("${word}" in models.weak): name another in "model"`

/** Why a model is not asked about a session. What the host does not tell speaks against nothing. */
const refusalOf = (config: ReflexionConfig, model: Exclude<Named, "small">) =>
  Effect.fnUntraced(
    function* (sessionId: string) {
      const client = yield* OpenCodeClient
      if (model !== "default") {
        const known = yield* client.models
        return known.has(nameOf(model)) ? null : absent(nameOf(model))
      }
      if (yield* FiberRef.get(anyModel)) return null
      const own = yield* OpenCodeRecord.modelOf(sessionId)
      if (own === null) return null
      const word = ModelRouting.weakIn(config, nameOf(own))
      return word === null ? null : tooWeak(nameOf(own), word)
    },
    Effect.orElseSucceed(() => null)
  )

/** What a name stands for, as the host calls it; null where no session is asked about, or the host does not tell. */
const ofSession = <E, R>(find: (sessionId: string) => Effect.Effect<Prompt["model"], E, R>) =>
  Effect.gen(function* () {
    const sessionId = yield* OpenCodeModel.session
    const model = sessionId === null ? null : yield* find(sessionId)
    return model === null ? null : nameOf(model)
  }).pipe(Effect.orElseSucceed(() => null))

/** On the screen, once: the user has asked for reviews by a model, and there are none. */
const telling = () => {
  const told = new Set<string>()
  return Effect.fnUntraced(function* (refusal: string) {
    if (told.has(refusal)) return
    told.add(refusal)
    const client = yield* OpenCodeClient
    yield* Effect.ignore(client.toast({ message: `reflexion asks no model: ${refusal}.`, variant: "warning" }))
  })
}

/** The entries of `Models` that are asked through the host. `ownSmall`: what the user's own files of the host call small. */
export const make = Effect.fnUntraced(function* (config: ReflexionConfig, ownSmall: Small.Own = () => []) {
  const context = yield* Effect.context<JudgeSession | OpenCodeClient>()
  const timeout = Duration.seconds(config.models.timeout)
  const tell = telling()
  const smallOf = (sessionId: string) => Small.of(sessionId, { fast: config.models.fast, own: ownSmall })
  const choose =
    (model: Named): OpenCodeModel.Choose =>
    (sessionId) =>
      Effect.gen(function* () {
        if (model === "small") return yield* smallOf(sessionId)
        const why = yield* refusalOf(config, model)(sessionId)
        if (why === null) return model === "default" ? null : model
        yield* tell(why)
        return yield* Effect.fail(why)
      }).pipe(Effect.provide(context))
  const entry = (provider: string): HostModels => ({
    problem: Effect.succeed(null),
    real: (name) => {
      const model = modelOf(provider, name)
      if (model === "small") return Effect.provide(ofSession(smallOf), context)
      return model === "default" ? Effect.provide(ofSession(OpenCodeRecord.modelOf), context) : Effect.succeed(null)
    },
    model: (name) => Effect.provide(OpenCodeModel.make({ model: choose(modelOf(provider, name)), timeout }), context)
  })
  return Object.fromEntries(providersOf(config).map((provider) => [provider, entry(provider)]))
})
