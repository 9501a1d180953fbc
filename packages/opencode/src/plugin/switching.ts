/** Reflexion turned off and on in a session, and what is said of it. */
import * as DoneWhen from "@reflexion/core/internal/session/donewhen/DoneWhen"
import * as Answers from "@reflexion/core/internal/turn/records/Answers"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as ReviewState from "@reflexion/core/internal/turn/machine/ReviewState"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import { EventInbox } from "../host/OpenCodeHost.ts"
import { Conditions } from "../host/Conditions.ts"
import { Presence, type Word as PresenceWord } from "../host/Presence.ts"
import { withModel } from "../models/AskingModel.ts"
import * as Problem from "./problem.ts"

export type Word = "stop" | "start" | "status"

export const isWord = (word: string): word is Word => word === "stop" || word === "start" || word === "status"

export const load = Effect.fnUntraced(function* (sessionId: string) {
  const states = yield* ReviewStates
  return (yield* states.load(sessionId)) ?? ReviewState.initial
})

export const standing = Effect.fnUntraced(function* (state: ReviewState.ReviewState) {
  return Answers.standing(state, { config: yield* CurrentConfig, problem: yield* Problem.CurrentProblem })
})

/** Agents of an agent's are not reviewed, and turning one off would turn nothing off for the user. */
export const childs =
  "reflexion does not review a session that another one started, so there is nothing to turn off or on here: say it in the user's own session."

export const isChild = Effect.fnUntraced(function* (sessionId: string) {
  const client = yield* OpenCodeClient
  const session = yield* Effect.option(client.session(sessionId))
  return Option.isSome(session) && typeof session.value["parentID"] === "string"
})

const failures: Readonly<Record<Word, string>> = {
  stop: "reflexion could not be turned off for good, for that cannot be written down: `reflexion doctor opencode` says why.",
  start: "reflexion could not be turned on, for that cannot be written down: `reflexion doctor opencode` says why.",
  status: "reflexion cannot read how it stands in this session: `reflexion doctor opencode` says why."
}

/** How it stands, if that is as the word says. */
const outcome = (sessionId: string, word: Word) =>
  load(sessionId).pipe(
    Effect.filterOrFail(({ enabled }) => word === "status" || enabled === (word === "start")),
    Effect.mapError(() => failures[word]),
    Effect.flatMap((state) =>
      Effect.flatMap(standing(state), (words) => (state.enabled ? withModel(sessionId, words) : Effect.succeed(words)))
    )
  )

const warn = Effect.fnUntraced(function* (message: string) {
  const client = yield* OpenCodeClient
  yield* Effect.ignore(client.toast({ message, variant: "warning" }))
  return message
})

/** Does what the word says and tells how it stands then; the user is shown the same, and what came in the way. */
export const perform = Effect.fnUntraced(function* (sessionId: string, word: Word, by: "user" | "agent") {
  if (yield* isChild(sessionId)) return by === "user" ? yield* warn(childs) : childs
  const inbox = yield* EventInbox
  yield* inbox.command(sessionId, word, by)
  return yield* Effect.catchAll(outcome(sessionId, word), warn)
})

/** Keeps whether the user is there, and shows them what follows from it. */
export const tell = Effect.fnUntraced(function* (sessionId: string, word: PresenceWord) {
  if (yield* isChild(sessionId)) return yield* warn(childs)
  const client = yield* OpenCodeClient
  const presence = yield* Presence
  const { attended } = yield* CurrentConfig
  return yield* presence.say(sessionId, word).pipe(
    Effect.as(Answers.presence(word === "here", { setting: attended })),
    Effect.tap((message) => client.toast({ message, variant: "info" })),
    Effect.catchAll(({ message }) => warn(message))
  )
})

/** Keeps when the user calls the task done, and shows them what was understood. */
export const tellConditions = Effect.fnUntraced(function* (sessionId: string, given: string) {
  if (yield* isChild(sessionId)) return yield* warn(childs)
  const client = yield* OpenCodeClient
  const conditions = yield* Conditions
  const text = given.trim().slice(0, Answers.maxConditions)
  const message = Answers.conditions(text, {})
  if (text !== "" && DoneWhen.parse(text).length === 0) return yield* warn(message)
  return yield* conditions.say(sessionId, text).pipe(
    Effect.zipRight(Effect.ignore(client.toast({ message, variant: "info" }))),
    Effect.as(message),
    Effect.catchAll((error) => warn(error.message))
  )
})
