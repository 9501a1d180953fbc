/**
 * What the host's events mean for a review: a pure fold from the host's own events to those of `TurnReview`. Source of the
 * rules: the host's behaviour as observed, of which `session.idle` is the trap. It comes twice after an abort or a 401,
 * once for `!shell` and for a compaction, and once again where nothing ran; so a stop is an idle session whose last
 * message is an answer that is finished, did not fail, is no summary and was not reported before.
 */
import type { HostEvent } from "@reflexion/core/AgentHost"
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { ReviewEvent } from "@reflexion/core/internal/review/machine/ReviewState"
import * as State from "./eventState.ts"
import * as Mark from "../decoder/Mark.ts"

/**
 * What is remembered between two events; at most 512 sessions.
 *
 * @category models
 */
export type EventState = State.State

export const initial: EventState = State.initial

type Step = readonly [EventState, ReadonlyArray<HostEvent>]

type What = ReviewEvent extends infer Event ? (Event extends ReviewEvent ? Omit<Event, "at"> : never) : never

interface Incoming {
  readonly name: string
  readonly sessionId: string
  readonly properties: Json.Json
  readonly at: number
}

const none: ReadonlyArray<HostEvent> = []

const tell = ({ at, name, sessionId }: Incoming, ...events: ReadonlyArray<What>): ReadonlyArray<HostEvent> =>
  events.map((event) => ({ sessionId, name, event: { ...event, at } }))

const toolCalls = "tool-calls"

/** An answer after which the agent is silent of its own accord. */
const isStop = (message: State.AssistantMessage | null): message is State.AssistantMessage =>
  message !== null && message.finish !== null && message.finish !== toolCalls && !message.failed && !message.summary

const onSession = (state: EventState, event: Incoming): Step => {
  const info = Json.object(event.properties["info"])
  const before = State.get(state, event.sessionId)
  const parentId = Json.string(info["parentID"])
  const ours = Mark.isJudge(info["metadata"])
  const next = State.set(state, event.sessionId, { ...before, parentId, ours: ours || before.ours })
  if (parentId === null || before.parentId === parentId) return [next, none]
  return [next, tell(event, { _tag: "ChildSession", kind: ours ? "judge" : "subagent" })]
}

const onDeleted = (state: EventState, event: Incoming): Step => {
  const { parentId } = State.get(state, event.sessionId)
  const [next, events] = parentId === null ? [state, none] : childWorks(state, event, false)
  return [State.remove(next, event.sessionId), [...events, ...tell(event, { _tag: "Deleted" })]]
}

/** A child of ours is no work of the agent's. */
const childWorks = (state: EventState, event: Incoming, busy: boolean): Step => {
  const child = State.get(state, event.sessionId)
  if (child.parentId === null || child.ours) return [state, none]
  const parent = State.get(state, child.parentId)
  if (parent.working.includes(event.sessionId) === busy) return [state, none]
  const others = parent.working.filter((id) => id !== event.sessionId)
  const working = busy ? [...others, event.sessionId] : others
  const to = { ...event, sessionId: child.parentId }
  return [
    State.set(state, child.parentId, { ...parent, working }),
    tell(to, { _tag: "Background", running: working.length })
  ]
}

const modeOf = (info: Json.Json): "plan" | "build" => (info["agent"] === "plan" ? "plan" : "build")

/** The first mode that is heard of is told as well: an earlier process may have saved another. */
const onMode = (session: State.SessionState, event: Incoming, info: Json.Json) => {
  const mode = modeOf(info)
  const events = mode === session.mode ? none : tell(event, { _tag: "ModeChanged", mode })
  return { session: { ...session, mode }, events }
}

const onUser = (state: EventState, event: Incoming, info: Json.Json): Step => {
  const before = State.get(state, event.sessionId)
  const id = Json.text(info["id"])
  if (before.user !== null && id <= before.user.id) return [state, none]
  const { events, session } = onMode(before, event, info)
  return [
    State.set(state, event.sessionId, { ...session, user: { id, author: "unknown" }, assistant: null, aborted: false }),
    events
  ]
}

const assistantOf = (info: Json.Json): State.AssistantMessage => ({
  id: Json.text(info["id"]),
  parentId: Json.string(info["parentID"]),
  finish: Json.string(info["finish"]),
  completed: Json.number(Json.object(info["time"])["completed"]) !== null,
  failed: Json.isObject(info["error"]),
  summary: info["summary"] === true
})

const onAssistant = (state: EventState, event: Incoming, info: Json.Json): Step => {
  const before = State.get(state, event.sessionId)
  const assistant = assistantOf(info)
  const begins = before.assistant?.id !== assistant.id
  if (begins && isOlder(assistant.id, before)) return [state, none]
  const next = State.set(state, event.sessionId, { ...before, assistant })
  if (!begins) return [next, none]
  return [next, tell(event, assistant.summary ? { _tag: "Compaction", running: true } : { _tag: "AssistantMessage" })]
}

/** Ids ascend; a late word on an earlier message is none on the last. */
const isOlder = (id: string, { assistant, user }: State.SessionState): boolean =>
  (assistant !== null && id < assistant.id) || (user !== null && id < user.id)

const onMessage = (state: EventState, event: Incoming): Step => {
  const info = Json.object(event.properties["info"])
  if (info["role"] === "user") return onUser(state, event, info)
  return info["role"] === "assistant" ? onAssistant(state, event, info) : [state, none]
}

const authorOf = (part: Json.Json): State.Author => {
  if (Mark.isFeedbackPart(part)) return "ours"
  if (part["synthetic"] === true) return "harness"
  return ["text", "file", "agent", "subtask"].includes(Json.text(part["type"])) ? "genuine" : "harness"
}

