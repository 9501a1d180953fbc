/** Readings of a hook's payload: total, for a payload is the host's and may be anything. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { HookEvent } from "./HookEvent.ts"

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
export const event = (value: unknown): { readonly payload: Payload; readonly event: HookEvent } | null => {
  const payload = Json.object(value)
  const name = text(payload, "hook_event_name")
  const sessionId = text(payload, "session_id")
  return name === null || sessionId === null ? null : { payload, event: eventOf(payload, name, sessionId) }
}

/** An event of which nothing but this is known. */
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
