/** Records as Claude Code writes them, from few words. */

type Line = Readonly<Record<string, unknown>>

export type Lines = ReadonlyArray<Line>

const place = { isSidechain: false, userType: "external", entrypoint: "cli", version: "2.1.330", gitBranch: "main" }

/** What was typed, or put in the user's place by the host. */
export const typed = (text: string): Lines => [
  { type: "user", permissionMode: "default", message: { role: "user", content: text } }
]

const assistant = (content: Line, stop: string): Line => ({
  type: "assistant",
  message: { type: "message", role: "assistant", model: "claude", content: [content], stop_reason: stop }
})

export const answer = (text: string): Lines => [assistant({ type: "text", text }, "end_turn")]

/** A call with its result as the model reads it, and as the host keeps it. */
export const call = (
  id: string,
  name: string,
  input: unknown,
  content: string,
  { isError = false, result = content }: { readonly isError?: boolean; readonly result?: unknown } = {}
): Lines => [
  assistant({ type: "tool_use", id, name, input }, "tool_use"),
  {
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error: isError }] },
    toolUseResult: result
  }
]

export const bash = (id: string, command: string, stdout: string, isError = false): Lines =>
  call(id, "Bash", { command }, stdout, {
    isError,
    result: isError ? `Error: ${stdout}` : { stdout, stderr: "", interrupted: false, isImage: false }
  })

export const edited = (id: string, path: string): Lines =>
  call(id, "Edit", { file_path: path, old_string: "floor(x)", new_string: "round(x)" }, `Updated ${path}.`, {
    result: { filePath: path, oldString: "floor(x)", newString: "round(x)" }
  })

/** A command that the host runs in the background, as a task of that name. */
export const started = (id: string, command: string, task: string): Lines => {
  const said = `Command running in background with ID: ${task}. Output is being written to: /tmp/tasks/${task}.output`
  return call(id, "Bash", { command, run_in_background: true }, said, {
    result: { stdout: said, stderr: "", interrupted: false, isImage: false, backgroundTaskId: task }
  })
}

/** The host's word that such a task is over. */
export const ended = (task: string, status: string, summary: string): Lines =>
  typed(
    `<task-notification>\n<task-id>${task}</task-id>\n<output-file>/tmp/tasks/${task}.output</output-file>\n<status>${status}</status>\n<summary>Background command ${summary}</summary>\n</task-notification>`
  )

/** The whole record of a session. */
export const claudeRecord =
  (...parts: ReadonlyArray<Lines>) =>
  (cwd: string): string =>
    parts
      .flat()
      .map((line, at) =>
        JSON.stringify({
          ...place,
          ...line,
          parentUuid: at === 0 ? null : `line-${at - 1}`,
          uuid: `line-${at}`,
          timestamp: new Date(Date.UTC(2026, 10, 20, 10, 0, at)).toISOString(),
          cwd,
          sessionId: "8a1f7d52-5a3e-4f0e-9b0e-2f4f6f0a9c11"
        })
      )
      .join("\n")