/** Beside a person's words the host puts some of its own, as what a named file holds. */
const onPart = (state: EventState, event: Incoming): Step => {
  const part = Json.object(event.properties["part"])
  const session = State.get(state, event.sessionId)
  if (session.user === null || part["messageID"] !== session.user.id) return [state, none]
  const { author: before, id } = session.user
  const author = authorOf(part)
  if (before === "genuine" || before === "ours" || author === before) return [state, none]
  const next = State.set(state, event.sessionId, { ...session, user: { id, author } })
  return [next, tell(event, { _tag: "UserMessage", id, genuine: author === "genuine" })]
}

const onStatus = (state: EventState, event: Incoming): Step => {
  const busy = Json.object(event.properties["status"])["type"] !== "idle"
  const session = State.get(state, event.sessionId)
  const next = busy && !session.worked ? State.set(state, event.sessionId, { ...session, worked: true }) : state
  return childWorks(next, event, busy)
}

/** Aborted while it waited to ask the model again, an answer has neither an end nor an error. */
const isCutOff = ({ assistant, user }: State.SessionState): boolean =>
  assistant !== null &&
  assistant.completed &&
  assistant.finish === null &&
  !assistant.failed &&
  (user?.author === "genuine" || user?.author === "ours")

const onIdle = (state: EventState, event: Incoming): Step => {
  const session = State.get(state, event.sessionId)
  if (session.parentId !== null || session.aborted) return [state, none]
  if (isCutOff(session)) return onAbort(state, event)
  if (!isStop(session.assistant)) return [state, none]
  // A fork begins with another session's answers, and nothing ever ran in it.
  if (!session.worked && session.stopped === null) return [state, none]
  // Idle once more, and nothing ran: the user pressed Esc after the stop.
  if (session.stopped === session.assistant.id || !session.worked) return onAbort(state, event)
  return [
    State.set(state, event.sessionId, { ...session, stopped: session.assistant.id, worked: false }),
    tell(event, { _tag: "Idle" })
  ]
}

const onAbort = (state: EventState, event: Incoming): Step => [
  State.set(state, event.sessionId, { ...State.get(state, event.sessionId), aborted: true }),
  tell(event, { _tag: "Abort" })
]

const onError = (state: EventState, event: Incoming): Step => {
  const { name } = Json.object(event.properties["error"])
  return name === "MessageAbortedError" ? onAbort(state, event) : [state, tell(event, { _tag: "Error" })]
}

const asked = (state: EventState, event: Incoming): Step => [
  state,
  tell(event, { _tag: "Asked", id: Json.text(event.properties["id"]) })
]

const answered = (state: EventState, event: Incoming): Step => [
  state,
  tell(event, { _tag: "Answered", id: Json.text(event.properties["requestID"] ?? event.properties["permissionID"]) })
]

const handlers: Readonly<Record<string, (state: EventState, event: Incoming) => Step>> = {
  "session.created": onSession,
  "session.updated": onSession,
  "session.deleted": onDeleted,
  "session.status": onStatus,
  "session.idle": onIdle,
  "session.error": onError,
  "session.compacted": (state, event) => [state, tell(event, { _tag: "Compaction", running: false })],
  "message.updated": onMessage,
  "message.part.updated": onPart,
  "todo.updated": (state, event) => [state, tell(event, { _tag: "AssistantMessage" })],
  "permission.asked": asked,
  "permission.replied": answered,
  "question.asked": asked,
  "question.replied": answered,
  "question.rejected": answered
}

/** By far the most of them. */
const delta = "message.part.delta"

/** The agent's own words and calls; whatever else the host reports it does by itself. */
const isSign = (type: unknown, properties: Json.Json, user: State.UserMessage | null): boolean => {
  if (type === "message.updated") return Json.object(properties["info"])["role"] === "assistant"
  return type === "message.part.updated" && Json.object(properties["part"])["messageID"] !== user?.id
}

/**
 * The session of which an event is a sign of life, null for an event that is none.
 *
 * @category accessors
 */
export const signOf = (state: EventState, event: unknown): string | null => {
  const { properties: given, type } = Json.object(event)
  const properties = Json.object(given)
  if (type === delta) return Json.string(properties["sessionID"])
  const id = sessionOf(properties)
  return id !== null && isSign(type, properties, State.get(state, id).user) ? id : null
}

const sessionOf = (properties: Json.Json): string | null =>
  Json.string(properties["sessionID"]) ??
  Json.string(Json.object(properties["info"])["sessionID"]) ??
  Json.string(Json.object(properties["part"])["sessionID"]) ??
  Json.string(Json.object(properties["info"])["id"])

/**
 * Whether an event can mean anything; the many that cannot are not even kept.
 *
 * @category predicates
 */
export const isRelevant = (event: unknown): boolean => {
  const type = Json.isObject(event) ? event["type"] : null
  return type !== delta && typeof type === "string" && Object.hasOwn(handlers, type)
}

/**
 * Takes one event of the host, received at `at` (milliseconds since the epoch). Total: what is not understood changes
 * nothing.
 *
 * @category folds
 */
export const step = (state: EventState, event: unknown, at: number): Step => {
  const fields = Json.object(event)
  const name = Json.text(fields["type"])
  const properties = Json.object(fields["properties"])
  const sessionId = sessionOf(properties)
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined
  return handler === undefined || sessionId === null
    ? [state, none]
    : handler(state, { name, sessionId, properties, at })
}
