/** The events of which the rules' examples are made: each names what the example is about, and the rest is left out. */
import type { Notice, Todo, ToolCall, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import type { Example } from "./model.ts"

/** A session, and in a few words what there is to see. */
export const example = (title: string, ...events: ReadonlyArray<TranscriptEvent>): Example => ({ title, events })

export const user = (text: string): TranscriptEvent => ({
  type: "user_message",
  id: null,
  at: null,
  text,
  synthetic: false
})

/** `completed`: false where the host says that it was cut off. */
export const agent = (text: string, completed: boolean | null = true): TranscriptEvent => ({
  type: "assistant_message",
  id: null,
  at: null,
  text,
  completed,
  outputTokens: null,
  model: null
})

const call = (tool: string, input: unknown, exitCode: number | null, output: string): ToolCall => ({
  type: "tool_call",
  id: null,
  at: null,
  endedAt: null,
  tool,
  input,
  cwd: null,
  background: false,
  agentId: null,
  status: exitCode === null || exitCode === 0 ? "completed" : "error",
  exitCode,
  output
})

/** A shell command that ended with a code, and what it printed. */
export const ran = (command: string, exitCode = 0, output = ""): TranscriptEvent =>
  call("Bash", { command }, exitCode, output)

/** A shell command that goes on in the background. */
export const background = (command: string): TranscriptEvent => ({
  ...call("Bash", { command }, null, ""),
  background: true,
  status: "running"
})

/** What is in the place of a text that does not matter. */
export const unimportant = "return 1"

export const edited = (path: string): TranscriptEvent => changed(path, unimportant, "return 2")

/** An edit of which the example shows the text before and after. */
export const changed = (path: string, before: string, after: string): TranscriptEvent =>
  call("Edit", { file_path: path, old_string: before, new_string: after }, null, "")

export const read = (path: string): TranscriptEvent => call("Read", { file_path: path }, null, "const total = 1")

export const todos = (
  ...items: ReadonlyArray<readonly [content: string, status: Todo["status"]]>
): TranscriptEvent => ({
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

/** The order of the examples about changed checks. */
export const cartOrder = user(
  "A 10 % discount on 50.00 is 49.90 instead of 45.00. Fix it and make sure the tests pass."
)

/** Its red run, in which one of eight tests fails. */
export const cartRed = ran(
  "npm test",
  1,
  "FAIL test/cart.test.js\n  ● cart › takes ten percent off\n    Expected: 45\n    Received: 49.9\n\nTests: 1 failed, 7 passed, 8 total"
)
