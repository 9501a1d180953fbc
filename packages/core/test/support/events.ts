/** Builders of transcript events for tests: each takes what the test is about and leaves the rest at its default. */
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type {
  Mode,
  Notice,
  Todo,
  ToolCall,
  Transcript,
  TranscriptEvent
} from "../../src/session/transcript/Transcript.ts"

export const user = (
  text: string,
  rest: { readonly id?: string; readonly at?: string; readonly synthetic?: boolean; readonly turn?: number } = {}
): TranscriptEvent => ({ type: "user_message", id: null, at: null, text, synthetic: false, ...rest })

export const agent = (text: string, completed: boolean | null = true): TranscriptEvent => ({
  type: "assistant_message",
  id: null,
  at: null,
  text,
  completed,
  outputTokens: null,
  model: null
})

let calls = 0

export const call = (tool: string, input: unknown, rest: Partial<ToolCall> = {}): ToolCall => ({
  type: "tool_call",
  id: `call-${(calls += 1)}`,
  at: null,
  endedAt: null,
  tool,
  input,
  cwd: null,
  background: false,
  agentId: null,
  status: "completed",
  exitCode: null,
  output: "",
  ...rest
})

export const run = (command: string, exitCode: number | null, output = "", rest: Partial<ToolCall> = {}): ToolCall =>
  call(
    "Bash",
    { command },
    { exitCode, output, status: exitCode === null || exitCode === 0 ? "completed" : "error", ...rest }
  )

export const edit = (path: string, rest: Partial<ToolCall> = {}): ToolCall =>
  call("Edit", { file_path: path, old_string: "return 1", new_string: "return 2" }, rest)

export const todos = (...items: ReadonlyArray<readonly [text: string, status: Todo["status"]]>): TranscriptEvent => ({
  type: "todo_update",
  at: null,
  todos: items.map(([content, status]) => ({ id: null, content, status }))
})

export const notice = (kind: Notice["kind"], detail: string | null = null): TranscriptEvent => ({
  type: "notice",
  at: null,
  kind,
  detail
})

export const mode = (value: Mode): TranscriptEvent => ({ type: "mode_change", at: null, mode: value })

export const transcript = (
  events: ReadonlyArray<TranscriptEvent>,
  rest: Partial<Omit<Transcript, "events">> = {}
): Transcript => ({
  version: 1,
  host: "transcript",
  sessionId: "s1",
  parentSessionId: null,
  cwd: "/repo",
  mode: "build",
  ...rest,
  events
})

export const folded = (
  events: ReadonlyArray<TranscriptEvent>,
  context: Judgment.JudgmentContext = { ...Judgment.defaultContext, cwd: "/repo" }
): Judgment.JudgmentState => events.reduce((state, event) => Judgment.step(state, event, context), Judgment.initial)
