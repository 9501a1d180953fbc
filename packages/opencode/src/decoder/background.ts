/** Agents that go on after the call that started them: the host tells of their end in the user's place. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import { chain } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { Running, State, Step } from "./state.ts"

const none: ReadonlyArray<TranscriptEvent> = []
const maxRunning = 64
const maxInput = 2 * 1024
const maxOutput = 32 * 1024

const head = /^<task id="(\w[\w-]{0,200})" state="(running|completed|error)">/

/** The session of an agent that a completed part only started, null for any other part. */
export const startedBy = (part: Json.Json): string | null => {
  const state = Json.object(part["state"])
  if (state["status"] !== "completed" || Json.object(state["metadata"])["background"] !== true) return null
  const found = head.exec(Json.text(state["output"]).slice(0, 300))
  return found?.[2] === "running" ? (found[1] ?? null) : null
}

/** The call of such a part, which is not over. */
export const started = (call: ToolCall): ToolCall => ({
  ...call,
  background: true,
  endedAt: null,
  status: "running",
  exitCode: null,
  output: null
})

const clipped = (value: unknown): unknown => (typeof value === "string" ? Json.clip(value, maxInput / 2) : null)

/** Remembers that an agent goes on. */
export const remember = (state: State, key: string, call: ToolCall): State => {
  if (call.id === null) return state
  const fields = Object.entries(Json.object(call.input)).slice(0, 8)
  const input = Object.fromEntries(fields.map(([name, value]) => [name.slice(0, 200), clipped(value)]))
  const running: Running = { key, id: call.id, at: call.at, tool: call.tool, input, cwd: call.cwd }
  return { ...state, running: Json.append(state.running, running, maxRunning) }
}

/** What a text of the host's says of an agent that went on. */
export const ended = (state: State, text: string, at: string | null): Step => {
  const [, key, status] = head.exec(text.slice(0, 300)) ?? []
  if (key === undefined || status === "running") return [state, none]
  const over = state.running.filter((one) => one.key === key)
  if (over.length === 0) return [state, none]
  const rest = { ...state, running: state.running.filter((one) => one.key !== key) }
  return [rest, over.map((one) => settled(one, status === "completed", text, at))]
}

/** What several texts say. */
export const allEnded = (state: State, texts: ReadonlyArray<string>, at: string | null): Step =>
  chain(state, ...texts.map((text) => (current: State) => ended(current, text, at)))

const settled = (running: Running, well: boolean, text: string, at: string | null): ToolCall => ({
  type: "tool_call",
  id: running.id,
  at: running.at,
  endedAt: at,
  tool: running.tool,
  input: running.input,
  cwd: running.cwd,
  background: true,
  agentId: null,
  status: well ? "completed" : "error",
  exitCode: null,
  output: Json.clip(text, maxOutput)
})
