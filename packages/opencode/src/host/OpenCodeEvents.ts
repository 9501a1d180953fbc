/**
 * What the host's events mean for a review. Source of the rules: the host's behaviour as observed, of which `session.idle`
 * is the trap. It comes twice after an abort or a 401, once for `!shell` and for a compaction, and once again where nothing
 * ran; so a stop is an idle session whose last message is an answer that is finished, did not fail, is no summary and was
 * not reported before.
 */
import type { HostEvent } from "@reflexion/core/AgentHost"
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { ReviewEvent } from "@reflexion/core/internal/review/machine/ReviewState"
import * as Mark from "../decoder/Mark.ts"
import * as Bounded from "./Bounded.ts"

/**
 * Who a user's message is of: `genuine` is typed by a person, `ours` is feedback, `harness` is what the host puts in the
 * user's place; `unknown` until its first part tells.
 */
type Author = "genuine" | "ours" | "harness" | "unknown"

/** `finish` as the host has it, null where there is none. */
interface Answer {
  readonly id: string
  readonly finish: string | null
  readonly completed: boolean
  readonly failed: boolean
  readonly summary: boolean
}

/** What is remembered of a session between two events. */
interface Session {
  readonly id: string
  parentId: string | null
  ours: boolean
  mode: "plan" | "build" | null
  user: { readonly id: string; readonly author: Author } | null
  answer: Answer | null
  /** The answer at which the last stop was reported. */
  stopped: string | null
  aborted: boolean
  /** Whether it was at work since it was idle. */
  worked: boolean
  /** The child sessions that are busy. */
  readonly working: Set<string>
}

type What = ReviewEvent extends infer Event ? (Event extends ReviewEvent ? Omit<Event, "at"> : never) : never

/** An event of the host's, with what it is told as. */
interface Incoming {
  readonly properties: Json.Json
  readonly session: Session
  /** The session that has a child. */
  readonly of: (id: string) => Session
  readonly tell: (event: What, sessionId?: string) => void
}

type Handler = (event: Incoming) => void

const infoOf = ({ properties }: Incoming): Json.Json => Json.object(properties["info"])

const onSession: Handler = (event) => {
  const { session, tell } = event
  const info = infoOf(event)
  const before = session.parentId
  session.parentId = Json.string(info["parentID"])
  const ours = Mark.isJudge(info["metadata"])
  session.ours ||= ours
  if (session.parentId !== null && before !== session.parentId)
    tell({ _tag: "ChildSession", kind: ours ? "judge" : "subagent" })
}

/** A child of ours is no work of the agent's. */
const childWorks = ({ of, session, tell }: Incoming, busy: boolean): void => {
  if (session.parentId === null || session.ours) return
  const { id, working } = of(session.parentId)
  if (working.has(session.id) === busy) return
  if (busy) working.add(session.id)
  else working.delete(session.id)
  tell({ _tag: "Background", running: working.size }, id)
}

const onStatus: Handler = (event) => {
  const busy = Json.object(event.properties["status"])["type"] !== "idle"
  event.session.worked ||= busy
  childWorks(event, busy)
}

const onUser: Handler = (event) => {
  const { session, tell } = event
  const { agent, id: given } = infoOf(event)
  const id = Json.text(given)
  if (session.user !== null && id <= session.user.id) return
  // The first mode that is heard of is told as well: an earlier process may have saved another.
  const mode = agent === "plan" ? "plan" : "build"
  if (mode !== session.mode) tell({ _tag: "ModeChanged", mode })
  Object.assign(session, { mode, user: { id, author: "unknown" }, answer: null, aborted: false })
}

/** Ids ascend; a late word on an earlier message is none on the last. */
const isOlder = (id: string, { answer, user }: Session): boolean =>
  (answer !== null && id < answer.id) || (user !== null && id < user.id)

const onAnswer: Handler = (event) => {
  const { session, tell } = event
  const info = infoOf(event)
  const id = Json.text(info["id"])
  const begins = session.answer?.id !== id
  if (begins && isOlder(id, session)) return
  const summary = info["summary"] === true
  session.answer = {
    id,
    finish: Json.string(info["finish"]),
    completed: Json.number(Json.object(info["time"])["completed"]) !== null,
    failed: Json.isObject(info["error"]),
    summary
  }
  if (begins) tell(summary ? { _tag: "Compaction", running: true } : { _tag: "AssistantMessage" })
}

const onMessage: Handler = (event) => {
  const { role } = infoOf(event)
  if (role === "user") onUser(event)
  if (role === "assistant") onAnswer(event)
}

const authorOf = (part: Json.Json): Author => {
  if (Mark.isFeedbackPart(part)) return "ours"
  if (part["synthetic"] === true) return "harness"
  return ["text", "file", "agent", "subtask"].includes(Json.text(part["type"])) ? "genuine" : "harness"
}

/** Next to a person's words the host puts some of its own, as what a named file holds. */
const onPart: Handler = ({ properties, session, tell }) => {
  const part = Json.object(properties["part"])
  if (session.user === null || part["messageID"] !== session.user.id) return
  const { author: before, id } = session.user
  const author = authorOf(part)
  if (before === "genuine" || before === "ours" || author === before) return
  session.user = { id, author }
  tell({ _tag: "UserMessage", id, genuine: author === "genuine" })
}

