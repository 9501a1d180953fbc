/** The rollouts of the agents that a session started, which lie next to its own: their shell commands and patches. */
import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import * as CodexTranscript from "./CodexTranscript.ts"
import * as Calls from "./internal/calls.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"

/** How many bytes from its start tell whose a rollout is. */
export const headBytes = 1024

/** Whether a rollout, by its first bytes, is that of an agent which a session started, directly or through another agent. */
export const isOf = (head: string, sessionId: string): boolean =>
  head.includes(`"session_id":"${sessionId}"`) && head.includes(`"parent_thread_id":"`)

const isRollout = (name: string): boolean => /^rollout-.*\.jsonl$/.test(name)

/** The rollouts among a folder's names. */
export const rollouts = (names: ReadonlyArray<string>): ReadonlyArray<string> => names.filter(isRollout)

/** The rollouts that can be those of a session's agents: the younger ones, for a name begins with its time. */
export const younger = (own: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  rollouts(names).filter((name) => name > own)

/** Whether a folder's name is that of a day, where Codex keeps what began on it. */
export const isDay = (name: string): boolean => /^\d\d$/.test(name)

/** The folders of a month in which agents can have begun: a session can outlast midnight. */
export const daysFrom = (day: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => isDay(name) && name >= day)

const idLength = "00000000-0000-0000-0000-000000000000".length

/** The thread of a rollout, by its file's name. */
export const threadOf = (file: string): string => file.replace(/\.jsonl(\.gz|\.zst)?$/, "").slice(-idLength)

const maxOutput = 2 * 1024

/** Two agents may number their calls alike. */
const kept = (event: TranscriptEvent, agentId: string): ReadonlyArray<ToolCall> => {
  if (event.type !== "tool_call" || event.id === null) return []
  if (event.tool !== Calls.shell && event.tool !== Calls.patch) return []
  const output = event.output === null ? null : Json.clip(event.output, maxOutput)
  return [{ ...event, agentId, id: `${agentId}/${event.id}`, output }]
}

/** Decodes one line's value of an agent's rollout. Total, as `CodexTranscript.step` is. */
export const step = (
  state: CodexTranscript.State,
  value: unknown,
  file: string
): readonly [CodexTranscript.State, ReadonlyArray<ToolCall>] => {
  const [next, events] = CodexTranscript.step(state, value)
  return [next, events.flatMap((event) => kept(event, threadOf(file)))]
}
