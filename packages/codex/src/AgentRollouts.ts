/**
 * Finds the rollouts of the agents that a session started, and reads their shell commands and patches. These rollouts
 * lie next to the session's own.
 */
import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import * as CodexTranscript from "./CodexTranscript.ts"
import * as Calls from "./internal/calls.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"

/** How many bytes at the beginning of a rollout are read to find its session. */
export const headBytes = 1024

/**
 * True if a rollout belongs to an agent that the session started directly or through another agent. `head` is the
 * beginning of the rollout.
 */
export const isOf = (head: string, sessionId: string): boolean =>
  head.includes(`"session_id":"${sessionId}"`) && head.includes(`"parent_thread_id":"`)

const isRollout = (name: string): boolean => /^rollout-.*\.jsonl$/.test(name)

/** Returns the names in a folder that are rollouts. */
export const rollouts = (names: ReadonlyArray<string>): ReadonlyArray<string> => names.filter(isRollout)

/**
 * Returns the rollouts that are newer than the session's own, because its agents started later. The name of a rollout
 * begins with its time.
 */
export const younger = (own: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  rollouts(names).filter((name) => name > own)

/** True if a folder name is a day. Codex has one folder per day. */
export const isDay = (name: string): boolean => /^\d\d$/.test(name)

/**
 * Returns the folders from a day on in the same month. A session can last past midnight, so its agents may be in later
 * folders.
 */
export const daysFrom = (day: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => isDay(name) && name >= day)

const idLength = "00000000-0000-0000-0000-000000000000".length

/** Returns the thread id from a rollout's file name. */
export const threadOf = (file: string): string => file.replace(/\.jsonl(\.gz|\.zst)?$/, "").slice(-idLength)

const maxOutput = 2 * 1024

/**
 * Keeps the shell commands and patches. The agent's id is added to the call ids, because two agents may use the same
 * ids.
 */
const kept = (event: TranscriptEvent, agentId: string): ReadonlyArray<ToolCall> => {
  if (event.type !== "tool_call" || event.id === null) return []
  if (event.tool !== Calls.shell && event.tool !== Calls.patch) return []
  const output = event.output === null ? null : Json.clip(event.output, maxOutput)
  return [{ ...event, agentId, id: `${agentId}/${event.id}`, output }]
}

/** Decodes the value of one line in an agent's rollout. Like `CodexTranscript.step`, it never throws. */
export const step = (
  state: CodexTranscript.State,
  value: unknown,
  file: string
): readonly [CodexTranscript.State, ReadonlyArray<ToolCall>] => {
  const [next, events] = CodexTranscript.step(state, value)
  return [next, events.flatMap((event) => kept(event, threadOf(file)))]
}