const onAbort: Handler = ({ session, tell }) => {
  session.aborted = true
  tell({ _tag: "Abort" })
}

const onError: Handler = (event) => {
  if (Json.object(event.properties["error"])["name"] === "MessageAbortedError") onAbort(event)
  else event.tell({ _tag: "Error" })
}

/** An answer after which the agent is silent of its own accord. */
const isStop = ({ failed, finish, summary }: Answer): boolean =>
  finish !== null && finish !== "tool-calls" && !failed && !summary

/** Aborted while it waited to ask the model again, an answer has neither an end nor an error. */
const isCutOff = ({ completed, failed, finish }: Answer, author: Author | undefined): boolean =>
  completed && finish === null && !failed && (author === "genuine" || author === "ours")

const onIdle: Handler = (event) => {
  const { session, tell } = event
  const { answer } = session
  if (session.parentId !== null || session.aborted || answer === null) return
  if (isCutOff(answer, session.user?.author)) return onAbort(event)
  if (!isStop(answer)) return
  // A fork begins with another session's answers, and nothing ever ran in it.
  if (!session.worked && session.stopped === null) return
  // Idle once more, and nothing ran: the user pressed Esc after the stop.
  if (session.stopped === answer.id || !session.worked) return onAbort(event)
  session.stopped = answer.id
  session.worked = false
  tell({ _tag: "Idle" })
}

const onAsked: Handler = ({ properties, tell }) => tell({ _tag: "Asked", id: Json.text(properties["id"]) })

const onAnswered: Handler = ({ properties: { permissionID, requestID }, tell }) =>
  tell({ _tag: "Answered", id: Json.text(requestID ?? permissionID) })

const handlers: Readonly<Record<string, Handler>> = {
  "session.created": onSession,
  "session.updated": onSession,
  "session.deleted": (event) => {
    childWorks(event, false)
    event.tell({ _tag: "Deleted" })
  },
  "session.status": onStatus,
  "session.idle": onIdle,
  "session.error": onError,
  "session.compacted": ({ tell }) => tell({ _tag: "Compaction", running: false }),
  "message.updated": onMessage,
  "message.part.updated": onPart,
  "todo.updated": ({ tell }) => tell({ _tag: "AssistantMessage" }),
  "permission.asked": onAsked,
  "permission.replied": onAnswered,
  "question.asked": onAsked,
  "question.replied": onAnswered,
  "question.rejected": onAnswered
}

/** By far the most of them. */
const delta = "message.part.delta"

/** Whether an event can mean anything; the many that cannot are not even kept. */
export const isRelevant = (event: unknown): boolean => {
  const type = Json.isObject(event) ? event["type"] : null
  return type !== delta && typeof type === "string" && Object.hasOwn(handlers, type)
}

const sessionOf = ({ info, part, sessionID }: Json.Json): string | null =>
  Json.string(sessionID) ??
  Json.string(Json.object(info)["sessionID"]) ??
  Json.string(Json.object(part)["sessionID"]) ??
  Json.string(Json.object(info)["id"])

const begun = (id: string): Session => ({
  id,
  parentId: null,
  ours: false,
  mode: null,
  user: null,
  answer: null,
  stopped: null,
  aborted: false,
  worked: false,
  working: new Set()
})

/** The events of one instance of the host. Total: what is not understood changes nothing. */
export const make = () => {
  /** The one that was heard of last at the end; those that were not heard of for longest are forgotten. */
  const sessions = new Map<string, Session>()
  const of = (id: string): Session => {
    const session = sessions.get(id) ?? begun(id)
    Bounded.put(sessions, id, session)
    return session
  }
  /** What an event of the host's, received at `at` (ms since the epoch), means. */
  const take = (event: unknown, at: number): ReadonlyArray<HostEvent> => {
    const { properties: given, type } = Json.object(event)
    const [name, properties] = [Json.text(type), Json.object(given)]
    const id = sessionOf(properties)
    if (id === null || !isRelevant(event)) return []
    const events: Array<HostEvent> = []
    const tell = (what: What, sessionId = id): void => void events.push({ sessionId, name, event: { ...what, at } })
    handlers[name]?.({ properties, session: of(id), of, tell })
    if (name === "session.deleted") sessions.delete(id)
    return events
  }
  /** The session of which an event is a sign of life, null for any other: whatever is not the agent's the host does by itself. */
  const signOf = (event: unknown): string | null => {
    const { properties: given, type } = Json.object(event)
    const properties = Json.object(given)
    if (type === delta) return Json.string(properties["sessionID"])
    const { info, part } = properties
    const id = sessionOf(properties)
    if (type === "message.updated") return Json.object(info)["role"] === "assistant" ? id : null
    if (id === null || type !== "message.part.updated") return null
    return Json.object(part)["messageID"] === sessions.get(id)?.user?.id ? null : id
  }
  return { take, signOf }
}
