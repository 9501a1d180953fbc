/** What is kept of a subagent's record: its shell commands and edits, clipped, line by line. */
import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import * as ClaudeCodeTranscript from "./ClaudeCodeTranscript.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Outcome from "./internal/outcome.ts"

const maxText = 4 * 1024
const edits = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"])

/**
 * Whether a file's name, without its folder, is that of a subagent's record.
 *
 * @category predicates
 */
export const isFile = (name: string): boolean => name.startsWith("agent-") && name.endsWith(".jsonl")

const agentOf = (file: string): string => {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1)
  return name.slice("agent-".length, -".jsonl".length)
}

/**
 * Decodes one line's value of a subagent's file. Total, as `ClaudeCodeTranscript.step` is.
 *
 * @category decoding
 */
export const step = (
  state: ClaudeCodeTranscript.State,
  value: unknown,
  file: string
): readonly [ClaudeCodeTranscript.State, ReadonlyArray<ToolCall>] => {
  if (!Json.isObject(value)) return [state, []]
  const agentId = Json.string(value["agentId"]) ?? agentOf(file)
  const [next, events] = ClaudeCodeTranscript.step(state, { ...value, isSidechain: true, agentId })
  return [next, events.flatMap(kept)]
}

const kept = (event: TranscriptEvent): ReadonlyArray<ToolCall> =>
  event.type === "tool_call" && event.id !== null && (Outcome.isShell(event.tool) || edits.has(event.tool))
    ? [clipped(event)]
    : []

const clipped = (call: ToolCall): ToolCall => ({
  ...call,
  input: clippedInput(call.input),
  output: call.output === null ? null : Json.clip(call.output, maxText / 2)
})

/** An edit's texts prove nothing more than its path does; a command is kept whole. */
const clippedInput = (input: unknown): unknown =>
  Json.isObject(input)
    ? Object.fromEntries(
        Object.entries(input).flatMap(([key, value]) => {
          if (typeof value !== "string") return typeof value === "object" ? [] : [[key, value]]
          return [[key, key === "command" ? value : Json.clip(value, maxText / 2)]]
        })
      )
    : null
