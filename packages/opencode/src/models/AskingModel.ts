/** Whether a model is asked about a session's stops, which, and what the user is told of it. */
import * as AskLog from "@reflexion/core/AskLog"
import * as AskedLine from "@reflexion/core/internal/review/tiers/AskedLine"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import { SessionWords } from "../host/SessionWords.ts"
import { nameOf, small } from "./HostModelNames.ts"
import * as Small from "./SmallOfSession.ts"

type Log = Context.Tag.Service<typeof AskLog.AskLog>

/**
 * Asked where no configuration names a model. `agreed`: whether the user said yes for all sessions, as it stands now.
 * `mayOffer`: whether they are to be told that they can, which is so once.
 */
export interface Consent {
  readonly agreed: () => boolean
  readonly mayOffer: () => boolean
}

interface Service {
  /** Whether the user turned it off in a session. */
  readonly isOff: (sessionId: string) => Effect.Effect<boolean>
  /** Whether a model may be asked only by the user's yes, and there is none for the session. */
  readonly lacksConsent: (sessionId: string | null) => Effect.Effect<boolean>
  /** What to tell the user of the model that they could agree to; null where there is none, or they were told. */
  readonly offer: (sessionId: string) => Effect.Effect<string | null>
  /** Why there is no model to ask about a session whose record was just read, null where there is one. */
  readonly hindrance: (sessionId: string) => Effect.Effect<string | null>
  /** How it stands in a session, in one sentence about reflexion as "it"; empty where no model is ever asked. */
  readonly standing: (sessionId: string) => Effect.Effect<string>
  /** The same, with what was asked today. */
  readonly told: (sessionId: string) => Effect.Effect<string>
}

export const never =
  'reflexion asks no model here: `"model": "off"` stands in its configuration, and that holds before what is said here.'

const off = "you turned it off in this session; `/reflection model on` takes that back"

const silent =
  "the last three questions of this session were not answered; `/reflection model on` asks again, and so does the next session"

/** Of all sessions and hosts: the day's limit is one for all of them. */
const spent = (log: Log, now: number) =>
  Effect.match(log.read, {
    onFailure: ({ message }) => message,
    onSuccess: (lines) => AskedLine.today(AskLog.summary(AskLog.today(lines, now)))
  })

interface Options {
  readonly own: Small.Own
  /** Null where a configuration names the model. */
  readonly consent: Consent | null
}

/** What the host told holds for a minute; where it told nothing it is asked again. */
const forAMinute = <A, E>(look: Effect.Effect<A, E>) =>
  Effect.map(Effect.cachedInvalidateWithTTL(look, "1 minute"), ([known, forget]) =>
    Effect.tapError(known, () => forget)
  )

/** What is set up in the host takes it longer to list than a review takes, and seldom changes. */
const remembered = Effect.gen(function* () {
  const client = yield* OpenCodeClient
  const config = yield* forAMinute(client.config)
  const providers = yield* forAMinute(client.providers)
  return { ...client, config, providers }
})

/** By what the user agrees, in one session or in all. */
const agreeing = "`/reflection model on` has it asked in this session, `reflexion models on opencode` in all"

const make = Effect.fnUntraced(function* ({ consent, own }: Options) {
  const client = yield* remembered
  const config = yield* CurrentConfig
  const words = yield* SessionWords
  const log = yield* AskLog.AskLog
  /** Which model that is, or why there is none: that of the small one depends on what is set up. */
  const named = (sessionId: string): Effect.Effect<string, string> => {
    if (config.model !== small) return Effect.succeed(config.model === "auto" ? "a model" : config.model)
    const finding = Small.of(sessionId, { fast: config.models.fast, own })
    return finding.pipe(
      Effect.map((model) => `${small} (${nameOf(model)})`),
      Effect.provideService(OpenCodeClient, client)
    )
  }
  const isOff = (sessionId: string) => Effect.map(words.model(sessionId), (said) => said === "off")
  const lacksConsent = Effect.fn("AskingModel.lacksConsent")(function* (sessionId: string | null) {
    if (consent === null || consent.agreed()) return false
    return sessionId === null || (yield* words.model(sessionId)) !== "on"
  })
  let isOffered = consent === null
  const offer = Effect.fn("AskingModel.offer")(function* (sessionId: string) {
    if (isOffered) return null
    const name = yield* Effect.option(named(sessionId))
    if (Option.isNone(name)) return null
    isOffered = true
    return consent?.mayOffer() === true
      ? `reflexion decides from the record alone. At stops like the last it can ask ${name.value} as well, if you agree: ${agreeing}. You are told this once.`
      : null
  })
  const hindrance = Effect.fn("AskingModel.hindrance")((sessionId: string) =>
    Effect.match(named(sessionId), { onFailure: (why) => why, onSuccess: () => null })
  )
  const found = Effect.fnUntraced(function* (sessionId: string) {
    if (yield* isOff(sessionId)) return yield* Effect.fail(off)
    if (yield* lacksConsent(sessionId)) return yield* Effect.fail(`nobody agreed to it; ${agreeing}`)
    const lines = yield* Effect.orElseSucceed(log.read, () => [])
    return AskLog.isOff(lines, sessionId) ? yield* Effect.fail(silent) : yield* named(sessionId)
  })
  const standing = Effect.fn("AskingModel.standing")((sessionId: string) =>
    config.model === "off"
      ? Effect.succeed("")
      : Effect.match(found(sessionId), {
          onFailure: (why) => `It asks no model in this session: ${why}.`,
          onSuccess: (name) => `It asks ${name} at stops of work, about two in three.`
        })
  )
  const told = Effect.fn("AskingModel.told")(function* (sessionId: string) {
    const how = yield* standing(sessionId)
    if (how === "") return never
    return `${how.replace("It asks", "reflexion asks")} ${yield* spent(log, yield* Clock.currentTimeMillis)}`
  })
  const service: Service = { isOff, lacksConsent, offer, hindrance, standing, told }
  return service
})

const unknown: Service = {
  isOff: () => Effect.succeed(false),
  lacksConsent: () => Effect.succeed(false),
  offer: () => Effect.succeed(null),
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
