/** Whether a model is asked about a session's stops, which, and what the user is told of it. */
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
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import { SessionWords } from "../host/SessionWords.ts"
import { nameOf, type OwnSmallModels, small, smallOfSession } from "./HostModels.ts"

/** Asked where no configuration names a model. `mayOffer`: whether the user is to be told that they can, which is so once. */
export interface Consent {
  readonly agreed: () => boolean
  readonly mayOffer: () => boolean
}

export const never =
  'reflexion asks no model here: `"model": "off"` stands in its configuration, and that holds before what is said here.'

const off = "you turned it off in this session; `/reflection model on` takes that back"

const silent =
  "the last three questions of this session were not answered; `/reflection model on` asks again, and so does the next session"

/** By what the user agrees, in one session or in all. */
const agreeing = "`/reflection model on` has it asked in this session, `reflexion allow model opencode` in all"

/** `consent`: null where a configuration names the model. */
interface Options {
  readonly own: OwnSmallModels
  readonly consent: Consent | null
}

/** What the host told holds for a minute, for it takes longer to list than a review takes; where it told nothing it is asked again. */
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
  /** Which model that is, or why there is none: that of the small one depends on what is set up. */
  const named = (sessionId: string): Effect.Effect<string, string> =>
    config.model === small
      ? Effect.map(smallOfSession(sessionId, config, own), (model) => `${small} (${nameOf(model)})`).pipe(
          Effect.provideService(OpenCodeClient, client)
        )
      : Effect.succeed(config.model === "auto" ? "a model" : config.model)
  /** Whether the user turned it off in a session. */
  const isOff = (sessionId: string) => Effect.map(words.model(sessionId), (said) => said === "off")
  /** Whether a model may be asked only by the user's yes, and there is none for the session. */
  const lacksConsent = Effect.fn("AskingModel.lacksConsent")(function* (sessionId: string | null) {
    if (consent === null || consent.agreed()) return false
    return sessionId === null || (yield* words.model(sessionId)) !== "on"
  })
  let isOffered = consent === null
  /** What to tell the user of the model that they could agree to; null where there is none, or they were told. */
  const offer = Effect.fn("AskingModel.offer")(function* (sessionId: string) {
    const name = isOffered ? Option.none<string>() : yield* Effect.option(named(sessionId))
    if (Option.isNone(name)) return null
    isOffered = true
    return consent?.mayOffer() === true
      ? `reflexion decides from the record alone. At stops like the last it can ask ${name.value} as well, if you agree: ${agreeing}. You are told this once.`
      : null
  })
  /** Why there is no model to ask about a session, null where there is one. */
  const hindrance = Effect.fn("AskingModel.hindrance")((sessionId: string) =>
    Effect.match(named(sessionId), { onFailure: (why) => why, onSuccess: () => null })
  )
  const found = Effect.fnUntraced(function* (sessionId: string) {
    if (yield* isOff(sessionId)) return yield* Effect.fail(off)
    if (yield* lacksConsent(sessionId)) return yield* Effect.fail(`nobody agreed to it; ${agreeing}`)
    const lines = yield* Effect.orElseSucceed(log.read, () => [])
    return AskLog.isOff(lines, sessionId) ? yield* Effect.fail(silent) : yield* named(sessionId)
  })
  /** How it stands in a session, in one sentence about reflexion as "it"; empty where no model is ever asked. */
  const standing = Effect.fn("AskingModel.standing")((sessionId: string) =>
    config.model === "off"
      ? Effect.succeed("")
      : Effect.match(found(sessionId), {
          onFailure: (why) => `It asks no model in this session: ${why}.`,
          onSuccess: (name) => `It asks ${name} at stops of work, about two in three.`
        })
  )
  /** The same, with what was asked today. */
  const told = Effect.fn("AskingModel.told")(function* (sessionId: string) {
    const how = yield* standing(sessionId)
    if (how === "") return never
    const now = yield* Clock.currentTimeMillis
    // Of all sessions and hosts: the day's limit is one for all of them.
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

/** Without a layer nothing is known that speaks against it. */
export class AskingModel extends Context.Reference<AskingModel>()("@reflexion/opencode/AskingModel", {
  defaultValue: () => unknown
}) {
  static readonly Live = (options: Options): Layer.Layer<AskingModel, never, CurrentConfig | OpenCodeClient> =>
    Layer.effect(AskingModel, make(options))
}

const isAsked = ({ judged, options, state }: Seen): boolean =>
  BeyondEvidence.dueAt(state, judged.verdict, options).model

/** Where no model is to be asked in the session now, that is no failure. */
const allowed = Effect.fnUntraced(function* (seen: Seen) {
  const { sessionId } = seen.transcript
  const asking = yield* AskingModel
  if (sessionId !== null && (yield* asking.isOff(sessionId)))
    return { ...seen, without: ["model", "crossReview"] as const }
  // Reviewers are asked only where the user's configuration names them.
  const withoutModel = { ...seen, without: ["model"] as const }
  if (yield* asking.lacksConsent(sessionId)) return withoutModel
  if (sessionId === null || !isAsked(seen)) return seen
  return (yield* asking.hindrance(sessionId)) === null ? seen : withoutModel
})

/** At a stop at which a model would be asked, a user who has not agreed is told that they can. */
const offered = Effect.fnUntraced(function* (seen: Seen) {
  const { sessionId } = seen.transcript
  const asking = yield* AskingModel
  if (sessionId === null || !isAsked(seen)) return
  if ((yield* asking.isOff(sessionId)) || !(yield* asking.lacksConsent(sessionId))) return
  const { later } = yield* OpenCodeClient
  const message = yield* asking.offer(sessionId)
  if (message !== null) yield* later({ message, variant: "info" })
})

/** What is consulted about a stop where a model may be asked, and what only the last question of a session tells. */
const gated = Effect.fnUntraced(function* (consult: Consult, seen: Seen) {
  const judged = yield* consult(yield* allowed(seen))
  const told = judged.asked?.told ?? null
  const { toast } = yield* OpenCodeClient
  const message = `${told} \`/reflection model on\` asks again.`
  if (told !== null) yield* Effect.ignore(toast({ message, variant: "warning" }))
  yield* offered(seen)
  return judged
})

/** The judge of a plugin's stops: evidence, and what is consulted about those that it leaves open, for as long as the layer lasts. */
export const judge = <R>(consult: Effect.Effect<Consult, never, R>) => {
  const consulting = Effect.gen(function* () {
    const context = yield* Effect.context<OpenCodeClient>()
    const asked = yield* consult
    return (seen: Seen) => Effect.provide(gated(asked, seen), context)
  })
  return Layer.unwrapScoped(Effect.map(Effect.scope, (scope) => JudgeService.layer(Scope.extend(consulting, scope))))
}
