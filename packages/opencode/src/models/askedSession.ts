/** The sessions in which a model is asked, and what the host's events say of them. */
import type { ModelFailure } from "@reflexion/core/ModelCall"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import { failed, refusal } from "./judgeAnswer.ts"

/** A model that calls tools, of which it has none, is told so by the host and asked again, for ever. */
const mostAnswers = 3

/** A session that is asked, as its events show it. */
export interface Asked {
  readonly id: string
  readonly system: string
  readonly broken: Deferred.Deferred<never, ModelFailure>
  readonly answers: Set<string>
  /** Why the host asks the model again. */
  retries: string
  deleted: boolean
  answered: boolean
}

export const askedIn = (id: string, system: string): Asked => ({
  id,
  system,
  broken: Deferred.unsafeMake(FiberId.none),
  answers: new Set(),
  retries: "",
  deleted: false,
  answered: false
})

/** Why an event means that no answer will come, null if it does not. */
const endOf = (asked: Asked, type: string, properties: Json.Json): ModelFailure | null => {
  const { info: given, status: now } = properties
  const [info, status] = [Json.object(given), Json.object(now)]
  if (type === "session.error") return refusal(properties["error"])
  if (type === "session.status" && status["type"] === "retry") asked.retries = Json.text(status["message"])
  if (type === "session.deleted") {
    asked.deleted = true
    return failed("deleted", "")
  }
  if (type === "message.updated" && info["role"] === "assistant") asked.answers.add(Json.text(info["id"]))
  return asked.answers.size > mostAnswers ? failed("refused", "it calls tools instead of answering") : null
}

const sessionOf = ({ info, sessionID }: Json.Json): string =>
  Json.string(sessionID) ?? (Json.text(Json.object(info)["sessionID"]) || Json.text(Json.object(info)["id"]))

export type AskedSessions = Map<string, Asked>

/** Takes an event as the host gives it, whoever's session it is about. */
export const take = (sessions: AskedSessions, event: unknown): void => {
  if (sessions.size === 0) return
  const { properties: given, type } = Json.object(event)
  const properties = Json.object(given)
  const asked = sessions.get(sessionOf(properties))
  const end = asked === undefined ? null : endOf(asked, Json.text(type), properties)
  if (asked !== undefined && end !== null) Deferred.unsafeDone(asked.broken, Effect.fail(end))
}
