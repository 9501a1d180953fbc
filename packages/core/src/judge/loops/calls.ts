/** The parts of a call that identify a loop: fingerprints of its input and of its result, and its kind. */
import * as KeyHash from "../../base/system/KeyHash.ts"
import * as Json from "../../base/json/Json.ts"
import { redactedHead } from "../../base/redaction/RedactedHead.ts"
import { clean } from "../../base/text/PlainText.ts"
import { oneLine } from "../../base/text/Text.ts"
import { saysUnderWay } from "../../session/output/ProgressWords.ts"
import * as Calls from "../../session/evidence/Calls.ts"
import * as RepoSignals from "../../session/project/RepoSignals.ts"
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"
import type { ToolCall } from "../../session/transcript/Transcript.ts"

/** Parts of a result that differ each time but mean nothing new, for example times, hashes and line numbers. */
const volatile: ReadonlyArray<RegExp> = [
  /\b\d{4}-\d\d-\d\d[T ][\d:.,]{1,20}Z?/g,
  /\b\d{1,2}:\d\d(?::\d\d)?(?:\.\d{1,9})?\b/g,
  /\b\d{1,9}(?:\.\d{1,9})?\s?(?:ms|s|secs?|seconds?|m|min|minutes?)\b/gi,
  /\b0x[0-9a-f]{1,16}|\b(?=[a-f]{0,64}\d)[0-9a-f-]{7,64}\b/gi,
  /\/tmp\/[^\s"']{1,200}/g,
  /\b(?:pid|sess(?:ion)?|id)\b["']?[\s=:#-]{0,3}[\w-]{0,20}\d{1,9}|(?<=", )line \d{1,7}/gi,
  /(?<=\.\w{1,5}):\d{1,7}(?::\d{1,5})?|(?<=localhost|127\.0\.0\.1):\d{2,5}/g,
  /"(?:duration\w{0,20}|elapsed\w{0,20}|execution_count)":\s?[\d.]{1,20}/g
]

/** Parts of an input that are generated for each call: ids, times, epoch seconds, temporary names. */
const madeUp: ReadonlyArray<RegExp> = [
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi,
  /\d{4}-\d\d-\d\d[T ][\d:.,]{1,20}Z?/g,
  /\b\d{10}(?:\d{3})?\b/g,
  /\/tmp\/tmp[.\w-]{4,40}/g
]

const without = (patterns: ReadonlyArray<RegExp>, text: string): string =>
  patterns.reduce((rest, pattern) => rest.replace(pattern, "#"), text).replace(/\s{1,200}/g, " ")

const ends = (text: string): string => (text.length <= 8000 ? text : `${text.slice(0, 4000)}…${text.slice(-4000)}`)

/** Parts of a command that only shorten its output or change how it prints. */
const noise: ReadonlyArray<RegExp> = [
  /^(?:(?:CI|NO_COLOR|FORCE_COLOR|TERM|PAGER|GIT_PAGER|GH_PAGER|LANG|LC_ALL)=\S{0,40}\s{1,4})+/,
  /\s{0,4}(?:2>&1|\|\s{0,4}(?:tail|head)(?:\s{1,4}-[nc]?\s{0,2}\d{1,6})?|;\s{0,4}echo\s{1,4}"?(?:exit[:= ]{0,3})?\$\?"?)\s{0,4}$/
]

const plain = (command: string): string => {
  let text = command.trim()
  for (let round = 0; round < 4; round++) text = noise.reduce((rest, pattern) => rest.replace(pattern, ""), text)
  return text.replaceAll("'", '"')
}

/** Input fields that do not change what the call does, such as its reason or its timeout. */
const aside: ReadonlySet<string> = new Set(
  "description explanation justification reason thought timeout timeout_ms tool_call_id toolCallId request_id requestId".split(
    " "
  )
)

const canonical = (value: unknown, depth: number): unknown => {
  if (typeof value === "string") return without(madeUp, ends(value))
  if (depth > 6 || value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return value.slice(0, 200).map((one) => canonical(one, depth + 1))
  return Object.entries(value)
    .filter(([name, one]) => !(depth === 0 && aside.has(name)) && one !== null && one !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .slice(0, 200)
    .map(([name, one]) => [name, canonical(one, depth + 1)])
}

const commandOf = (call: ToolCall): string | null => (toolKind(call.tool) === "shell" ? shellCommand(call) : null)

/** Equal for two calls that ask for the same in a slightly different form. */
export const keyOf = (call: ToolCall): number => {
  const command = commandOf(call)
  return KeyHash.ofText(
    command === null
      ? `${call.tool.slice(0, 200)}\n${JSON.stringify(canonical(call.input ?? null, 0))}`
      : `shell\n${without(madeUp, plain(ends(command)))}`
  )
}

export const hasFailed = (call: ToolCall): boolean => call.status === "denied" || Calls.hasFailed(call)

/** `result` is null if the host does not report it. `shape` ignores the numbers in the result. */
export const resultsOf = (call: ToolCall): { readonly result: number | null; readonly shape: number } => {
  const failed = hasFailed(call)
  const told = `${failed ? "!" : ""}${without(volatile, clean(ends(call.output ?? "")))}`
  const isUnknown = call.output === null && call.exitCode === null && !failed
  const shape = KeyHash.ofText(told.replace(/[\w.-]{0,40}\d[\w.-]{0,40}/g, "#"))
  return { result: isUnknown ? null : KeyHash.ofText(told), shape }
}

/** Commands that wait, or that look at something that changes by itself, such as a log, a pipeline or a service. */
const waiting = /(?:^|[\s;&|(])(?:sleep|wait|watch|tail|timeout|journalctl|pgrep|ps|lsof|jobs)(?=\s|$)/
const remote =
  /(?:^|[\s;&|(])(?:gh|glab|kubectl|docker|podman|systemctl|az|aws|gcloud|curl|nc|fly|flyctl|vercel|heroku)\s/
const asks =
  /\s(?:api|checks|describe|get|history|info|inspect|is-active|list|logs?|ps|rollout|show|status|top|view|wait)\b|--(?:watch|follow)\b|\scurl\s|^curl\s/
const tells =
  /\s(?:-X\s{0,2}(?!GET)\w|--(?:method|request|data|form|field)\b|-[dfFT]\s)|\bcurl\b.{0,80}\s--json\b|\s(?:create|cancel|delete|rerun|merge)\b/
const waitingName =
  /(?:^|[_.-])(?:poll|wait|status|output|monitor|watch|sleep|progress|stdin|logs?|job)(?:[_.-]|$)|(?:Output|Status|Wait|Poll)$/
const lookingName =
  /(?:^|[_.-])(?:get|list|read|fetch|view|search|find|query|show|describe|inspect|lookup|open|extract|snapshot|screenshot)(?:[_.-]|$|[A-Z])/
const runningName = /(?:^|[_.-])(?:exec(?:ute)?|run|eval|python|repl|ipython|jupyter|interpreter)(?:[_.-]|$)/i

/**
 * The kind of a call.
 * - `look`: it only reads.
 * - `check`: it tests the agent's work.
 * - `work`: it may have changed something.
 * - `act`: it may have changed something outside the session.
 * - `wait`: it lets time pass, or looks at something that changes by itself.
 */
export type Kind = "look" | "check" | "work" | "act" | "wait"

const context = { repo: RepoSignals.empty, gates: [], cwd: null }

const isWaiting = (call: ToolCall): boolean => {
  const text = commandOf(call)?.slice(0, 600)
  if (text !== undefined) return waiting.test(text) || (remote.test(text) && asks.test(text) && !tells.test(text))
  if (toolKind(call.tool) !== "other") return false
  const action = String(Json.object(call.input)["action"])
  return waitingName.test(call.tool.slice(0, 200)) || /^(?:poll|wait|status|logs?)$/.test(action)
}

/** Ignores the calls around this one. */
export const kindOf = (call: ToolCall): Kind => {
  const share = Calls.shareOf(call, context) ?? "look"
  if (share !== "check" && isWaiting(call)) return "wait"
  if (share !== "work" || toolKind(call.tool) !== "other") return share
  const name = call.tool.slice(0, 200)
  return lookingName.test(name) ? "look" : runningName.test(name) ? "work" : "act"
}

/** True if the output says that something is still running. Then the output changes by itself. */
export const isUnderWay = (call: ToolCall): boolean => saysUnderWay(call.output ?? "", false)

const shown = (value: unknown): string =>
  typeof value === "string" ? value.slice(0, 300) : typeof value === "object" && value !== null ? "…" : String(value)

/** The input fields that best describe a call. The whole input could be as long as a file. */
const telling = ["file_path", "filePath", "pattern", "query", "url", "path", "description"]

const inputText = (call: ToolCall): string => {
  const command = commandOf(call)
  if (command !== null) return command
  if (typeof call.input === "string") return call.input
  const input = Json.object(call.input)
  const told = telling.map((name) => Json.string(input[name])).find((text) => text !== null)
  const parts = Object.entries(input).slice(0, 20)
  return told ?? parts.map(([name, value]) => `${name}: ${shown(value)}`).join(", ")
}

/** At most 120 characters, without secrets. */
export const summaryOf = (call: ToolCall): string => oneLine(redactedHead(inputText(call).slice(0, 600), 400), 120)
