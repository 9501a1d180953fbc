/** The events that hosts send to a hook and the hook's answers, in one form for all hosts. */
import * as Json from "@reflexion/core/internal/base/json/Json"

export interface HookEvent {
  readonly kind: "stop" | "subagent_stop" | "prompt" | "tool" | "compaction" | "session_start" | "interrupt" | "other"
  /** The host's own name of the event. */
  readonly name: string
  readonly sessionId: string
  /** The run of the agent. Null if the host does not identify it. */
  readonly turnId: string | null
  /** True if the hook must block the stop to make the agent continue. */
  readonly blocks: boolean
  /** True if the host says that a hook made the agent continue after the user's last message. */
  readonly continued: boolean
  readonly transcript: string | null
  readonly cwd: string | null
  /** True if the event happened inside a subagent. */
  readonly subagent: boolean
  readonly agent?: string
  readonly plan: boolean
  /** The agent's final message. Null if the host does not send it. */
  readonly message: string | null
  /** The number of background tasks, plus wake-ups that the agent has scheduled. */
  readonly background: number
  readonly prompt: string | null
  /** True if the session continues after a compaction. */
  readonly compacted: boolean
  /** The call that has ended. */
  readonly tool: { readonly name: string; readonly input: unknown; readonly result: unknown } | null
}

/** `reply` answers the user's command. `context` tells the agent something without making it go on. */
export type HookAnswer =
  | { readonly _tag: "nothing" }
  | { readonly _tag: "nudge"; readonly feedback: string; readonly notice: string }
  | { readonly _tag: "notice"; readonly text: string }
  | { readonly _tag: "reply"; readonly text: string }
  | { readonly _tag: "context"; readonly text: string }

/** A promise if checks or models also review the stop. */
export type PendingAnswer = HookAnswer | Promise<HookAnswer>

export const nothing: HookAnswer = { _tag: "nothing" }

/** Puts the answer into `hookSpecificOutput`, where some hosts read it. */
export const specific = (event: HookEvent, fields: object): object => ({
  hookSpecificOutput: { hookEventName: event.name, ...fields }
})

export const rendered = (
  answer: HookAnswer,
  event: HookEvent,
  { nudge, reply }: { readonly nudge: (feedback: string) => object; readonly reply: object }
): object | null => {
  switch (answer._tag) {
    case "nothing":
      return null
    case "nudge":
      return { ...nudge(answer.feedback), systemMessage: answer.notice }
    case "notice":
      return { systemMessage: answer.text }
    case "reply":
      return { decision: "block", reason: answer.text, ...reply }
    case "context":
      return specific(event, { additionalContext: answer.text })
  }
}

/** Gives the decision `block`. At a stop, the agent then continues. A blocked prompt does not reach the model. */
export const blocking = (answer: HookAnswer, event: HookEvent): object | null =>
  rendered(answer, event, { nudge: (reason) => ({ decision: "block", reason }), reply: {} })

export type Payload = Json.Json

export const text = (payload: Payload, key: string): string | null => Json.string(payload[key]) || null

export const objects = (payload: Payload, key: string): ReadonlyArray<Payload> =>
  Json.list(payload[key]).filter(Json.isObject)

/** Events by the host's name. Not every host has every event. */
const kinds: ReadonlyMap<string, HookEvent["kind"]> = new Map([
  ["Stop", "stop"],
  ["SubagentStop", "subagent_stop"],
  ["UserPromptSubmit", "prompt"],
  ["PostToolUse", "tool"],
  ["PreCompact", "compaction"],
  ["PostCompact", "compaction"],
  ["SessionStart", "session_start"],
  ["Interrupt", "interrupt"]
])

/** Null if the value is not a payload of a session. */
export const decode = (value: unknown): { readonly payload: Payload; readonly event: HookEvent } | null => {
  const payload = Json.object(value)
  const name = text(payload, "hook_event_name")
  const sessionId = text(payload, "session_id")
  return name === null || sessionId === null ? null : { payload, event: eventOf(payload, name, sessionId) }
}

export const bare = (name: string): HookEvent => eventOf({}, name, "")

const eventOf = (payload: Payload, name: string, sessionId: string): HookEvent => ({
  kind: kinds.get(name) ?? "other",
  name,
  sessionId,
  turnId: null,
  blocks: false,
  continued: payload["stop_hook_active"] === true,
  transcript: text(payload, "transcript_path"),
  cwd: text(payload, "cwd"),
  subagent: text(payload, "agent_id") !== null,
  plan: payload["permission_mode"] === "plan",
  message: text(payload, "last_assistant_message"),
  background: 0,
  prompt: text(payload, "prompt"),
  compacted: payload["source"] === "compact",
  tool: tool(payload)
})

const tool = (payload: Payload): HookEvent["tool"] => {
  const name = text(payload, "tool_name")
  const result = payload["tool_response"] ?? payload["tool_result"] ?? null
  return name === null ? null : { name, input: payload["tool_input"] ?? null, result }
}
