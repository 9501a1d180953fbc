/** Extracts the shell commands and edits from a subagent's record, line by line. Outputs are clipped. */
import type { ToolCall } from "@reflexion/core/Transcript"
import * as ClaudeCodeTranscript from "./ClaudeCodeTranscript.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as FS from "node:fs"
import { basename, join } from "node:path"
import * as Outcome from "./internal/outcome.ts"

const maxOutput = 2 * 1024
const edits = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"])

const maxFiles = 2_000

/** `<session>/subagents/agent-*.jsonl` next to the session's transcript, at any depth. */
export const filesOf = (transcript: string): ReadonlyArray<string> => {
  const folder = join(transcript.replace(/\.jsonl(\.gz)?$/, ""), "subagents")
  if (!FS.existsSync(folder)) return []
  return FS.readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => basename(name).startsWith("agent-") && name.endsWith(".jsonl"))
    .slice(0, maxFiles)
    .map((name) => join(folder, name))
}

const agentOf = (file: string): string => /agent-([^/\\]*)\.jsonl$/.exec(file)?.[1] ?? "agent"

/** Never throws. */
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
