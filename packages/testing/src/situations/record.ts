/** Writes a session in Claude Code's format. */
import type { Done, World } from "./Situation.ts"

type Fields = Readonly<Record<string, unknown>>

const linesOf = (workspace: string, { deed, exit, output }: Done, id: string): ReadonlyArray<Fields> => {
  const answer = (content: Fields, stop: string): Fields => ({
    type: "assistant",
    message: { id, type: "message", role: "assistant", model: "claude", content: [content], stop_reason: stop }
  })
  const call = (name: string, input: Fields, content: string, toolUseResult: unknown): ReadonlyArray<Fields> => {
    const result = { type: "tool_result", tool_use_id: id, content, is_error: exit !== 0 }
    return [
      answer({ type: "tool_use", id, name, input }, "tool_use"),
      { type: "user", message: { role: "user", content: [result] }, toolUseResult }
    ]
  }
  switch (deed._tag) {
    case "User":
      return [{ type: "user", permissionMode: "default", message: { role: "user", content: deed.text } }]
    case "Say":
      return [answer({ type: "text", text: deed.text }, "end_turn")]
    case "Told": {
      const attachment = { type: "hook_additional_context", hookEvent: "Stop", content: [deed.text] }
      return [{ type: "attachment", attachment }]
    }
    case "Shell": {
      const { command } = deed
      return exit === 0
        ? call("Bash", { command }, output, { stdout: output, stderr: "", interrupted: false, isImage: false })
        : call("Bash", { command }, `Exit code ${exit}\n${output}`, `Error: Exit code ${exit}\n${output}`)
    }
    case "Edit": {
      const { after, before, file } = deed
      const filePath = `${workspace}/${file}`
      const [oldString, newString] = [before, after]
      return before === ""
        ? call("Write", { file_path: filePath, content: after }, output, { type: "create", filePath, content: after })
        : call("Edit", { file_path: filePath, old_string: before, new_string: after }, output, {
            filePath,
            oldString,
            newString
          })
    }
  }
}

export const recordOf = ({ done, sandbox: { workspace }, sessionId }: World): string => {
  const place = { isSidechain: false, userType: "external", entrypoint: "cli", version: "2.1.330", gitBranch: "main" }
  return done
    .flatMap((one, at) =>
      linesOf(workspace, one, `call_${at}`).map((line) => ({ ...line, timestamp: one.at.toISOString() }))
    )
    .map((line, at) => ({ ...place, ...line, parentUuid: at === 0 ? null : `line-${at - 1}`, uuid: `line-${at}` }))
    .map((line) => `${JSON.stringify({ ...line, cwd: workspace, sessionId })}\n`)
    .join("")
}
