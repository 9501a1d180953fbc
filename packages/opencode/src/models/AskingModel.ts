/** Decides whether a model is asked about a session's stops, and which one. Also tells the user about it. */
import * as AskLog from "@reflexion/core/AskLog"
import * as AskedLine from "@reflexion/core/internal/review/tiers/AskedLine"
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import { type Consult, JudgeService, type Seen } from "@reflexion/core/JudgeService"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { CurrentProgram } from "../decoder/Program.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import { SessionWords } from "../host/SessionWords.ts"
import { nameOf, type OwnSmallModels, small, smallOfSession } from "./HostModels.ts"

/** The user's consent. It is needed if no configuration names a model. */
export interface Consent {
  readonly agreed: () => boolean
  /** True once. Then the user is told that they can agree. */
  readonly mayOffer: () => boolean
}

export const never =
  'reflexion asks no model here: the configuration says `"model": "off"`, which overrides what you say here.'

const off = "you turned it off in this session; `/reflection model on` undoes that"

const silent =
  "the last three questions of this session were not answered; `/reflection model on` asks again, and a new session does too"

const agreeingIn = (name: string): string =>
  `\`/reflection model on\` allows it in this session, \`reflexion allow model ${name}\` in all sessions`

interface Options {
  readonly own: OwnSmallModels
  /** Null if a configuration names the model. */
  readonly consent: Consent | null
}

/** Keeps the host's lists for a minute, because they take longer than a review. After an error, asks the host again. */
const forAMinute = <A, E>(look: Effect.Effect<A, E>) =>
  Effect.map(Effect.cachedInvalidateWithTTL(look, "1 minute"), ([known, forget]) =>
    Effect.tapError(known, () => forget)
  )

const make = Effect.fnUntraced(function* ({ consent, own }: Options) {
  const host = yield* OpenCodeClient
  const client = { ...host, config: yield* forAMinute(host.config), providers: yield* forAMinute(host.providers) }
  const config = yield* CurrentConfig
  const words = yield* SessionWords
  const log = yield* AskLog.AskLog
  const agreeing = agreeingIn((yield* CurrentProgram).name)
  /** The small model depends on the host's setup. Fails with the reason if there is no small model. */
  const named = (sessionId: string): Effect.Effect<string, string> =>
    config.model === small
      ? Effect.map(smallOfSession(sessionId, config, own), (model) => `${small} (${nameOf(model)})`).pipe(
          Effect.provideService(OpenCodeClient, client)
        )
      : Effect.succeed(config.model === "auto" ? "a model" : config.model)
  const isOff = (sessionId: string) => Effect.map(words.model(sessionId), (said) => said === "off")
  const lacksConsent = Effect.fn("AskingModel.lacksConsent")(function* (sessionId: string | null) {
    if (consent === null || consent.agreed()) return false
    return sessionId === null || (yield* words.model(sessionId)) !== "on"
  })
  let isOffered = consent === null
  /** The offer for the user. Null if there is no model, or if the user was told before. */
  const offer = Effect.fn("AskingModel.offer")(function* (sessionId: string) {
    const name = isOffered ? Option.none<string>() : yield* Effect.option(named(sessionId))
    if (Option.isNone(name)) return null
    isOffered = true
    return consent?.mayOffer() === true
      ? `reflexion decides only from the record. At stops like the last one, it can also ask ${name.value}, if you agree: ${agreeing}. You are told this once.`
      : null
  })
  /** Why no model can be asked. Null if a model can be asked. */
  const hindrance = Effect.fn("AskingModel.hindrance")((sessionId: string) =>
    Effect.match(named(sessionId), { onFailure: (why) => why, onSuccess: () => null })
  )
  const found = Effect.fnUntraced(function* (sessionId: string) {
    if (yield* isOff(sessionId)) return yield* Effect.fail(off)
    if (yield* lacksConsent(sessionId)) return yield* Effect.fail(`nobody agreed to it; ${agreeing}`)
    const lines = yield* Effect.orElseSucceed(log.read, () => [])
    return AskLog.isOff(lines, sessionId) ? yield* Effect.fail(silent) : yield* named(sessionId)
  })
  /** One sentence that begins with "It", which means reflexion. Empty if no model is ever asked. */
  const standing = Effect.fn("AskingModel.standing")((sessionId: string) =>
    config.model === "off"
      ? Effect.succeed("")
      : Effect.match(found(sessionId), {
          onFailure: (why) => `It asks no model in this session: ${why}.`,
          onSuccess: (name) => `It asks ${name} when the agent stops work, about two times in three.`
        })
  )
  /** Adds how many questions were asked today. */
  const told = Effect.fn("AskingModel.told")(function* (sessionId: string) {
    const how = yield* standing(sessionId)
    if (how === "") return never
    const now = yield* Clock.currentTimeMillis
    // All sessions and hosts share the day's limit.
    const spent = yield* Effect.match(log.read, {
      onFailure: ({ message }) => message,
      onSuccess: (lines) => AskedLine.today(AskLog.summary(AskLog.today(lines, now)))
    })
    return `${how.replace("It asks", "reflexion asks")} ${spent}`
  })
  return { isOff, lacksConsent, offer, hindrance, standing, told }
})

