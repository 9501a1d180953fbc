/** Reads the outcome of a call from its tool result. */
import type { ToolStatus } from "@reflexion/core/Transcript"
import * as Json from "@reflexion/core/internal/base/json/Json"

export interface Outcome {
  readonly status: ToolStatus
  readonly exitCode: number | null
  readonly output: string | null
  /** The running background task that the call started. */
  readonly task: string | null
  /** What the user said when rejecting the call. */
  readonly said: string | null
}

const outputEach = 64 * 1024

export const clipOutput = (output: string): string => Json.clip(output, outputEach)

const clipStart = (text: string): string | null => (text === "" ? null : text.slice(0, 2000))

export const isShell = (tool: string): boolean => {
  const name = tool.toLowerCase()
  return name === "bash" || name === "powershell" || name === "shell"
}

/** `block`: the tool_result block. `result`: the line's toolUseResult, or undefined if it belongs to several blocks. */
export const outcome = (tool: string, input: unknown, block: Json.Json, result: unknown): Outcome => {
  const content = Json.contentText(block["content"])
  if (block["is_error"] === true) return failure(tool, content)
  const details = Json.object(result)
  const task = startedTask(tool, input, content, details)
  // The text names the task and its output file.
  if (task !== null) return { status: "running", exitCode: null, output: clipStart(content), task, said: null }
  const output = isShell(tool) ? shellOutput(details, content) : content
  return {
    status: details["interrupted"] === true ? "interrupted" : "completed",
    exitCode: isShell(tool) ? exitOfSuccess(details) : null,
    output: clipOutput(output),
    task: null,
    said: null
  }
}

/** If the host explains a successful command's code, the code is 1. For example, `grep` found nothing. */
const exitOfSuccess = (details: Json.Json): number | null => {
  if (details["interrupted"] === true) return null
  return Json.text(details["returnCodeInterpretation"]) === "" ? 0 : 1
}

const shellOutput = (details: Json.Json, content: string): string => {
  const stdout = Json.string(details["stdout"])
  const stderr = Json.text(details["stderr"])
  if (stdout === null) return content
  return stderr === "" ? stdout : stdout === "" ? stderr : `${stdout}\n${stderr}`
}

const backgroundPrefix = "Command running in background with ID: "

const startedTask = (tool: string, input: unknown, content: string, details: Json.Json): string | null => {
  const named = Json.string(details["backgroundTaskId"])
  if (named !== null) return named
  if (details["isAsync"] === true || details["status"] === "async_launched") {
    return Json.string(details["taskId"]) ?? Json.string(details["agentId"]) ?? ""
  }
  // Messages of a teammate use the teammate's name.
  if (details["status"] === "teammate_spawned") return Json.string(details["name"]) ?? ""
  if (tool === "Monitor") return Json.string(details["taskId"])
  if (!isShell(tool)) return null
  if (content.startsWith(backgroundPrefix)) {
    const rest = content.slice(backgroundPrefix.length, backgroundPrefix.length + 64)
    return rest.split(/[.\s]/, 1)[0] ?? ""
  }
  return Json.object(input)["run_in_background"] === true ? "" : null
}

const declined = ["The user doesn't want to proceed with this tool use", "The user doesn't want to take this action"]

const denials = [
  "Permission to use",
  "Permission for this",
  "Claude requested permissions",
  "This command requires approval",
  "Operation stopped by hook",
  "PreToolUse:",
  "User rejected tool use"
]

const denialPhrases = ["hook error:", "haven't granted it", "requires approval", "has been denied", "was blocked"]

const neverRan = ["[Request interrupted by user", "Sibling tool call errored", "Cancelled: parallel tool call"]

const failure = (tool: string, content: string): Outcome => {
  const text = content.startsWith("<tool_use_error>") ? content.slice("<tool_use_error>".length) : content
  const output = clipOutput(content)
  const settle = (status: ToolStatus, exitCode: number | null = null): Outcome => ({
    status,
    exitCode,
    output,
    task: null,
    said: status === "denied" ? said(content) : null
  })
  const exit = isShell(tool) ? exitCode(text) : null
  if (exit !== null) {
    const rest = text.slice(text.indexOf("\n") + 1, text.indexOf("\n") + 201)
    if (rest.startsWith("[Request interrupted by user")) return settle("interrupted", exit)
    return settle("error", rest.startsWith("Command timed out") ? null : exit)
  }
  if (neverRan.some((prefix) => text.startsWith(prefix))) return settle("interrupted")
  if (declined.some((prefix) => text.startsWith(prefix)) || isDenial(text)) return settle("denied")
  return settle("error")
}

/** True if the first line says that permissions or a hook refused the call. */
const isDenial = (text: string): boolean => {
  if (denials.some((prefix) => text.startsWith(prefix))) return true
  const first = text.slice(0, 400).split("\n", 1)[0] ?? ""
  return denialPhrases.some((phrase) => first.includes(phrase))
}

const exitPrefix = "Exit code "

const exitCode = (text: string): number | null => {
  if (!text.startsWith(exitPrefix)) return null
  const digits = /^-?\d{1,9}/.exec(text.slice(exitPrefix.length, exitPrefix.length + 12))
  return digits === null ? null : Number(digits[0])
}

const saidMarkers = ["the user said:\n", "the user provided the following reason for the rejection: "]
const saidTrailer = "\n\nNote: The user's next message"

const said = (content: string): string | null => {
  for (const marker of saidMarkers) {
    const at = content.indexOf(marker)
    if (at === -1) continue
    const rest = content.slice(at + marker.length)
    const trailer = rest.indexOf(saidTrailer)
    return (trailer === -1 ? rest : rest.slice(0, trailer)).trim() || null
  }
  return null
}
