/** What of a call a loop is known by: prints of what it asks and of what came of it, and what kind of call it is. */
import * as Json from "../../ground/json/Json.ts"
import { redact } from "../../ground/redaction/Redaction.ts"
import type { ToolCall } from "../../session/transcript/Transcript.ts"
import { commandNature, type Nature, plainCommand } from "./command.ts"
import type { CallKind, Entry } from "./model.ts"
import { begun, finished, mix, mixInput, mixNamed, mixText, resultPrint, type Sum } from "./textPrints.ts"
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import { oneLine } from "../../ground/text/Text.ts"
import { isView, shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"

/** What was asked, without what came of it. */
export type Asked = Pick<Entry, "key" | "place">

const maxDepth = 12
const maxItems = 2000

/** Names under which hosts and agents say how to call or why, not what. */
const aside = new Set([
  "explanation",
  "justification",
  "reason",
  "thought",
  "toolCallId",
  "tool_call_id",
  "requestId",
  "request_id",
  "timeout",
  "timeout_ms",
  "yield_time_ms",
  "max_output_tokens"
])

interface Walk {
  left: number
  /** Whether a list is a set of words, as in what is searched. */
  readonly unordered: boolean
}

const mixValue = (sum: Sum, value: unknown, walk: Walk, depth: number): void => {
  if (walk.left-- <= 0 || depth > maxDepth) return
  if (typeof value === "string") mixNamed(sum, value)
  else if (Array.isArray(value)) mixList(sum, value, walk, depth)
  else if (Json.isObject(value)) mixObject(sum, value, walk, depth)
  else mixText(sum, String(value))
}

const mixList = (sum: Sum, value: ReadonlyArray<unknown>, walk: Walk, depth: number): void => {
  const words = walk.unordered && value.length < 100 && value.every((item) => typeof item === "string")
  mix(sum, 91)
  for (const item of words ? value.toSorted() : value.slice(0, maxItems)) {
    mixValue(sum, item, walk, depth + 1)
    mix(sum, 44)
  }
}

const mixObject = (sum: Sum, value: Json.Json, walk: Walk, depth: number): void => {
  mix(sum, 123)
  for (const name of Object.keys(value).slice(0, maxItems).toSorted()) {
    const item = value[name]
    if (item === null || item === undefined || (depth === 0 && aside.has(name))) continue
    mixText(sum, name)
    mix(sum, 58)
    mixValue(sum, item, walk, depth + 1)
  }
}

const printOf = (text: string): number => {
  const sum = begun()
  mixInput(sum, text)
  return finished(sum)
}

const askedOfCommand = (call: ToolCall, command: string): Asked => {
  const { directory, text } = plainCommand(command)
  const input = Json.object(call.input)
  const place = directory ?? Json.string(input["workdir"]) ?? Json.string(input["cwd"])
  const sum = begun()
  mixText(sum, "shell\n")
  mixInput(sum, text)
  return { key: finished(sum), place: place === null ? 0 : printOf(place) }
}

/** The print of what a call asks: the same for two calls that ask the same in other words. */
export const askedOf = (call: ToolCall): Asked => {
  const kind = toolKind(call.tool)
  const command = kind === "shell" ? shellCommand(call) : null
  if (command !== null) return askedOfCommand(call, command)
  const sum = begun()
  mixText(sum, call.tool.slice(0, 200))
  mix(sum, 10)
  const unordered = kind === "search" || /search|find|grep|query/i.test(call.tool.slice(0, 200))
  mixValue(sum, call.input ?? null, { left: maxItems, unordered }, 0)
  return { key: finished(sum), place: 0 }
}

const pathOf = (call: ToolCall): string | null => {
  const input = Json.object(call.input)
  return Json.string(input["file_path"]) ?? Json.string(input["filePath"]) ?? Json.string(input["path"])
}

/** Commands that read some lines of a file. */
const ofPart = /(?:^|\|\s{0,4})(?:sed -n|head|tail)\s/

/**
 * The print of what a call asks without its made-up names and numbers, null where they may be all that it is about. Of a
 * `look` that is which part of a file is read; a call that fails has them in temporary names, ids and moments.
 */
export const nearOf = (call: ToolCall, { kind, local }: Nature): number | null => {
  const tool = toolKind(call.tool)
  const sum = begun()
  const command = tool === "shell" ? shellCommand(call) : null
  if (command !== null) {
    const { directory, text } = plainCommand(command)
    mixText(sum, `shell\n${directory ?? ""}\n`)
    mixInput(sum, text, kind === "look" && !local && ofPart.test(text.slice(0, 600)) ? "part" : "near")
    return finished(sum)
  }
  const path = tool === "read" || (tool === "edit" && isView(call)) ? pathOf(call) : null
  if (path === null) return null
  mixText(sum, `${call.tool.slice(0, 200)}\n`)
  mixInput(sum, path)
  return finished(sum)
}

/** Whether two calls ask the same. A directory that only one of them names may be where the other was made. */
export const asksSame = (left: Asked, right: Asked): boolean =>
  left.key === right.key && (left.place === right.place || left.place === 0 || right.place === 0)

export const hasFailed = (call: ToolCall): boolean =>
  call.status === "error" || call.status === "denied" || (call.exitCode !== null && call.exitCode !== 0)

/** The print of what came of a call, null where the host does not say. */
export const resultOf = (call: ToolCall): number | null => {
  const failed = hasFailed(call)
  if (call.output === null && call.exitCode === null && !failed) return null
  return resultPrint(call.output ?? "", failed)
}

const watchingName =
  /(?:^|[_.-])(?:poll|wait|status|output|monitor|watch|sleep|progress|stdin|logs?|job)(?:[_.-]|$)|(?:Output|Status|Wait|Poll|Monitor|Logs)$/
const watchingVerb = /^(?:poll|wait|status|log|logs|tail|list|progress|output)$/i
/** What is asked for here moves by itself: a run of a pipeline, a build, a deployment. */
const askingName = /(?:^|[_.-])(?:get|list|fetch|show|view|describe|read|check|inspect)(?:[_.-]|(?=[A-Z]))/
const movingName =
  /(?:[_.-]|[a-z](?=[A-Z]))(?:workflow|run|build|deploy|deployment|pipeline|job|check|task|release|rollout|execution|invocation)s?(?:[_.-](?:by[_.-])?id|ById)?$/i

const asksMoving = (name: string): boolean => askingName.test(name) && movingName.test(name)

const lookingName =
  /(?:^|[_.-])(?:get|list|read|fetch|view|search|find|query|show|describe|inspect|lookup|browse|open|extract|snapshot|screenshot)(?:[_.-]|$)|^(?:get|list|read|fetch|view|search|find|query|show)[A-Z]/
const runningName =
  /(?:execute|exec|run|eval)[_.-]?(?:code|python|command|script|tests?|shell|cell|bash|js|javascript)|(?:^|[_.-])(?:python|repl|ipython|jupyter|interpreter)(?:[_.-]|$)/i

const ofOther = (call: ToolCall): CallKind => {
  const name = call.tool.slice(0, 200)
  const verb = Json.string(Json.object(call.input)["action"])
  if (/(?:^|[_.-])(?:sleep|wait)(?:[_.-]|$)|Wait$/.test(name)) return "wait"
  if (watchingName.test(name) || (verb !== null && watchingVerb.test(verb.slice(0, 20)))) return "watch"
  if (asksMoving(name)) return "watch"
  if (lookingName.test(name)) return "look"
  return runningName.test(name) ? "run" : "act"
}

const kinds: Readonly<Record<ReturnType<typeof toolKind>, CallKind | null>> = {
  shell: null,
  edit: "change",
  read: "look",
  search: "look",
  fetch: "look",
  agent: "run",
  todo: "look",
  question: "look",
  plan: "look",
  pull_request: "change",
  other: null
}

const natureOfTool = (call: ToolCall): Nature => {
  const tool = toolKind(call.tool)
  const known = tool === "edit" && isView(call) ? "look" : kinds[tool]
  return {
    kind: known ?? ofOther(call),
    check: false,
    local: known !== null && tool !== "fetch",
    ends: known === null && asksMoving(call.tool.slice(0, 200)) ? "state" : null,
    edits: tool === "edit" && known !== "look"
  }
}

/** What kind of call it is, by itself. */
export const natureOf = (call: ToolCall): Nature => {
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  return command === null ? natureOfTool(call) : commandNature(command)
}

export const kindOf = (call: ToolCall): CallKind => natureOf(call).kind

const told = ["file_path", "filePath", "path", "pattern", "query", "url", "description", "prompt"]

const inputText = (call: ToolCall): string => {
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  if (command !== null) return command.slice(0, 600)
  if (typeof call.input === "string") return call.input.slice(0, 600)
  const input = Json.object(call.input)
  const names = Object.keys(input).slice(0, 20)
  const first = told.filter((name) => typeof input[name] === "string")
  const parts = [...new Set([...first, ...names])].map((name) => `${name}: ${shown(input[name])}`)
  return parts.length === 1 && first.length === 1 ? shown(input[first[0] ?? ""]) : parts.join(", ").slice(0, 600)
}

const shown = (value: unknown): string =>
  typeof value === "string" ? value.slice(0, 300) : typeof value === "object" && value !== null ? "…" : String(value)

/** The call in one line of at most 120 characters, without secrets. */
export const summaryOf = (call: ToolCall): string => oneLine(redactedHead(inputText(call), 400), 120)

const names = new Map<string, string>()

/** The tool's name in a line; there are few of them. */
export const nameOf = ({ tool }: ToolCall): string => {
  const known = names.get(tool)
  if (known !== undefined) return known
  const name = oneLine(redact(tool.slice(0, 200)), 60)
  if (names.size < 1000) names.set(tool, name)
  return name
}
