/** Readings of a hook's payload: total, for a payload is the host's and may be anything. */

import type { HookEvent } from "./HookEvent.ts"

export type Payload = Readonly<Record<string, unknown>>

export const make = (value: unknown): Payload | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null

/**
 * A text under the first of these keys that has one; an empty text is none.
 *
 * @category decoding
 */
export const text = (payload: Payload, ...keys: ReadonlyArray<string>): string | null => {
  for (const key of keys) {
    const value = payload[key]
    if (typeof value === "string" && value !== "") return value
  }
  return null
}

/**
 * The objects of a list under a key.
 *
 * @category decoding
 */
export const objects = (payload: Payload, key: string): ReadonlyArray<Payload> => {
  const value: unknown = payload[key]
  const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
  return items.map(make).filter((one) => one !== null)
}

/**
 * The event of a payload, by the host's own names of the kinds; null for what is no payload of a session. What the hosts
 * tell each in their own way is left out.
 *
 * @category decoding
 */
export const event = (
  value: unknown,
  kinds: Readonly<Record<string, HookEvent["kind"]>>
): { readonly payload: Payload; readonly event: HookEvent } | null => {
  const payload = make(value)
  if (payload === null) return null
  const name = text(payload, "hook_event_name")
  const sessionId = text(payload, "session_id")
  if (name === null || sessionId === null) return null
  return {
    payload,
    event: {
      kind: (Object.hasOwn(kinds, name) ? kinds[name] : undefined) ?? "other",
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
    }
  }
}

const tool = (payload: Payload): HookEvent["tool"] => {
  const name = text(payload, "tool_name")
  const result = payload["tool_response"] ?? payload["tool_result"] ?? null
  return name === null ? null : { name, input: payload["tool_input"] ?? null, result }
}
