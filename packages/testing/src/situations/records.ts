/** What happened in a session, as each host keeps it. */
import type { Done, World } from "./Situation.ts"

type Fields = Readonly<Record<string, unknown>>

const lines = (all: ReadonlyArray<Fields>): string => all.map((line) => `${JSON.stringify(line)}\n`).join("")

const ofClaudeCode = (workspace: string, { deed, exit, output }: Done, id: string): ReadonlyArray<Fields> => {
  const answer = (content: Fields, stop: string): Fields => ({
    type: "assistant",
    message: { id, type: "message", role: "assistant", model: "claude", content: [content], stop_reason: stop }
  })
  const call = (name: string, input: Fields, content: string, result: unknown): ReadonlyArray<Fields> => [
    answer({ type: "tool_use", id, name, input }, "tool_use"),
    {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error: exit !== 0 }] },
      toolUseResult: result
    }
  ]
  switch (deed._tag) {
    case "User":
      return [{ type: "user", permissionMode: "default", message: { role: "user", content: deed.text } }]
    case "Say":
      return [answer({ type: "text", text: deed.text }, "end_turn")]
    case "Told":
      return [
        {
          type: "attachment",
          attachment: { type: "hook_additional_context", hookEvent: "Stop", content: [deed.text] }
        }
      ]
    case "Shell": {
      const { command } = deed
      return exit === 0
        ? call("Bash", { command }, output, { stdout: output, stderr: "", interrupted: false, isImage: false })
        : call("Bash", { command }, `Exit code ${exit}\n${output}`, `Error: Exit code ${exit}\n${output}`)
    }
    case "Edit": {
      const { after, before, file } = deed
      const filePath = `${workspace}/${file}`
      return before === ""
        ? call("Write", { file_path: filePath, content: after }, output, { type: "create", filePath, content: after })
        : call("Edit", { file_path: filePath, old_string: before, new_string: after }, output, {
            filePath,
            oldString: before,
            newString: after
          })
    }
  }
}

export const claudeCode = ({ done, sandbox: { workspace }, sessionId }: World): string => {
  const place = { isSidechain: false, userType: "external", entrypoint: "cli", version: "2.1.330", gitBranch: "main" }
  const all = done.flatMap((one, at) =>
    ofClaudeCode(workspace, one, `call_${at}`).map((line) => ({ ...line, timestamp: one.at.toISOString() }))
  )
  return lines(
    all.map((line, at) => ({
      ...place,
      ...line,
      parentUuid: at === 0 ? null : `line-${at - 1}`,
      uuid: `line-${at}`,
      cwd: workspace,
      sessionId
    }))
  )
}

const prefixed = (mark: string, text: string): ReadonlyArray<string> =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${mark}${line}`)

const patchOf = (workspace: string, file: string, before: string, after: string): string =>
  [
    "*** Begin Patch",
    ...(before === "" ? [`*** Add File: ${file}`] : [`*** Update File: ${workspace}/${file}`, "@@"]),
    ...(before === "" ? [] : prefixed("-", before)),
    ...prefixed("+", after),
    "*** End Patch"
  ].join("\n")

const ofCodex = (workspace: string, { at, deed, exit, output }: Done, id: string): ReadonlyArray<Fields> => {
  const item = (payload: Fields): Fields => ({ type: "response_item", payload })
  const event = (payload: Fields): Fields => ({ type: "event_msg", payload })
  const done = (fields: Fields): Fields =>
    event({ type: "item_completed", turn_id: turn, item: { id, ...fields }, started_at_ms: at.getTime() })
  const inUsersPlace = (text: string, kind: string): Fields =>
    item({
      type: "message",
      id: `msg_${id}`,
      role: "user",
      content: [{ type: "input_text", text }],
      internal_chat_message_metadata_passthrough: { turn_id: turn, content_item_kinds: [kind] }
    })
  switch (deed._tag) {
    case "User":
      return [
        event({ type: "task_started", turn_id: turn }),
        {
          type: "turn_context",
          payload: { turn_id: turn, cwd: workspace, model: "gpt-5.5", sandbox_policy: { type: "danger-full-access" } }
        },
        inUsersPlace(deed.text, "user.text"),
        done({ type: "UserMessage", content: [{ type: "text", text: deed.text, text_elements: [] }] })
      ]
    case "Say": {
      const content = [{ type: "output_text", text: deed.text }]
      return [
        done({ type: "AgentMessage", content: [{ type: "Text", text: deed.text }], phase: "final_answer" }),
        item({ type: "message", id, role: "assistant", content, phase: "final_answer" })
      ]
    }
    case "Told": {
      const escaped = deed.text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
      const prompt = `<hook_prompt hook_run_id="stop:0:/home/dev/.codex/hooks.json">${escaped}</hook_prompt>`
      return [inUsersPlace(prompt, "unknown")]
    }
    case "Shell": {
      const input = JSON.stringify({ cmd: deed.command })
      const text = `Chunk ID: 1a2b3c\nWall time: 0.1 seconds\nProcess exited with code ${exit}\nOutput:\n${output}`
      const command = ["/bin/bash", "-lc", deed.command]
      return [
        item({ type: "function_call", name: "exec_command", arguments: input, call_id: id }),
        done({
          type: "CommandExecution",
          command,
          cwd: `file://${workspace}`,
          status: exit === 0 ? "completed" : "failed",
          aggregated_output: output,
          exit_code: exit
        }),
        item({ type: "function_call_output", call_id: id, output: text })
      ]
    }
    case "Edit": {
      const { after, before, file } = deed
      const input = patchOf(workspace, file, before, after)
      const said = `Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM ${file}\n`
      const change = before === "" ? { type: "add", content: after } : { type: "update", unified_diff: "" }
      return [
        item({ type: "custom_tool_call", status: "completed", call_id: id, name: "apply_patch", input }),
        done({ type: "FileChange", changes: { [`${workspace}/${file}`]: change }, status: "completed" }),
        item({ type: "custom_tool_call_output", call_id: id, output: said })
      ]
    }
  }
}

