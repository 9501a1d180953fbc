/**
 * Translates the host's events for a review, by observed rules. An idle session is not always a stop: `session.idle`
 * comes twice after an abort or a 401, and also for `!shell` and a compaction. At a stop, the session is idle. Its last
 * answer is finished, did not fail, is no summary and was not reported before.
 */
import type { HostEvent } from "@reflexion/core/AgentHost"
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { ReviewEvent } from "@reflexion/core/internal/review/machine/ReviewState"
import * as Failure from "../decoder/Failure.ts"
import * as Mark from "../decoder/Mark.ts"
import * as Bounded from "./Bounded.ts"

/** In ms. The end of a usage limit is also read from the record, which gets the error later than the event. */
const margin = 5000

/** "harness" is the host. The author is "unknown" before the message's first part arrives. */
type Author = "genuine" | "ours" | "harness" | "unknown"

interface Answer {
  readonly id: string
  readonly finish: string | null
  readonly completed: boolean
  readonly failed: boolean
  readonly summary: boolean
}

interface Session {
  parentId: string | null
  /** True for a session in which we ask a model. */
  ours: boolean
  mode: "plan" | "build" | null
  user: { readonly id: string; readonly author: Author } | null
  answer: Answer | null
  /** The answer at the last reported stop. */
  stopped: string | null
  aborted: boolean
  /** True if the session has worked since it was last idle. */
  worked: boolean
  readonly working: Set<string>
}

