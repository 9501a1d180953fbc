/** Decodes the lines of the user and the assistant. */
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import { chain, modeOf, notice } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as Calls from "./calls.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Input from "./input.ts"
import * as Lines from "./lines.ts"
import * as Notification from "./notification.ts"
import * as Prompt from "./prompt.ts"
import { none, type State, type Step } from "./state.ts"

export const user = (state: State, line: Json.Json): Step => {
  const content = Json.object(line["message"])["content"]
  const results = Json.list(content).filter((block) => Json.object(block)["type"] === "tool_result")
  if (results.length > 0) return toolResults(state, line, content, results)
  if (line["isSidechain"] === true) return [state, none]
  return prompt(state, line, Json.contentText(content), hasImage(content))
}

const hasImage = (content: unknown): boolean =>
  Json.list(content).some((block) => ["image", "document"].includes(Json.text(Json.object(block)["type"])))

const toolResults = (state: State, line: Json.Json, content: unknown, results: ReadonlyArray<unknown>): Step => {
  const at = Json.time(line["timestamp"])
  const result = results.length === 1 ? line["toolUseResult"] : undefined
  const [settled, events] = chain(
    state,
    ...results.map((block) => (current: State) => {
      const fields = Json.object(block)
      return Calls.settle(current, { id: Json.text(fields["tool_use_id"]), at, block: fields, result })
    })
  )
  if (line["isSidechain"] === true || line["isMeta"] === true) return [settled, events]
  const typed = Prompt.classify(Json.contentText(content))
  if (typed.kind === "interrupt") return [settled, [...events, notice("aborted", at, typed.text)]]
  return typed.kind === "genuine" ? [settled, [...events, Lines.joined(settled, line, typed.text)]] : [settled, events]
}

const prompt = (state: State, line: Json.Json, raw: string, image: boolean): Step => {
  const at = Json.time(line["timestamp"])
  const classified = Prompt.classify(raw)
  if (classified.kind === "interrupt") {
    return [recovered(state), [notice("aborted", at, classified.text)]]
  }
  if (line["isMeta"] === true || line["isCompactSummary"] === true || classified.kind === "continuation") {
    const expands = line["isMeta"] === true && state.expands !== null && line["parentUuid"] === state.expands
    const message = Lines.synthetic(line, raw)
    return [{ ...state, expands: null }, [expands ? { ...message, expansion: true } : message]]
  }
  const numbered = { ...state, turn: state.turn + 1 }
  if (Notification.isNotification(raw)) {
    const [next, events] = Notification.apply(numbered, raw, at)
    return [{ ...next, dequeued: false }, [{ ...Lines.synthetic(line, raw), turn: numbered.turn }, ...events]]
  }
  const text = classified.text === "" && image ? "[image]" : classified.text
  if ((classified.kind === "synthetic" && text !== "[image]") || isFromHost(line)) {
    return [numbered, [{ ...Lines.synthetic(line, text), turn: numbered.turn }]]
  }
  const expands = classified.kind === "genuine" && classified.expanded === true ? Json.string(line["uuid"]) : null
  return genuine({ ...numbered, expands }, line, text)
}

const isFromHost = (line: Json.Json): boolean => {
  const origin = Json.string(Json.object(line["origin"])["kind"])
  return (
    (origin !== null && origin !== "human") ||
    line["promptSource"] === "system" ||
    line["isVisibleInTranscriptOnly"] === true
  )
}

const genuine = (state: State, line: Json.Json, text: string): Step => {
  const at = Json.time(line["timestamp"])
  const queued =
    state.turn > 0 &&
    (state.dequeued || line["promptSource"] === "queued" || state.queue.some(({ kind }) => kind === "waited"))
  const [rested, failed] = Lines.giveUp(state)
  const mode = modeOf(line["permissionMode"]) ?? rested.nextMode
  const begun = { ...rested, dequeued: false }
  const [next, changed] = mode === null || mode === "unknown" ? [begun, none] : Calls.setMode(begun, mode, at)
  const message: TranscriptEvent = {
    type: "user_message",
    id: Json.string(line["uuid"]),
    at,
    text,
    synthetic: false,
    turn: state.turn
  }
  // The notices belong to the turn before this message. The mode belongs to the turn that it begins.
  return [next, [...failed, ...(queued ? [notice("input_queued", at, null)] : none), message, ...changed]]
}

