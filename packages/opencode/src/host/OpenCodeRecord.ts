/** Reads what a review needs of a session: the running turn and some turns before it. Each review reads it again. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { Notice, Transcript } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import * as Mark from "../decoder/Mark.ts"
import * as OpenCodeAgents from "../decoder/OpenCodeAgents.ts"
import * as OpenCodeTranscript from "../decoder/OpenCodeTranscript.ts"
import { CurrentProgram } from "../decoder/Program.ts"
import { OpenCodeClient, type Prompt } from "./OpenCodeClient.ts"
import { SessionWords } from "./SessionWords.ts"

type Messages = ReadonlyArray<unknown>

const infoOf = (message: unknown): Json.Json => Json.object(Json.object(message)["info"])

export const idOf = (message: unknown): string | null => Json.string(infoOf(message)["id"])

const isUsers = (message: unknown): boolean => infoOf(message)["role"] === "user"

const isHosts = (part: Json.Json): boolean => part["synthetic"] === true || part["type"] === "compaction"

/** False for a message of reflexion or of the host. */
const isPrompt = (message: unknown): boolean => {
  const parts = Json.list(Json.object(message)["parts"]).map(Json.object)
  return isUsers(message) && !parts.some(Mark.isFeedbackPart) && !parts.every(isHosts)
}

/** Each prompt begins a turn, except a prompt that was typed while the agent worked. */
const turnsIn = (messages: Messages): ReadonlyArray<number> => {
  const turns: Array<number> = []
  let before: Json.Json | null = null
  for (const [index, message] of messages.entries()) {
    const info = infoOf(message)
    const { created } = Json.object(info["time"])
    const rested: unknown = before === null ? null : Json.object(before["time"])["completed"]
    const joins = typeof rested === "number" && typeof created === "number" && rested > created
    if (before !== null && !joins && isPrompt(message)) turns.push(index)
    if (info["role"] === "assistant") before = info
  }
  return turns
}

/** Reads more and more messages until `holds`, because one turn can have hundreds of them. */
const lookBack = Effect.fnUntraced(function* (sessionId: string, page: number, holds: (messages: Messages) => boolean) {
  const client = yield* OpenCodeClient
  for (const limit of [page, 4 * page, 16 * page]) {
    const messages = yield* client.messages(sessionId, limit)
    const whole = messages.length < limit
    if (whole || holds(messages)) return { messages, whole }
  }
  return { messages: yield* client.messages(sessionId, null), whole: true }
})

export interface Last {
  /** The last message that a person wrote. */
  readonly userMessageId: string | null
  /** Agent, model and variant are those of the last message with the role of the user. */
  readonly agent: string | null
  readonly model: Prompt["model"]
  readonly variant: string | null
}

const lastOf = (messages: Messages): Last => {
  const latest = infoOf(messages.findLast(isUsers))
  const model = Json.object(latest["model"])
  const [providerID, modelID] = [Json.string(model["providerID"]), Json.string(model["modelID"])]
  return {
    userMessageId: idOf(messages.findLast(isPrompt)),
    agent: Json.string(latest["agent"]),
    model: providerID === null || modelID === null ? null : { providerID, modelID },
    variant: Json.string(model["variant"]) ?? Json.string(latest["variant"])
  }
}

export const sinceUser = (sessionId: string) =>
  Effect.map(
    lookBack(sessionId, 64, (messages) => messages.some(isPrompt)),
    (found) => ({ ...found, last: lastOf(found.messages) })
  )

export const modelOf = (sessionId: string) =>
  Effect.map(
    lookBack(sessionId, 4, (messages) => messages.some(isUsers)),
    ({ messages }) => lastOf(messages).model
  )

/** Reads two turns before the running one, because an agent may refer to earlier turns. */
const fetched = (sessionId: string) =>
  Effect.map(
    lookBack(sessionId, 64, (messages) => turnsIn(messages).length > 2),
    ({ messages, whole }): Fetched =>
      whole ? { messages, whole } : { messages: messages.slice(turnsIn(messages)[0] ?? 0), whole }
  )

interface Fetched {
  readonly messages: Messages
  /** True if the session has no earlier messages. */
  readonly whole: boolean
}

const unread: Notice = { type: "notice", at: null, kind: "unread", detail: null }

const maxAgents = 200
const maxOfAgent = 1000

/** Includes agents that other agents started. If a session cannot be read, its calls are missing. */
const agentsOf = Effect.fnUntraced(function* (root: string, messages: Messages) {
  const client = yield* OpenCodeClient
  const found: Array<ReturnType<typeof OpenCodeAgents.calls>> = []
  const visit = (sessionId: string) =>
    Effect.match(client.messages(sessionId, maxOfAgent), {
      onFailure: () => [],
      onSuccess: (said) => {
        found.push(OpenCodeAgents.calls({ info: { id: sessionId }, messages: said }))
        return OpenCodeAgents.children(said)
      }
    })
  yield* OpenCodeAgents.follow({ root, first: OpenCodeAgents.children(messages), most: maxAgents, visit })
  return found.flat()
})

const transcriptOf = Effect.fnUntraced(function* (sessionId: string, { messages, whole }: Fetched) {
  const client = yield* OpenCodeClient
  const words = yield* SessionWords
  const info = yield* client.session(sessionId)
  const [state, events] = OpenCodeTranscript.step(OpenCodeTranscript.initial, { info, messages })
  const agents = yield* agentsOf(sessionId, messages)
  const doneWhen = yield* words.doneWhen(sessionId)
  const transcript: Transcript = {
    version: 1,
    ...OpenCodeTranscript.session(state),
    host: (yield* CurrentProgram).name,
    // The record does not show who is present, because a session that `run` began may now be on a screen.
    attended: yield* words.attended(sessionId),
    ...(doneWhen.length > 0 && { doneWhen }),
    events: [...(whole ? [] : [unread]), ...OpenCodeAgents.merged(events, agents), ...OpenCodeTranscript.finish(state)]
  }
  return transcript
})

export const transcript = Effect.fn("OpenCodeRecord.transcript")(function* (sessionId: string) {
  return yield* transcriptOf(sessionId, yield* fetched(sessionId))
})

/** Reads the session as if `amend` had changed this message. This message must be the agent's last. */
export const foretold = Effect.fn("OpenCodeRecord.foretold")(function* (
  sessionId: string,
  messageId: string,
  amend: (message: unknown) => unknown
) {
  const { messages, whole } = yield* fetched(sessionId)
  const index = messages.findIndex((message) => idOf(message) === messageId)
  const stored = index === -1 ? null : messages[index]
  const as = index === -1 ? messages : [...messages.slice(0, index), amend(stored)]
  return { transcript: yield* transcriptOf(sessionId, { messages: as, whole }), stored, last: lastOf(messages) }
})
