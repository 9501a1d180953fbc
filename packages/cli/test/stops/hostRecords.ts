/** Sessions in the notation of the tables, as records that hosts write; what the agent says as `{…}` is a line of the host's own. */
import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import { session, type Words } from "../../../core/test/support/sessions.ts"

export type Event = TranscriptEvent

export type Host = "other" | "claude-code" | "codex" | "codex-2025"

type Line = Readonly<Record<string, unknown>>

const at = (second: number): string => new Date(Date.UTC(2026, 0, 31, 10, 0, second)).toISOString()

const commandOf = ({ input }: ToolCall): string => String((input as Line)["command"] ?? "")

/** A second apart, and with no status of the host's where a call has an exit code. */
export const eventsOf = (line: string, words: Words = {}): ReadonlyArray<Event> =>
  session(line, words).map((event, second) => ({
    ...event,
    at: at(second),
    ...(event.type === "tool_call" && event.exitCode !== null && { status: null })
  }))

const claudeResult = (call: ToolCall): Line => {
  const said = "Command running in background with ID: q7. Output is being written to: /tmp/tasks/q7.output"
  const content = call.background ? said : `${call.exitCode ? `Exit code ${call.exitCode}\n` : ""}${call.output ?? ""}`
  const result = {
    tool_use_id: call.id,
    type: "tool_result",
    content,
    is_error: call.status === "error" || Boolean(call.exitCode)
  }
  const shell = { stdout: content, stderr: "", interrupted: false, ...(call.background && { backgroundTaskId: "q7" }) }
  return {
    type: "user",
    message: { role: "user", content: [result] },
    toolUseResult: result.is_error ? `Error: ${content}` : call.tool === "Bash" ? shell : content
  }
}

const claude = (event: Event): ReadonlyArray<Line> => {
  const assistant = (block: Line, stop_reason: string): Line => ({
    type: "assistant",
    message: { type: "message", role: "assistant", model: "claude", content: [block], stop_reason }
  })
  if (event.type === "user_message") return [{ type: "user", message: { role: "user", content: event.text } }]
  if (event.type === "assistant_message") return [assistant({ type: "text", text: event.text }, "end_turn")]
  if (event.type !== "tool_call") return []
  const use = { type: "tool_use", id: event.id, name: event.tool, input: event.input }
  return [assistant(use, "tool_use"), claudeResult(event)]
}

const codexEvent = (payload: Line): Line => ({ type: "event_msg", payload })

const codex = (event: Event): ReadonlyArray<Line> =>
  event.type === "user_message" ? [codexEvent({ type: "user_message", message: event.text })] : []

const message = (role: string, type: string, text: string): Line => ({
  type: "message",
  role,
  content: [{ type, text }]
})

/** Before October 2025 the model's items stood without a line around them. */
const codex2025 = (event: Event): ReadonlyArray<Line> => {
  if (event.type === "user_message") return [message("user", "input_text", event.text)]
  if (event.type === "assistant_message") return [message("assistant", "output_text", event.text)]
  if (event.type !== "tool_call") return []
  const patch = `*** Begin Patch\n*** Update File: ${String((event.input as Line)["file_path"])}\n@@\n-a\n+b\n*** End Patch`
  const command = event.tool === "Edit" ? ["apply_patch", patch] : ["bash", "-lc", commandOf(event)]
  const output = { output: event.output, metadata: { exit_code: event.exitCode ?? 0, duration_seconds: 0.4 } }
  return [
    { type: "function_call", name: "shell", arguments: JSON.stringify({ command }), call_id: event.id },
    { type: "function_call_output", call_id: event.id, output: JSON.stringify(output) }
  ]
}

const isOwn = (event: Event): boolean => event.type === "assistant_message" && event.text.startsWith('{"')

/** The whole record of a session. */
export const recordOf = (host: Host, events: ReadonlyArray<Event>, cwd: string): string => {
  if (host === "other") return JSON.stringify({ version: 1, host, sessionId: "s1", cwd, events })
  const lines = (make: (event: Event) => ReadonlyArray<Line>, wrap = (line: Line): Line => line): ReadonlyArray<Line> =>
    events.flatMap((event) =>
      isOwn(event) && event.type === "assistant_message" ? [wrap(JSON.parse(event.text))] : make(event)
    )
  const written: ReadonlyArray<Line> =
    host === "claude-code"
      ? lines(claude).map((line, second) => ({
          ...line,
          isSidechain: false,
          entrypoint: "cli",
          version: "2.1.330",
          parentUuid: second === 0 ? null : `l${second - 1}`,
          uuid: `l${second}`,
          timestamp: at(second),
          cwd,
          sessionId: "8a1f7d52-5a3e-4f0e-9b0e-2f4f6f0a9c11"
        }))
      : host === "codex"
        ? [
            { type: "session_meta", payload: { id: "s1", cwd, originator: "codex_cli_rs", source: "cli" } },
            codexEvent({ type: "task_started" }),
            ...lines(codex, codexEvent)
          ].map((line, second) => ({ timestamp: at(second), ...line }))
        : [{ id: "s1", timestamp: at(0), instructions: null }, { record_type: "state" }, ...lines(codex2025)]
  return written.map((line) => `${JSON.stringify(line)}\n`).join("")
}