export const assistant = (state: State, line: Json.Json): Step => {
  const message = Json.object(line["message"])
  const agentId = line["isSidechain"] === true ? (Json.string(line["agentId"]) ?? "sidechain") : null
  if (message["model"] === "<synthetic>" || line["isApiErrorMessage"] === true) {
    return agentId === null ? harness(state, line, Json.contentText(message["content"])) : [state, none]
  }
  const content = message["content"]
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : Json.list(content)
  const origin = { line, message, agentId }
  const empty = agentId === null && blocks.every(isWordless) ? wordless(origin) : none
  return chain(
    agentId === null ? Lines.waited(recovered(state)) : state,
    (current: State) => (agentId === null && current.nextMode !== null ? entered(current, line) : [current, none]),
    ...blocks.map((block, index) => (current: State) => assistantBlock(current, Json.object(block), index, origin)),
    (current: State) => [current, empty]
  )
}

const isUnsaid = (text: string): boolean => text.trim() === "" || text === "(no content)"

const isWordless = (value: unknown): boolean => {
  const block = Json.object(value)
  return block["type"] === "text" && isUnsaid(Json.text(block["text"]))
}

/** The model ended its message normally without any text. */
const wordless = ({ line, message }: Origin): ReadonlyArray<TranscriptEvent> =>
  completed(message["stop_reason"]) === true
    ? [
        {
          type: "assistant_message",
          id: Json.string(message["id"]) ?? Json.string(line["uuid"]),
          at: Json.time(line["timestamp"]),
          text: "",
          completed: true,
          outputTokens: Json.number(Json.object(message["usage"])["output_tokens"]),
          model: Json.string(message["model"])
        }
      ]
    : none

const recovered = (state: State): State => (state.retrying === null ? state : { ...state, retrying: null })

const entered = (state: State, line: Json.Json): Step =>
  state.nextMode === null || state.nextMode === "unknown"
    ? [state, none]
    : Calls.setMode(state, state.nextMode, Json.time(line["timestamp"]))

interface Origin {
  readonly line: Json.Json
  readonly message: Json.Json
  readonly agentId: string | null
}

const assistantBlock = (state: State, block: Json.Json, index: number, origin: Origin): Step => {
  const { agentId, line } = origin
  if (block["type"] === "tool_use") {
    return Calls.issue(state, {
      id: Json.string(block["id"]) ?? `${Json.text(line["uuid"])}#${index}`,
      at: Json.time(line["timestamp"]),
      tool: Json.string(block["name"]) ?? "unknown",
      input: Input.clip(block["input"]),
      cwd: Json.string(line["cwd"]),
      agentId
    })
  }
  const text = Json.text(block["text"])
  if (agentId !== null || block["type"] !== "text" || isUnsaid(text)) return [state, none]
  return said(state, text, origin)
}

const said = (state: State, text: string, { line, message }: Origin): Step => {
  const id = Json.string(message["id"]) ?? Json.string(line["uuid"])
  const texts = id !== null && id === state.message.id ? state.message.texts : 0
  return [
    { ...state, message: { id, texts: texts + 1 } },
    [
      {
        type: "assistant_message",
        id: id === null || texts === 0 ? id : `${id}#${texts}`,
        at: Json.time(line["timestamp"]),
        text,
        completed: completed(message["stop_reason"]),
        outputTokens: Json.number(Json.object(message["usage"])["output_tokens"]),
        model: Json.string(message["model"])
      }
    ]
  ]
}

const completed = (stopReason: unknown): boolean | null => {
  switch (stopReason) {
    case "end_turn":
    case "stop_sequence":
      return true
    case "max_tokens":
    case "model_context_window_exceeded":
      return false
    default:
      return null
  }
}

const limits = [
  "hit your limit",
  "usage limit",
  "rate limit",
  "rate_limit",
  "limit reached",
  "out of extra usage",
  "API Error: 429"
]

/** A text that the host writes in the assistant's role may report a failed request. */
const harness = (state: State, line: Json.Json, text: string): Step => {
  const detail = text.slice(0, 500)
  const limited = limits.some((phrase) => detail.includes(phrase)) || line["error"] === "rate_limit"
  if (line["isApiErrorMessage"] !== true && !limited && !detail.startsWith("API Error")) return [state, none]
  const at = Json.time(line["timestamp"])
  return [recovered(state), [notice(limited ? "rate_limited" : "api_error", at, detail)]]
}
