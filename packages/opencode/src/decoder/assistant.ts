/** The agent's messages: its words, its calls, and how they ended. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { AssistantMessage, ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Background from "./background.ts"
import * as Calls from "./Calls.ts"
import * as Notices from "./notices.ts"
import * as State from "./state.ts"
import type { Seen, State as Decoding, Told, Words } from "./state.ts"

const none: ReadonlyArray<TranscriptEvent> = []
const maxCalls = 256
const maxWords = 64 * 1024

export interface Message {
  readonly info: Json.Json
  readonly parts: ReadonlyArray<Json.Json>
  /** Whether the agent has written another since: what is open in this one stays so. */
  readonly isPast: boolean
}

export const message = (state: Decoding, message: Message): State.Step => {
  const { info } = message
  const seen = State.seen(state, info)
  if (seen !== undefined && !seen.open) return [state, none]
  if (isOwnShell(state, info))
    return isOver(message) ? [State.remember(state, State.closed(info)), none] : [state, none]
  const answered = { ...state, answer: { open: !isOver(message), completed: completedAt(info) } }
  if (info["summary"] === true) return summary(answered, message)
  return spoken(answered, message, seen ?? { ...State.closed(info), open: true, over: false })
}

/** A command that the user ran is no call of the agent's. */
const isOwnShell = (state: Decoding, info: Json.Json): boolean =>
  state.shell !== null && info["parentID"] === state.shell && typeof info["finish"] !== "string"

const completedAt = (info: Json.Json): number | null => Json.number(Json.object(info["time"])["completed"])

const isOver = ({ info, isPast }: Message): boolean =>
  isPast || completedAt(info) !== null || Json.isObject(info["error"])

const timeOf = (info: Json.Json): string | null => Json.millis(completedAt(info) ?? State.createdAt(info))

/** What is left out from here on is told to the model in these words: they are none to the user. */
const summary = (state: Decoding, message: Message): State.Step => {
  if (!isOver(message)) return [state, none]
  const { info } = message
  const told = State.remember(state, State.closed(info))
  const at = timeOf(info)
  return [
    told,
    Json.isObject(info["error"]) ? Notices.ofError(info["error"], at) : [Notices.notice("compacted", at, null)]
  ]
}

/** The parts of a message as the agent made them: words up to the next call, and calls. */
interface Reading {
  readonly cwd: string | null
  readonly events: Array<TranscriptEvent>
  readonly calls: Array<Told>
  readonly started: Array<readonly [session: string, call: ToolCall]>
  texts: number
  words: Words | null
}

const spoken = (state: Decoding, message: Message, seen: Seen): State.Step => {
  const cwd = directoryOf(message.info) ?? state.cwd
  const reading: Reading = { cwd, events: [], calls: [], started: [], texts: 0, words: null }
  for (const part of message.parts) read(reading, part, message, seen)
  const over = isOver(message)
  if (over) {
    say(reading, seen, ending(message.info), Json.number(Json.object(message.info["tokens"])["output"]))
    if (!seen.over) reading.events.push(...closing(message, reading))
  }
  const open = !over || reading.calls.some(({ status }) => status === "pending" || status === "running")
  const calls = open ? reading.calls.slice(-maxCalls) : []
  const told = State.remember(state, { ...seen, open, over, texts: Math.max(seen.texts, reading.texts), calls })
  const goingOn = reading.started.reduce(
    (current, [session, call]) => Background.remember(current, session, call),
    told
  )
  return [{ ...goingOn, words: over ? null : reading.words }, reading.events]
}

const read = (reading: Reading, part: Json.Json, message: Message, seen: Seen): void => {
  switch (part["type"]) {
    case "text":
      return hear(reading, part, message.info)
    case "tool":
      say(reading, seen, true, null)
      return take(reading, part, message, seen)
    case "retry":
      if (!isOver(message)) reading.events.push(...Notices.ofRetry(part["error"], partTime(part)))
      else if (!seen.over) reading.events.push(...Notices.ofError(part["error"], partTime(part)))
      return
    default:
  }
}

