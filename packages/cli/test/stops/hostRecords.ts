/**
 * Turns sessions in the notation of the tables into hosts' records. An agent's text `{…}` becomes a line of the record
 * as it is.
 */
import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import { session, type Words } from "../../../core/test/support/sessions.ts"

export type Event = TranscriptEvent

export type Host = "other" | "claude-code" | "codex"

type Line = Readonly<Record<string, unknown>>

const at = (second: number): string => new Date(Date.UTC(2026, 0, 31, 10, 0, second)).toISOString()

/** The events, a second apart. A call with an exit code has no status of the host's. */
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

/** The whole record of a session. */
export const recordOf = (host: Host, events: ReadonlyArray<Event>, cwd: string): string => {
  if (host === "other") return JSON.stringify({ version: 1, host, sessionId: "s1", cwd, events })
  const isCodex = host === "codex"
  const lines = events.flatMap((event) => {
    if (event.type !== "assistant_message" || !event.text.startsWith('{"'))
      return isCodex ? codex(event) : claude(event)
    const own: Line = JSON.parse(event.text)
    return [isCodex ? codexEvent(own) : own]
  })
  const head = { type: "session_meta", payload: { id: "s1", cwd, originator: "codex_cli_rs", source: "cli" } }
  const common = { isSidechain: false, entrypoint: "cli", version: "2.1.330", cwd, sessionId: "s1" }
  const written: ReadonlyArray<Line> = isCodex
    ? [head, codexEvent({ type: "task_started" }), ...lines].map((line, second) => ({ timestamp: at(second), ...line }))
    : lines.map((line, second) => ({
        ...line,
        ...common,
        parentUuid: second === 0 ? null : `l${second - 1}`,
        uuid: `l${second}`,
        timestamp: at(second)
      }))
  return written.map((line) => `${JSON.stringify(line)}\n`).join("")
}