type Service = Effect.Effect.Success<ReturnType<typeof make>>

const unknown: Service = {
  isOff: () => Effect.succeed(false),
  lacksConsent: () => Effect.succeed(false),
  offer: () => Effect.succeed(null),
  hindrance: () => Effect.succeed(null),
  standing: () => Effect.succeed(""),
  told: () => Effect.succeed(never)
}

/** If there is no layer, a model may always be asked. */
export class AskingModel extends Context.Reference<AskingModel>()("@reflexion/opencode/AskingModel", {
  defaultValue: () => unknown
}) {
  static readonly Live = (options: Options): Layer.Layer<AskingModel, never, CurrentConfig | OpenCodeClient> =>
    Layer.effect(AskingModel, make(options))
}

const isAsked = ({ judged, options, state }: Seen): boolean =>
  BeyondEvidence.dueAt(state, judged.verdict, options).model

/** Leaves out the model if it may not be asked. This is no failure. */
const allowed = Effect.fnUntraced(function* (seen: Seen) {
  const { sessionId } = seen.transcript
  const asking = yield* AskingModel
  if (sessionId !== null && (yield* asking.isOff(sessionId)))
    return { ...seen, without: ["model", "crossReview"] as const }
  // Reviewers are asked only if the user's configuration names them.
  const withoutModel = { ...seen, without: ["model"] as const }
  if (yield* asking.lacksConsent(sessionId)) return withoutModel
  if (sessionId === null || !isAsked(seen)) return seen
  return (yield* asking.hindrance(sessionId)) === null ? seen : withoutModel
})

const offered = Effect.fnUntraced(function* (seen: Seen) {
  const { sessionId } = seen.transcript
  const asking = yield* AskingModel
  if (sessionId === null || !isAsked(seen)) return
  if ((yield* asking.isOff(sessionId)) || !(yield* asking.lacksConsent(sessionId))) return
  const { later } = yield* OpenCodeClient
  const message = yield* asking.offer(sessionId)
  if (message !== null) yield* later({ message, variant: "info" })
})

/** Consults. If this was the session's last question, tells the user that reflexion asks no more. */
const gated = Effect.fnUntraced(function* (consult: Consult, seen: Seen) {
  const judged = yield* consult(yield* allowed(seen))
  const told = judged.asked?.told ?? null
  const { toast } = yield* OpenCodeClient
  const message = `${told} \`/reflection model on\` asks again.`
  if (told !== null) yield* Effect.ignore(toast({ message, variant: "warning" }))
  yield* offered(seen)
  return judged
})

/** Evidence decides first, then `consult`. The judge lives as long as the layer. */
export const judge = <R>(consult: Effect.Effect<Consult, never, R>) => {
  const consulting = Effect.gen(function* () {
    const context = yield* Effect.context<OpenCodeClient>()
    const asked = yield* consult
    return (seen: Seen) => Effect.provide(gated(asked, seen), context)
  })
  return Layer.unwrapScoped(Effect.map(Effect.scope, (scope) => JudgeService.layer(Scope.extend(consulting, scope))))
}