const begun = (): Session => ({
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

type What = ReviewEvent extends infer Event ? (Event extends ReviewEvent ? Omit<Event, "at"> : never) : never

/** This event is by far the most frequent one. */
const delta = "message.part.delta"

const relevant: ReadonlySet<unknown> = new Set(
  (
    "session.created session.updated session.deleted session.status session.idle session.error session.compacted " +
    "message.updated message.part.updated todo.updated permission.asked permission.replied question.asked " +
    "question.replied question.rejected"
  ).split(" ")
)

/** False for events that can be dropped at once. */
export const isRelevant = (event: unknown): boolean => Json.isObject(event) && relevant.has(event["type"])

const sessionOf = ({ info, part, sessionID }: Json.Json): string | null =>
  Json.string(sessionID) ??
  Json.string(Json.object(info)["sessionID"]) ??
  Json.string(Json.object(part)["sessionID"]) ??
  Json.string(Json.object(info)["id"])

const answerOf = (info: Json.Json): Answer => ({
  id: Json.text(info["id"]),
  finish: Json.string(info["finish"]),
  completed: Json.number(Json.object(info["time"])["completed"]) !== null,
  failed: Json.isObject(info["error"]),
  summary: info["summary"] === true
})

const authorOf = (part: Json.Json): Author => {
  if (Mark.isFeedbackPart(part)) return "ours"
  if (part["synthetic"] === true) return "harness"
  return ["text", "file", "agent", "subtask"].includes(Json.text(part["type"])) ? "genuine" : "harness"
}

/** Ids ascend, so a late event about an earlier message can be ignored. */
const isOlder = (id: string, { answer, user }: Session): boolean =>
  (answer !== null && id < answer.id) || (user !== null && id < user.id)

const atRest = ({ aborted, answer, parentId, stopped, user, worked }: Session): "stop" | "abort" | null => {
  if (parentId !== null || aborted || answer === null || answer.failed) return null
  // If the user aborts while the host waits to ask the model again, the answer has no end and no error.
  if (answer.finish === null)
    return answer.completed && (user?.author === "genuine" || user?.author === "ours") ? "abort" : null
  if (answer.finish === "tool-calls" || answer.summary) return null
  // A fork begins with another session's answers, although nothing has run in the fork itself.
  if (!worked && stopped === null) return null
  // If the session is idle again although nothing ran, the user pressed Esc after the stop.
  return stopped === answer.id || !worked ? "abort" : "stop"
}

/** Never throws: an unknown event changes nothing. */
export const make = () => {
  const sessions = new Map<string, Session>()
  const of = (id: string): Session => {
    const session = sessions.get(id) ?? begun()
    Bounded.put(sessions, id, session)
    return session
  }
  const take = (event: unknown, at: number): ReadonlyArray<HostEvent> => {
    const { properties: given, type } = Json.object(event)
    const [name, properties] = [Json.text(type), Json.object(given)]
    const id = sessionOf(properties)
    if (id === null || !isRelevant(event)) return []
    const [info, part] = [Json.object(properties["info"]), Json.object(properties["part"])]
    const session = of(id)
    const events: Array<HostEvent> = []
    const tell = (what: What, sessionId = id): void => void events.push({ sessionId, name, event: { ...what, at } })
    const abort = (): void => {
      session.aborted = true
      tell({ _tag: "Abort" })
    }
    /** Our own judging sessions are not the agent's work. */
    const works = (busy: boolean): void => {
      if (session.parentId === null || session.ours) return
      const { working } = of(session.parentId)
      if (working.has(id) === busy) return
      if (busy) working.add(id)
      else working.delete(id)
      tell({ _tag: "Background", running: working.size }, session.parentId)
    }
    const says = (): void => {
      const messageId = Json.text(info["id"])
      if (session.user !== null && messageId <= session.user.id) return
      // The first known mode is also reported, because an earlier process may have saved another mode.
      const mode = info["agent"] === "plan" ? "plan" : "build"
      if (mode !== session.mode) tell({ _tag: "ModeChanged", mode })
      Object.assign(session, { mode, user: { id: messageId, author: "unknown" }, answer: null, aborted: false })
    }
    const answers = (): void => {
      const answer = answerOf(info)
      const begins = session.answer?.id !== answer.id
      if (begins && isOlder(answer.id, session)) return
      session.answer = answer
      if (begins) tell(answer.summary ? { _tag: "Compaction", running: true } : { _tag: "AssistantMessage" })
    }
    /** The host adds parts to a person's message, for example a file's content. The author stays the same. */
    const tells = (): void => {
      if (session.user === null || part["messageID"] !== session.user.id) return
      const { author: before, id: messageId } = session.user
      const author = authorOf(part)
      if (before === "genuine" || before === "ours" || author === before) return
      session.user = { id: messageId, author }
      tell({ _tag: "UserMessage", id: messageId, genuine: author === "genuine" })
    }
    switch (name) {
      case "session.created":
      case "session.updated": {
        const before = session.parentId
        const isJudge = Mark.isJudge(info["metadata"])
        session.parentId = Json.string(info["parentID"])
        session.ours ||= isJudge
        if (session.parentId !== null && before !== session.parentId)
          tell({ _tag: "ChildSession", kind: isJudge ? "judge" : "subagent" })
        break
      }
      case "session.deleted":
        works(false)
        sessions.delete(id)
        tell({ _tag: "Deleted" })
        break
      case "session.status": {
        const busy = Json.object(properties["status"])["type"] !== "idle"
        session.worked ||= busy
        works(busy)
        break
      }
      case "session.idle": {
        const rest = atRest(session)
        if (rest === "abort") abort()
        if (rest !== "stop") break
        session.stopped = session.answer?.id ?? null
        session.worked = false
        tell({ _tag: "Idle" })
        break
      }
      case "session.error": {
        const limitEnd = Failure.limitEnd(properties["error"], Json.millis(at))
        if (Json.object(properties["error"])["name"] === "MessageAbortedError") abort()
        else tell({ _tag: "Error", ...(limitEnd !== null && { limitEnd: limitEnd + margin }) })
        break
      }
      case "session.compacted":
        tell({ _tag: "Compaction", running: false })
        break
      case "message.updated":
        if (info["role"] === "user") says()
        if (info["role"] === "assistant") answers()
        break
      case "message.part.updated":
        tells()
        break
      case "todo.updated":
        tell({ _tag: "AssistantMessage" })
        break
      case "permission.asked":
      case "question.asked":
        tell({ _tag: "Asked", id: Json.text(properties["id"]) })
        break
      default:
        tell({ _tag: "Answered", id: Json.text(properties["requestID"] ?? properties["permissionID"]) })
    }
    return events
  }
  /** Null for events of the host itself. */
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
