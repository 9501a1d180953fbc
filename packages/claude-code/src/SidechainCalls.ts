/** What is kept of a subagent's record: its shell commands and edits, clipped, line by line. */
import type { ToolCall } from "@reflexion/core/Transcript"
import * as ClaudeCodeTranscript from "./ClaudeCodeTranscript.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Outcome from "./internal/outcome.ts"

const maxOutput = 2 * 1024
const edits = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"])

/** Whether a file's name, without its folder, is that of a subagent's record. */
export const isFile = (name: string): boolean => name.startsWith("agent-") && name.endsWith(".jsonl")

const agentOf = (file: string): string => /agent-([^/\\]*)\.jsonl$/.exec(file)?.[1] ?? "agent"

/** Decodes one line's value of a subagent's file. Total, as `ClaudeCodeTranscript.step` is. */
export const step = (
  state: ClaudeCodeTranscript.State,
  value: unknown,
  file: string
): readonly [ClaudeCodeTranscript.State, ReadonlyArray<ToolCall>] => {
  if (!Json.isObject(value)) return [state, []]
  const agentId = Json.string(value["agentId"]) ?? agentOf(file)
  const [next, events] = ClaudeCodeTranscript.step(state, { ...value, isSidechain: true, agentId })
  const calls = events.flatMap((event) => {
    if (event.type !== "tool_call" || event.id === null) return []
    if (!Outcome.isShell(event.tool) && !edits.has(event.tool)) return []
    return [{ ...event, output: event.output === null ? null : Json.clip(event.output, maxOutput) }]
  })
  return [next, calls]
}
