/** Reads a tool call from the record, which has the call and its result in one place. */
import type { ToolCall, ToolStatus } from "@reflexion/core/Transcript"
import { toolCall } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as Json from "@reflexion/core/internal/base/json/Json"

const outputEach = 64 * 1024
const shell = "run_shell_command"

type Outcome = Pick<ToolCall, "background" | "status" | "exitCode" | "output">

/** These lines follow a command's output. A command can print them too, so only lines at the very end count. */
const trailer =
  /(?<error>\nError: [^\n]{0,2000})?(?:\nExit Code: (?<code>\d{1,9}))?(?<signal>\nSignal: [^\n]{0,40})?(?:\nBackground PIDs: [^\n]{0,400})?\nProcess Group PGID: \d+\s*$/

const open = "<untrusted_context>\n"
const close = "\n</untrusted_context>"
const longestTrailer = 4000

/** A hook's text may follow after the tags. */
const inner = (text: string): string => {
  const [from, to] = [text.indexOf(open), text.lastIndexOf(close)]
  return from === -1 || to <= from ? text : text.slice(from + open.length, to)
}

const outcome = (status: ToolStatus, exitCode: number | null, output: string): Outcome => ({
  background: false,
  status,
  exitCode,
  output: Json.clip(output, outputEach)
})

/** The host records a failed command as a success. Only the lines after the output show the exit code. */
const ofShell = (text: string): Outcome => {
  if (text.startsWith("Command moved to background")) return { ...outcome("running", null, text), background: true }
  const start = Math.max(0, text.length - longestTrailer)
  const found = trailer.exec(text.slice(start))
  if (found === null) return outcome(text.startsWith("Command was ") ? "interrupted" : "completed", null, text)
  const output = text.slice(0, start + found.index).replace(/^Output: (?:\(empty\)$)?/, "")
  const { code, error, signal } = found.groups ?? {}
  if (error !== undefined || signal !== undefined) return outcome("error", null, output)
  const exitCode = Number(code ?? 0)
  return outcome(exitCode === 0 ? "completed" : "error", exitCode, output)
}

const outcomeOf = (call: Json.Json): Outcome => {
  const [first] = Json.list(call["result"])
  const response = Json.object(Json.object(Json.object(first)["functionResponse"])["response"])
  const failure = Json.string(response["error"])
  if (call["status"] === "cancelled") return outcome("interrupted", null, failure ?? "")
  if (call["status"] === "error" || failure !== null) {
    const isDenied = failure?.startsWith("Tool execution blocked: ") === true
    return outcome(isDenied ? "denied" : "error", null, failure ?? "")
  }
  const text = inner(Json.text(response["output"]))
  return call["name"] === shell ? ofShell(text) : outcome("completed", null, text)
}

const shortened = (args: Json.Json): Json.Json =>
  Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, typeof value === "string" ? Json.clip(value, outputEach) : value])
  )

/** Null if the value is not a call. `at` is the time of the answer that has it. */
export const read = (value: unknown, at: string | null, cwd: string | null): ToolCall | null => {
  const call = Json.object(value)
  const [id, tool] = [Json.string(call["id"]), Json.string(call["name"])]
  if (id === null || tool === null) return null
  const input = shortened(Json.object(call["args"]))
  const settled = outcomeOf(call)
  const ended = settled.background ? null : Json.time(call["timestamp"])
  return toolCall({ agentId: null, at, cwd: Json.string(input["dir_path"]) ?? cwd, id, input, tool }, ended, settled)
}
