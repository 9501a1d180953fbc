/** What a host tells its hook, and what the hook answers, in one form for all hosts. */
import * as Json from "@reflexion/core/internal/base/json/Json"

/** `name` is the host's own word for what happened; `turnId` names the run of the agent; `transcript` is the record's file. */
export interface HookEvent {
  readonly kind: "stop" | "subagent_stop" | "prompt" | "tool" | "compaction" | "session_start" | "interrupt" | "other"
  readonly name: string
  readonly sessionId: string
  readonly turnId: string | null
  /** Whether the host goes on by nothing but a stop that is blocked. */
  readonly blocks: boolean
  /** Whether a hook sent the agent on since the user spoke, as the host says; one that says nothing says no. */
  readonly continued: boolean
  readonly transcript: string | null
  readonly cwd: string | null
  /** Whether it happened inside a subagent. */
  readonly subagent: boolean
  /** What the host calls the agent; undefined where it gives it no name. */
  readonly agent?: string
  readonly plan: boolean
  readonly message: string | null
  /** Tasks that go on in the background, and wake-ups that the agent has scheduled. */
  readonly background: number
  readonly prompt: string | null
  /** Whether the session goes on from a compaction. */
  readonly compacted: boolean
  readonly tool: { readonly name: string; readonly input: unknown; readonly result: unknown } | null
}

/** `reply` answers the user's command without the model; `context` tells the agent without stopping or starting anything. */
export type HookAnswer =
  | { readonly _tag: "nothing" }
  | { readonly _tag: "nudge"; readonly feedback: string; readonly notice: string }
  | { readonly _tag: "notice"; readonly text: string }
  | { readonly _tag: "reply"; readonly text: string }
  | { readonly _tag: "context"; readonly text: string }

/** An answer, or one that is waited for: of a stop that is looked at by more than evidence. */
export type PendingAnswer = HookAnswer | Promise<HookAnswer>

export const nothing: HookAnswer = { _tag: "nothing" }

/** What a host reads that answers an event by fields of its own. */
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

export type Payload = Json.Json

export const text = (payload: Payload, key: string): string | null => Json.string(payload[key]) || null

export const objects = (payload: Payload, key: string): ReadonlyArray<Payload> =>
  Json.list(payload[key]).filter(Json.isObject)

/** The hosts' names for what happens; of some a host knows nothing. */
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

/** The event of a payload, without what the hosts tell each in their own way; null for what is no payload of a session. */
export const decode = (value: unknown): { readonly payload: Payload; readonly event: HookEvent } | null => {
  const payload = Json.object(value)
  const name = text(payload, "hook_event_name")
  const sessionId = text(payload, "session_id")
  return name === null || sessionId === null ? null : { payload, event: eventOf(payload, name, sessionId) }
}

/** An event that nothing else is known of. */
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
