/** Reads the outcome of a call from its output. */
import type { ToolCall } from "@reflexion/core/Transcript"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"

export type Outcome = Pick<ToolCall, "status" | "exitCode" | "output"> & {
  /** The process, script or agent that continues after the call. */
  readonly running: string | null
}

const outputEach = 64 * 1024

export const clipOutput = (output: string): string => Json.clip(output, outputEach)

const settled = (status: ToolCall["status"], exitCode: number | null, output: string): Outcome => ({
  status,
  exitCode,
  output: clipOutput(output),
  running: null
})

/** Code -1 means that the host ended the process. */
const byExit = (exitCode: number, output: string): Outcome =>
  settled(exitCode === 0 ? "completed" : exitCode === -1 ? "interrupted" : "error", exitCode, output)

export const ofOutput = (output: unknown): Outcome => {
  const text = Json.contentText(output)
  return ofHeader(text) ?? ofMetadata(text) ?? ofRefusal(text) ?? settled(flagged(output), null, text)
}

const flagged = (output: unknown): "completed" | "error" =>
  Json.object(output)["success"] === false ? "error" : "completed"

const maxHeader = 70_000

const exited = /^Process exited with code (-?\d{1,9})$/m
const goesOn = /^Process running with session ID (\d{1,18})$/m
const exitCode = /^Exit code: (-?\d{1,9})$/m
const script = /^Script (completed|failed|terminated|running with cell ID ([\w-]{1,40}))/

/** The lines above `Output:` say how the process ended. Some tools repeat these lines, or print the command. */
const ofHeader = (whole: string, nested = false): Outcome | null => {
  const text = withoutCommand(whole)
  const end = text.slice(0, maxHeader).indexOf("\nOutput:")
  if (end === -1) return null
  const head = text.slice(0, end)
  const body = text.slice(end + "\nOutput:".length).replace(/^\r?\n/, "")
  const ran = script.exec(head)
  if (ran !== null) return ofScript(ran[1] ?? "", ran[2] ?? null, body)
  if (!/^Wall time:/m.test(head)) return null
  const process = goesOn.exec(head)?.[1]
  if (process !== undefined) return { ...settled("running", null, body), running: `process ${process}` }
  const code = exited.exec(head)?.[1] ?? exitCode.exec(head)?.[1]
  if (code !== undefined) return byExit(Number(code), body)
  const inner = nested || !body.startsWith("Exit code: ") ? null : ofHeader(body, true)
  return inner ?? settled("completed", null, body)
}

const withoutCommand = (text: string): string => {
  if (!text.startsWith("Command: ")) return text
  const facts = text.slice(0, maxHeader).search(/^Chunk ID: \w{1,20}\nWall time: /m)
  return facts === -1 ? text : text.slice(facts)
}

const ofScript = (how: string, cell: string | null, body: string): Outcome => {
  if (cell !== null) return { ...settled("running", null, body), running: `cell ${cell}` }
  const status = how === "completed" ? "completed" : how === "failed" ? "error" : "interrupted"
  return settled(status, null, body.replace(/^\n/, ""))
}

/** Old versions wrapped the output in JSON with its exit code. */
const ofMetadata = (text: string): Outcome | null => {
  if (!text.startsWith('{"output":')) return null
  const value = Json.object(JsonLines.first(text))
  const code = Json.exitCode(Json.object(value["metadata"])["exit_code"])
  const output = Json.string(value["output"])
  return code === null || output === null ? null : byExit(code, output)
}

const failures = [
  "exec_command failed",
  "write_stdin failed",
  "apply_patch verification failed",
  "failed to parse function arguments",
  "collab spawn failed",
  "execution error",
  "unsupported call",
  "resources/list failed",
  "tool call error",
  "Full-history forked agents"
]

const refusals = ["Rejected(", "Sandbox(Denied", "rejected by user", "blocked by PreToolUse hook"]
const refused =
  /^(?:exec command|command|patch|tool call|this action|rejected|blocked)\b[^\n]{0,120}(?:rejected|blocked|by user)/i

const aborted = /^(?:Wall time: [\d.]{1,12} seconds\n)?aborted\b/

/** The call did not run: it was refused, interrupted, or not understood by the host. */
const ofRefusal = (text: string): Outcome | null => {
  const head = text.slice(0, 4000)
  if (aborted.test(head)) return settled("interrupted", null, text)
  const failed = failures.some((prefix) => head.startsWith(prefix))
  if (refused.test(head) || (failed && refusals.some((phrase) => head.includes(phrase)))) {
    return settled("denied", null, text)
  }
  return failed ? settled("error", null, text) : null
}

export const ofItem = (item: Json.Json): Outcome => {
  const output = Json.text(item["aggregated_output"] ?? item["formatted_output"])
  const code = Json.exitCode(item["exit_code"])
  switch (item["status"]) {
    case "declined":
      return settled("denied", code, output)
    case "failed":
      return settled(item["exit_code"] === -1 ? "interrupted" : "error", code, output)
    case "in_progress":
      return settled("running", null, output)
    default:
      return code === null ? settled("completed", null, output) : byExit(code, output)
  }
}
