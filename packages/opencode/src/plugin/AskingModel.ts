/** Whether a model is asked about a session's stops, which, and what the user is told of it. */
import { AskLog, summary, isOff, today } from "@reflexion/core/AskLog"
import { CurrentConfig, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { ModelWord } from "../host/ModelWord.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import { nameOf, small } from "../models/HostModelNames.ts"
import * as Small from "../models/smallOf.ts"

interface Service {
  /** Why no model is asked about a session now, null where one may be. */
  readonly hindrance: (sessionId: string) => Effect.Effect<string | null>
  /** How it stands in a session, in one sentence about reflexion as "it"; empty where no model is ever asked. */
  readonly standing: (sessionId: string) => Effect.Effect<string>
  /** The same, with what was asked today. */
  readonly told: (sessionId: string) => Effect.Effect<string>
}

export const never =
  'reflexion asks no model here: `"model": "off"` stands in its configuration, and that holds before what is said here.'

const off = "you turned it off in this session; `/reflection model on` takes that back"

const silent = "the last three questions of this session were not answered; the next session asks again"

const count = (value: number): string => value.toLocaleString("en-US")

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Of all sessions and hosts: the day's limit is one for all of them. */
const spent = Effect.gen(function* () {
  const log = yield* AskLog
  const { answered, calls, inputTokens, medianMs, outputTokens } = summary(
    today(yield* log.read, yield* Clock.currentTimeMillis)
  )
  if (calls === 0) return "Nothing was asked today."
  const wait = medianMs === null ? "" : `, a median wait of ${seconds(medianMs)}`
  return `Today: ${calls} asked, ${answered} answered${wait}, ${count(inputTokens)} tokens in and ${count(outputTokens)} out.`
}).pipe(Effect.catchAll(({ message }) => Effect.succeed(message)))

interface Options {
  readonly own: Small.Own
}

const make = Effect.fnUntraced(function* ({ own }: Options) {
  const context = yield* Effect.context<CurrentConfig | OpenCodeClient>()
  const config: ReflexionConfig = yield* CurrentConfig
  const word = yield* ModelWord
  const log = yield* AskLog
  const given = Layer.succeed(AskLog, log)
  /** Which model that is, or why there is none; only the small one depends on what is set up. */
  const named = (sessionId: string) =>
    config.model === small
      ? Effect.map(Small.of(sessionId, { fast: config.models.fast, own }), (model) => `${small} (${nameOf(model)})`)
      : Effect.succeed(config.model === "auto" ? "the session's own model" : config.model)
  const found = Effect.fnUntraced(function* (sessionId: string) {
    if (config.model === "off") return yield* Either.left(never)
    if ((yield* word.of(sessionId)) === "off") return yield* Either.left(off)
    const lines = yield* Effect.orElseSucceed(log.read, () => [])
    if (isOff(lines, sessionId)) return yield* Either.left(silent)
    return yield* named(sessionId)
  }, Effect.provide(context))
  const hindrance = (sessionId: string) =>
    Effect.match(found(sessionId), { onFailure: (why) => why, onSuccess: () => null })
  const standing = Effect.fn("AskingModel.standing")((sessionId: string) =>
    Effect.match(found(sessionId), {
      onFailure: (why) => (why === never ? "" : `It asks no model in this session: ${why}.`),
      onSuccess: (name) => `It asks ${name} at stops that evidence leaves open.`
    })
  )
  const told = Effect.fn("AskingModel.told")((sessionId: string) =>
    Effect.zipWith(standing(sessionId), Effect.provide(spent, given), (how, what) =>
      how === "" ? never : `${how.replace("It asks", "reflexion asks")} ${what}`
    )
  )
  const service: Service = { hindrance, standing, told }
  return service
})

const unknown: Service = {
  hindrance: () => Effect.succeed(null),
  standing: () => Effect.succeed(""),
  told: () => Effect.succeed(never)
}

/** Without a layer nothing is known that speaks against it. */
export class AskingModel extends Context.Reference<AskingModel>()("@reflexion/opencode/AskingModel", {
  defaultValue: () => unknown
}) {
  static readonly Live = (options: Options): Layer.Layer<AskingModel, never, CurrentConfig | OpenCodeClient> =>
    Layer.effect(AskingModel, make(options))
}

/** How a session stands, and behind it how it stands with the model there. */
export const withModel = (sessionId: string, words: string): Effect.Effect<string> =>
  Effect.flatMap(AskingModel, ({ standing }) =>
    Effect.map(standing(sessionId), (model) => (model === "" ? words : `${words} ${model}`))
  )
