/** Extracts the tool calls from a subagent's record, line by line. Outputs are clipped. */
import type { ToolCall } from "@reflexion/core/Transcript"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as GeminiTranscript from "./GeminiTranscript.ts"

const outputEach = 1024

/** The record's name has only the first digits of the session's id. */
export const isFolderOf = (record: string, folder: string): boolean => {
  const [, digits = null] = /-([\da-f]{8})\.jsonl$/.exec(record) ?? []
  return digits !== null && /^[\da-f]{8}-[\da-f-]{20,40}$/.test(folder) && folder.startsWith(digits)
}

const agentOf = (file: string): string => /([^/\\]*)\.jsonl$/.exec(file)?.[1] ?? "agent"

/** Never throws. */
export const step = (
  state: GeminiTranscript.State,
  value: unknown,
  file: string
): readonly [GeminiTranscript.State, ReadonlyArray<ToolCall>] => {
  const [next, events] = GeminiTranscript.step(state, value)
  const calls = events.flatMap((event) => {
    if (event.type !== "tool_call") return []
    const output = event.output === null ? null : Json.clip(event.output, outputEach)
    return [{ ...event, agentId: agentOf(file), output }]
  })
  return [next, calls]
}
