/** What a host tells its hook, as far as a review needs it. Total: a payload is the host's, and may be anything. */
import * as Json from "../../base/json/Json.ts"
import * as JsonScan from "../../base/json/JsonScan.ts"

/**
 * What an event is to a review. `work`: the agent is at work, by a prompt or a call of its own.
 *
 * @category models
 */
export type Kind = "work" | "stop" | "interrupt" | "failure"

/** How a host's payloads are read, beside what all hosts with hooks call alike. */
export interface Reading {
  /** The host's own names of the events. */
  readonly kinds: Readonly<Record<string, Kind>>
  /** Whether the agent may only plan; null where the record has to say so. */
  readonly plan: (payload: Json.Json) => boolean | null
  /** How many tasks go on in the background; null where the record has to say so. */
  readonly background: (payload: Json.Json) => number | null
}

export interface Payload {
  readonly kind: Kind | "other"
  readonly name: string
  readonly sessionId: string
  /** The session's record; null where the host keeps none. */
  readonly transcript: string | null
  readonly cwd: string | null
  readonly subagent: boolean
  /** The agent's final text, which the record may not have yet. */
  readonly message: string
  readonly plan: boolean | null
  readonly background: number | null
}

/** Null for what is no payload of a session. */
export const decode = (given: unknown, reading: Reading): Payload | null => {
  const payload = Json.object(typeof given === "string" ? JsonScan.parse(JsonScan.clean(given)) : given)
  const [name, sessionId] = [Json.text(payload["hook_event_name"]), Json.text(payload["session_id"])]
  if (name === "" || sessionId === "") return null
  return {
    kind: (Object.hasOwn(reading.kinds, name) ? reading.kinds[name] : undefined) ?? "other",
    name,
    sessionId,
    transcript: Json.string(payload["transcript_path"]),
    cwd: Json.string(payload["cwd"]),
    subagent: Json.text(payload["agent_id"]) !== "",
    message: Json.text(payload["last_assistant_message"]).trim(),
    plan: reading.plan(payload),
    background: reading.background(payload)
  }
}