const partTime = (part: Json.Json): string | null => Json.millis(Json.object(part["time"])["created"])

export const directoryOf = (info: Json.Json): string | null =>
  Json.string(Json.object(info["path"])["cwd"]) ?? Json.string(info["path"])

const modelOf = (info: Json.Json): string | null =>
  Json.string(info["modelID"]) ?? Json.string(Json.object(info["model"])["modelID"])

const hear = (reading: Reading, part: Json.Json, info: Json.Json): void => {
  const text = Json.text(part["text"])
  if (text.trim() === "" || part["synthetic"] === true || part["ignored"] === true) return
  const time = Json.object(part["time"])
  const before = reading.words
  reading.words = {
    id: before?.id ?? wordsId(info, part, reading.texts),
    at: Json.millis(time["end"] ?? time["start"]) ?? before?.at ?? Json.millis(State.createdAt(info)),
    text: Json.clip(before === null ? text : `${before.text}\n\n${text}`, maxWords),
    model: modelOf(info)
  }
}

/** The first words of a message have its id. */
const wordsId = (info: Json.Json, part: Json.Json, texts: number): string | null =>
  texts === 0 ? Json.string(info["id"]) : Json.string(part["id"])

const say = (reading: Reading, seen: Seen, completed: boolean | null, outputTokens: number | null): void => {
  const { words } = reading
  if (words === null) return
  reading.words = null
  reading.texts += 1
  if (reading.texts <= seen.texts) return
  const said: AssistantMessage = { type: "assistant_message", ...words, completed, outputTokens }
  reading.events.push(said)
}

const take = (reading: Reading, part: Json.Json, { isPast }: Message, seen: Seen): void => {
  const call = Calls.ofPart(part, reading.cwd)
  const isOpen = call.status === "pending" || call.status === "running"
  const settled: ToolCall = isPast && isOpen ? { ...call, status: "interrupted" } : call
  const { id, status } = settled
  if (id !== null && status !== null) {
    reading.calls.push({ id, status })
    if (seen.calls.some((one) => one.id === id && one.status === status)) return
  }
  const session = Background.startedBy(part)
  if (session === null) return tell(reading, settled)
  const started = Background.started(call)
  reading.started.push([session, started])
  reading.events.push(started)
}

const tell = (reading: Reading, call: ToolCall): void => {
  reading.events.push(call)
  const todos = Calls.todosOf(call)
  if (todos !== null) reading.events.push(todos)
}

const whole = new Set<unknown>(["stop", "tool-calls", "end_turn", "tool_use"])
const cut = new Set<unknown>(["length", "content-filter", "error", "max_tokens"])

/** Whether the model came to the end of what it had to say, null where the host does not say. */
const ending = (info: Json.Json): boolean | null => {
  if (Json.isObject(info["error"]) || cut.has(info["finish"])) return false
  return whole.has(info["finish"]) ? true : null
}

/** How the message ended, where its parts do not tell. */
const closing = ({ info, isPast, parts }: Message, reading: Reading): ReadonlyArray<TranscriptEvent> => {
  const at = timeOf(info)
  if (Json.isObject(info["error"])) return Notices.ofError(info["error"], at)
  if (reading.texts > 0 || reading.calls.length > 0) return none
  if (typeof info["finish"] === "string") {
    const id = Json.string(info["id"])
    const tokens = Json.number(Json.object(info["tokens"])["output"])
    const model = modelOf(info)
    return [{ type: "assistant_message", id, at, text: "", completed: ending(info), outputTokens: tokens, model }]
  }
  const finished = parts.some((part) => part["type"] === "step-finish")
  return finished || isPast || completedAt(info) === null ? none : [Notices.notice("aborted", at, null)]
}

/** What the agent says as the record stands. */
export const unfinished = (state: Decoding): ReadonlyArray<TranscriptEvent> =>
  state.words === null ? none : [{ type: "assistant_message", ...state.words, completed: null, outputTokens: null }]
