/** What the agent wrote into commits and pull requests. */
import type { Writing } from "./model.ts"
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import * as Json from "../../ground/json/Json.ts"
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

const maxText = 2000
const maxKept = 4

/** Behind these a command hands over a text of its own. */
const commits = /\bgit\b[^\n;&|]{0,80}\bcommit\b/
const opens = /\b(?:gh pr (?:create|edit)|glab mr (?:create|update)|hub pull-request)\b/

const heredoc = /<<-?\s?(["']?)(\w{1,30})\1[^\n]{0,200}\n/g

const heredocs = (command: string): ReadonlyArray<string> =>
  [...command.matchAll(heredoc)].slice(0, 4).flatMap((match) => {
    const from = match.index + match[0].length
    const end = command.indexOf(`\n${match[2] ?? ""}`, from - 1)
    return end < 0 ? [] : [command.slice(from, end)]
  })

const option = /(?:^|\s)(?:-[a-z]{0,3}m|--message|--body|-b)(?:\s|=)(?:"((?:[^"\\]|\\.){1,2000})"|'([^']{1,2000})')/g

const options = (command: string): ReadonlyArray<string> =>
  [...command.matchAll(option)].slice(0, 6).flatMap((match) => {
    const text = match[1] ?? match[2] ?? ""
    return text.startsWith("$(") ? [] : [text.replaceAll("\\n", "\n").replaceAll('\\"', '"')]
  })

const ofShell = (call: ToolCall): Omit<Writing, "order" | "callId"> | null => {
  const command = shellCommand(call)?.slice(0, 16_000) ?? ""
  const where = opens.test(command) ? "pr" : commits.test(command) ? "commit" : null
  if (where === null) return null
  const text = [...heredocs(command), ...options(command)].join("\n\n").trim()
  return text === "" ? null : { where, text: redactedHead(text, maxText) }
}

const ofTool = (call: ToolCall): Omit<Writing, "order" | "callId"> | null => {
  const { body, description } = Json.object(call.input)
  const text = typeof body === "string" ? body : typeof description === "string" ? description : ""
  return text === "" ? null : { where: "pr", text: redactedHead(text, maxText) }
}

/** The last texts, with that of a call which went through. */
export const afterWriting = (
  writings: ReadonlyArray<Writing>,
  call: ToolCall,
  order: number
): ReadonlyArray<Writing> => {
  if (call.status === "error") return writings
  const kind = toolKind(call.tool)
  const made =
    kind === "shell"
      ? ofShell(call)
      : kind === "pull_request" || /pull_?request|merge_?request/i.test(call.tool.slice(0, 200))
        ? ofTool(call)
        : null
  return made === null ? writings : [...writings, { ...made, order, callId: call.id }].slice(-maxKept)
}