const turn = "01a200fd-2d8d-77d1-85a3-30a710c66105"

/** A command that goes on when the turn ends, which is all that this host has for work in the background. */
const goesOn: ReadonlyArray<Fields> = [
  {
    type: "response_item",
    payload: { type: "function_call", name: "exec_command", arguments: '{"cmd":"make all"}', call_id: "call_running" }
  },
  {
    type: "response_item",
    payload: {
      type: "function_call_output",
      call_id: "call_running",
      output: "Chunk ID: 1a2b3c\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n"
    }
  }
]

export const codex = (
  { done, sandbox: { workspace }, sessionId }: World,
  { background = false }: { readonly background?: boolean }
): string => {
  const meta = {
    type: "session_meta",
    payload: { id: sessionId, cwd: workspace, originator: "codex_cli", cli_version: "0.169.0", source: "cli" },
    at: done[0]?.at ?? new Date(0)
  }
  const all = done.flatMap((one, at) => ofCodex(workspace, one, `call_${at}`).map((line) => ({ ...line, at: one.at })))
  // It was begun before the agent's last words.
  const running = background ? goesOn.map((line) => ({ ...line, at: done.at(-1)?.at ?? meta.at })) : []
  const entries = [meta, ...all.slice(0, -2), ...running, ...all.slice(-2)]
  return lines(entries.map(({ at, ...line }, ordinal) => ({ timestamp: at.toISOString(), ordinal, ...line })))
}

const partOf = (workspace: string, { deed, exit, output }: Done): Fields => {
  const tool = (name: string, input: Fields, metadata: Fields): Fields => ({
    type: "tool",
    tool: name,
    state: { status: "completed", input, output, metadata, title: name, time: { start: 0, end: 0 } }
  })
  switch (deed._tag) {
    case "User":
    case "Say":
      return { type: "text", text: deed.text }
    case "Told":
      return { type: "text", text: deed.text }
    case "Shell":
      return tool("bash", { command: deed.command }, { output, exit, truncated: false })
    case "Edit": {
      const filePath = `${workspace}/${deed.file}`
      return deed.before === ""
        ? tool("write", { filePath, content: deed.after }, { filepath: filePath, exists: false })
        : tool("edit", { filePath, oldString: deed.before, newString: deed.after }, { diagnostics: {} })
    }
  }
}

/** The messages of the session; what reflexion sent has the mark that it was sent with. */
export const openCode = (
  { done, sandbox: { workspace }, sessionId }: World,
  { marks, plan }: { readonly marks: ReadonlyArray<unknown>; readonly plan: boolean }
): ReadonlyArray<Fields> => {
  let told = 0
  return done.map((one, at) => {
    const [id, created] = [`msg_${String(at).padStart(6, "0")}`, one.at.getTime()]
    const isUsers = one.deed._tag === "User" || one.deed._tag === "Told"
    const base = { id, sessionID: sessionId, agent: plan ? "plan" : "build" }
    const answer = {
      role: "assistant",
      time: { created, completed: created },
      modelID: "model",
      providerID: "scripted",
      path: { cwd: workspace, root: workspace },
      finish: one.deed._tag === "Say" ? "stop" : "tool-calls"
    }
    const model = { providerID: "scripted", modelID: "model" }
    const mark = one.deed._tag === "Told" ? { metadata: marks[told++] } : {}
    const part = { id: `prt_${at}`, sessionID: sessionId, messageID: id, callID: `call_${at}` }
    return {
      info: { ...base, ...(isUsers ? { role: "user", time: { created }, model } : answer) },
      parts: [{ ...part, ...partOf(workspace, one), ...mark }]
    }
  })
}
