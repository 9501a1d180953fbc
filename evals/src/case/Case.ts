/**
 * A small language for writing down sessions by hand, each with the verdict that a careful reader gives it.
 *
 * A case reads top to bottom: what happened, then what the judge has to say about the last turn, then why.
 */
import type { DeclaredGate } from "@reflexion/core/ReflexionConfig"
import type { SessionInfo, Todo, ToolCall, Transcript, TranscriptEvent } from "@reflexion/core/Transcript"
import type { GateResult, Severity, Status, StopKind, StopPattern } from "@reflexion/core/Verdict"

/** A session written by hand and the verdict that it deserves. */
export interface Case {
  /** The case's name, unique among all suites. */
  readonly id: string
  /** The reason for the expectation, in one or two sentences. */
  readonly why: string
  readonly profile?: "balanced" | "strict" | "advisory"
  /** The project's own gates, as its configuration declares them. */
  readonly gates?: ReadonlyArray<DeclaredGate>
  /** What the working copy says; nothing at all by default. */
  readonly repo?: Repo
  readonly session?: Partial<Pick<SessionInfo, "attended" | "mode" | "parentSessionId" | "host">>
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly expect: Expectation
}

/** The files and the branch of the working copy that a case needs. */
export interface Repo {
  readonly branch?: string
  readonly defaultBranch?: string
  /** Text files by their path from the root, such as `package.json`. */
  readonly files?: Readonly<Record<string, string>>
}

/** What a verdict has to say. Where several answers are right, a list holds them. */
export interface Expectation {
  readonly status: Status | ReadonlyArray<Status>
  /** `shouldContinue`: would the agent be pushed on now. Left out where both are defensible. */
  readonly push?: boolean
  /** `requiresHumanAction`. */
  readonly human?: boolean
  readonly severity?: Severity | ReadonlyArray<Severity>
  readonly kind?: StopKind | ReadonlyArray<StopKind>
  readonly pattern?: StopPattern
  readonly gates?: Readonly<Record<string, GateResult | ReadonlyArray<GateResult>>>
  /** Whether a claim of the final text is contradicted. */
  readonly contradicted?: boolean
  /** Texts that the feedback has to contain, whatever their case: a command, a test's name, a file. */
  readonly feedback?: ReadonlyArray<string>
  readonly confidenceAtMost?: number
}

const nothing = { id: null, at: null }

/** What the person wrote. */
export const user = (text: string): TranscriptEvent => ({ type: "user_message", ...nothing, text, synthetic: false })

/** What the person typed into the first turn while the agent was still at work. */
export const typed = (text: string): TranscriptEvent => ({
  type: "user_message",
  ...nothing,
  text,
  synthetic: false,
  turn: 0
})

/** What a harness put in the person's place. */
export const harness = (text: string): TranscriptEvent => ({ type: "user_message", ...nothing, text, synthetic: true })

/** What the agent said. */
export const agent = (
  text: string,
  options: { readonly completed?: boolean | null; readonly outputTokens?: number } = {}
): TranscriptEvent => ({
  type: "assistant_message",
  ...nothing,
  text,
  completed: options.completed === undefined ? true : options.completed,
  outputTokens: options.outputTokens ?? null,
  model: null
})

const call = (tool: string, input: unknown, rest: Partial<ToolCall>): TranscriptEvent => ({
  type: "tool_call",
  ...nothing,
  endedAt: null,
  tool,
  input,
  cwd: null,
  background: false,
  agentId: null,
  status: "completed",
  exitCode: null,
  output: null,
  ...rest
})

/** A shell command that ended with this exit code. */
export const run = (command: string, exitCode: number | null, output = ""): TranscriptEvent =>
  call("bash", { command }, { exitCode, output, status: exitCode === null || exitCode === 0 ? "completed" : "error" })

/** A shell command with everything about its call spelled out. */
export const shell = (command: string, rest: Partial<ToolCall>): TranscriptEvent => call("bash", { command }, rest)

/** Any other tool. */
export const tool = (name: string, input: unknown, rest: Partial<ToolCall> = {}): TranscriptEvent =>
  call(name, input, rest)

/** An edit of a file by the host's edit tool. */
export const edit = (path: string, oldText = "before", newText = "after"): TranscriptEvent =>
  call("edit", { file_path: path, old_string: oldText, new_string: newText }, { output: `Updated ${path}` })

/** A whole file written by the host's write tool. */
export const write = (path: string, content = "content\n"): TranscriptEvent =>
  call("write", { file_path: path, content }, { output: `Wrote ${path}` })

/** A file read. */
export const read = (path: string, output = "…"): TranscriptEvent => call("read", { file_path: path }, { output })

/** The todo list as it now stands: `[x]` done, `[~]` in progress, `[-]` cancelled, `[ ]` open. */
export const todos = (...lines: ReadonlyArray<string>): TranscriptEvent => ({
  type: "todo_update",
  at: null,
  todos: lines.map(todo)
})

const marks: Readonly<Record<string, Todo["status"]>> = {
  "[x]": "completed",
  "[~]": "in_progress",
  "[-]": "cancelled",
  "[ ]": "pending"
}

const todo = (line: string, index: number): Todo => ({
  id: String(index + 1),
  content: line.slice(4),
  status: marks[line.slice(0, 3)] ?? "pending"
})

type Notice = Extract<TranscriptEvent, { readonly type: "notice" }>

/** Something that the host reports. */
export const notice = (kind: Notice["kind"], detail: string | null = null): TranscriptEvent => ({
  type: "notice",
  at: null,
  kind,
  detail
})

/** The session switches its mode. */
export const mode = (value: SessionInfo["mode"]): TranscriptEvent => ({ type: "mode_change", at: null, mode: value })

const start = Date.parse("2026-03-02T09:00:00.000Z")

const numbered = (event: TranscriptEvent, index: number): TranscriptEvent => {
  const at = new Date(start + index * 60_000).toISOString()
  switch (event.type) {
    case "tool_call":
      return { ...event, id: event.id ?? `call-${index + 1}`, at, endedAt: event.status === "completed" ? at : null }
    case "user_message":
    case "assistant_message":
      return { ...event, id: event.id ?? `message-${index + 1}`, at }
    default:
      return { ...event, at }
  }
}

/** The case as a transcript: its events get ids by their position and times one minute apart. */
export const transcript = (self: Case): Transcript => ({
  version: 1,
  host: self.session?.host ?? "transcript",
  sessionId: self.id,
  parentSessionId: self.session?.parentSessionId ?? null,
  cwd: "/repo",
  mode: self.session?.mode ?? "build",
  attended: self.session?.attended ?? null,
  events: self.events.map(numbered)
})
