/** Finds the rollouts of the agents that a session started, and reads their shell commands and patches. */
import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import * as CodexTranscript from "./CodexTranscript.ts"
import * as Calls from "./internal/calls.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as FS from "node:fs"
import { basename, dirname, join } from "node:path"

const idLength = "00000000-0000-0000-0000-000000000000".length

export const threadOf = (file: string): string => file.replace(/\.jsonl(\.gz|\.zst)?$/, "").slice(-idLength)

/** Empty if the folder cannot be read. */
const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return FS.readdirSync(folder)
  } catch {
    return []
  }
}

const rolloutsIn = (folder: string): ReadonlyArray<string> =>
  namesIn(folder)
    .filter((name) => /^rollout-.*\.jsonl$/.test(name))
    .map((name) => join(folder, name))

const isDay = (name: string): boolean => /^\d\d$/.test(name)

/** A session can last past midnight, so its agents may be in the folders of later days of the month. */
const daysFrom = (own: string): ReadonlyArray<string> => {
  const [day, month] = [basename(own), dirname(own)]
  if (!isDay(day)) return [own]
  return namesIn(month).flatMap((name) => (isDay(name) && name >= day ? [join(month, name)] : []))
}

const headOf = (file: string): string => {
  try {
    return PlainFiles.following(file, (descriptor) => PlainFiles.readBetween(descriptor, 0, 1024).toString("latin1"))
  } catch {
    return ""
  }
}

const isOf = (head: string, sessionId: string): boolean =>
  head.includes(`"session_id":"${sessionId}"`) && head.includes(`"parent_thread_id":"`)

/**
 * Includes agents that other agents started. Searches next to the session's rollout, in later days of the same month,
 * and in `<session>/subagents/`. Reads at most `most` files.
 */
export const of = (record: string, most: number): ReadonlyArray<string> => {
  const archived = rolloutsIn(join(record.replace(/\.jsonl(\.gz|\.zst)?$/, ""), "subagents"))
  const name = basename(record)
  if (!/^rollout-.*\.jsonl(?:\.gz|\.zst)?$/.test(name)) return archived.slice(0, most)
  // A rollout's name begins with its time. Agents start after their session.
  const younger = daysFrom(dirname(record)).flatMap((day) => rolloutsIn(day).filter((file) => basename(file) > name))
  const own = younger.slice(0, most).filter((file) => isOf(headOf(file), threadOf(record)))
  return [...archived, ...own].slice(0, most)
}

const maxOutput = 2 * 1024

/** The call ids include the agent's id, because two agents may use the same ids. */
const kept = (event: TranscriptEvent, agentId: string): ReadonlyArray<ToolCall> => {
  if (event.type !== "tool_call" || event.id === null) return []
  if (event.tool !== Calls.shell && event.tool !== Calls.patch) return []
  const output = event.output === null ? null : Json.clip(event.output, maxOutput)
  return [{ ...event, agentId, id: `${agentId}/${event.id}`, output }]
}

/** Never throws. */
export const step = (
  state: CodexTranscript.State,
  value: unknown,
  file: string
): readonly [CodexTranscript.State, ReadonlyArray<ToolCall>] => {
  const [next, events] = CodexTranscript.step(state, value)
  return [next, events.flatMap((event) => kept(event, threadOf(file)))]
}
