/** Decodes the agent's messages: its text, its calls, and how they ended. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { AssistantMessage, ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import { notice } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as Calls from "./Calls.ts"
import * as Failure from "./Failure.ts"
import * as State from "./state.ts"

const maxWords = 64 * 1024

interface Message {
  readonly info: Json.Json
  readonly parts: ReadonlyArray<Json.Json>
  /** True if the agent has written a later message. Then an open call in this message was interrupted. */
  readonly isPast: boolean
}

const completedAt = (info: Json.Json): number | null => Json.number(Json.object(info["time"])["completed"])

const timeOf = (info: Json.Json): string | null => Json.millis(completedAt(info) ?? State.createdAt(info))

const isOver = ({ info, isPast }: Message): boolean =>
  isPast || completedAt(info) !== null || Json.isObject(info["error"])

export const directoryOf = (info: Json.Json): string | null =>
  Json.string(Json.object(info["path"])["cwd"]) ?? Json.string(info["path"])

const modelOf = (info: Json.Json): string | null =>
  Json.string(info["modelID"]) ?? Json.string(Json.object(info["model"])["modelID"])

const tokensOf = (info: Json.Json): number | null => Json.number(Json.object(info["tokens"])["output"])

const whole = new Set<unknown>(["stop", "tool-calls", "end_turn", "tool_use"])
const cut = new Set<unknown>(["length", "content-filter", "error", "max_tokens"])

/** False if the answer was cut off. Null if the host does not record this. */
const ending = (info: Json.Json): boolean | null => {
  if (Json.isObject(info["error"]) || cut.has(info["finish"])) return false
  return whole.has(info["finish"]) ? true : null
}

/** A compaction's summary is for the model. It is no message to the user. */
const summary = (message: Message): ReadonlyArray<TranscriptEvent> => {
  const { info } = message
  if (!isOver(message)) return State.none
  const at = timeOf(info)
  return Json.isObject(info["error"]) ? Failure.notices(info["error"], at) : [notice("compacted", at, null)]
}

/** Adds the end of the message, if the message's parts do not show it. */
const closing = ({ info, isPast, parts }: Message, isEmpty: boolean): ReadonlyArray<TranscriptEvent> => {
  const at = timeOf(info)
  if (Json.isObject(info["error"])) return Failure.notices(info["error"], at)
  if (!isEmpty) return State.none
  if (typeof info["finish"] === "string") {
    const said = { id: Json.string(info["id"]), at, text: "", model: modelOf(info) }
    return [{ type: "assistant_message", ...said, completed: ending(info), outputTokens: tokensOf(info) }]
  }
  const finished = parts.some((part) => part["type"] === "step-finish")
  return finished || isPast || completedAt(info) === null ? State.none : [notice("aborted", at, null)]
}

/** Joins the texts up to the next call. The first text of a message gets the message's id. */
const heard = (words: State.State["words"], part: Json.Json, info: Json.Json, isFirst: boolean) => {
  const text = Json.text(part["text"])
  if (text.trim() === "" || part["synthetic"] === true || part["ignored"] === true) return words
  const { end, start } = Json.object(part["time"])
  return {
    id: words?.id ?? Json.string((isFirst ? info : part)["id"]),
    at: Json.millis(end ?? start) ?? words?.at ?? Json.millis(State.createdAt(info)),
    text: Json.clip(words === null ? text : `${words.text}\n\n${text}`, maxWords),
    model: modelOf(info)
  }
}

const spoken = (state: State.State, message: Message): State.Step => {
  const { info, isPast } = message
  const over = isOver(message)
  const cwd = directoryOf(info) ?? state.cwd
  const events: Array<TranscriptEvent> = []
  let running = state.running
  let words: State.State["words"] = null
  const say = (completed: boolean | null, outputTokens: number | null): void => {
    if (words !== null) events.push({ type: "assistant_message", ...words, completed, outputTokens })
    words = null
  }
  const take = (part: Json.Json): void => {
    const call = Calls.ofPart(part, cwd)
    const session = Calls.startedBy(part)
    const started: ToolCall = {
      ...call,
      background: true,
      endedAt: null,
      status: "running",
      exitCode: null,
      output: null
    }
    const isOpen = call.status === "pending" || call.status === "running"
    if (session !== null) {
      if (call.id !== null) running = { ...running, [session]: started }
      events.push(started)
    } else {
      events.push(isPast && isOpen ? { ...call, status: "interrupted" } : call)
      const todos = Calls.todosOf(call)
      if (todos !== null) events.push(todos)
    }
  }
  let texts = 0
  for (const part of message.parts) {
    if (part["type"] === "text") {
      const before: State.State["words"] = words
      words = heard(before, part, info, texts === 0)
      if (before === null && words !== null) texts += 1
    } else if (part["type"] === "tool") {
      say(true, null)
      take(part)
    } else if (part["type"] === "retry") {
      const at = Json.millis(Json.object(part["time"])["created"])
      events.push(...Failure.notices(part["error"], at, over ? "" : "retrying: "))
    }
  }
  const rest = over ? null : words
  if (over) {
    say(ending(info), tokensOf(info))
    const isEmpty = texts === 0 && !message.parts.some((part) => part["type"] === "tool")
    events.push(...closing(message, isEmpty))
  }
  return [{ ...state, running, words: rest }, events]
}

export const message = (state: State.State, given: Message): State.Step => {
  const { info } = given
  // A command that the user ran is not a call of the agent.
  if (state.shell !== null && info["parentID"] === state.shell && typeof info["finish"] !== "string")
    return [state, State.none]
  const answered = { ...state, answer: { open: !isOver(given), completed: completedAt(info) } }
  return info["summary"] === true ? [answered, summary(given)] : spoken(answered, given)
}

export const unfinished = (state: State.State): ReadonlyArray<AssistantMessage> =>
  state.words === null ? [] : [{ type: "assistant_message", ...state.words, completed: null, outputTokens: null }]
