/** What failed beside the runs that are understood, and what a failure printed: any check, by any runner. */
import * as Json from "../../ground/json/Json.ts"
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import { fileKind } from "../../ground/system/Paths.ts"
import { clip, oneLine } from "../../ground/text/Text.ts"
import type { Evidence } from "../evidence/model.ts"
import { callOf } from "../evidence/Places.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { basename, mayBeScript, place, runsCheck } from "./files.ts"
import type { CheckEdits, Red } from "./model.ts"
import { readable } from "./outputs.ts"

const maxReds = 4
const maxScripts = 8
const maxFrames = 30

const checks =
  /\b(?:tests?|lint|check|verify|validat\w{1,4}|stan|specs?|coverage|typecheck|type-check|audit|budget|e2e|smoke|conform|analy[sz]e|ci|size|bench|fmt|format)\b/i

/** Classes of commands whose exit says nothing of a check. */
const others = new Set<string>([
  "read",
  "search",
  "vcs",
  "write",
  "install",
  "commit",
  "push",
  "pr",
  "pr_create",
  "pr_view",
  "pr_merge",
  "process"
])

const looksOn = new Set<string>(["ci", "pr_checks"])

const failure =
  /\bFAIL(?:ED|URES?)?\b|\bfailures?: ?[1-9]|\b[1-9]\d{0,5} (?:\w+ )?(?:failed|failing|failures?|errors?|problems?|issues?)\b|(?:^|\s)error(?:\[\w{1,8}\])?:|\bnot ok \d|##\[error\]|\bexit(?:ed)?(?: with)?(?: exit)? ?(?:code|status):? ?[1-9]|\bELIFECYCLE\b|(?:^|\s)[✗✘✖✕×❌](?:\s|$)|\bnon-zero\b|\bfail\s{1,8}\d/m

/** Lines that say what failed. */
const telling =
  /fail|panick|error|✗|✘|✖|✕|×|❌|not ok|assert|expected|actual|received|\bgot\b|exception|traceback|mismatch|\bat \S+:\d|\bexceeds?\b|threshold|warning|\b[A-Z]{1,6}\d{3,5}\b|^\s{0,8}(?:[-+>]|\d{1,3}\)) /i

const maxPrinted = 1800

const printedOf = (text: string): string => {
  const lines = text.split("\n").filter((line) => telling.test(line.slice(0, 400)))
  return lines
    .slice(0, 60)
    .map((line) => line.slice(0, 160))
    .join("\n")
    .slice(0, maxPrinted)
}

const frame = /([\w.-]{1,80}\.[a-z]{1,6})(?::(?:line )?\d{1,6}|["'],? line \d|\(\d{1,6}[,)])/g

const framesOf = (output: string): ReadonlyArray<string> => [
  ...new Set([...output.matchAll(frame)].slice(0, 200).map((match) => match[1] ?? ""))
]

const script =
  /(?:^|[\s;&|("'`>])(?:\.\/|(?:node|python[\d.]{0,4}|bash|sh|zsh|ruby|perl|php|deno run|bun|tsx|ts-node|pwsh|Rscript|lua) (?:-\S{1,40} ){0,3}(?:\.\/)?)((?:[\w@.-]{1,60}\/){0,8}[\w.-]{1,80})(?=[\s;&|)"'`]|$)/gm

const isScriptPlace = (path: string): boolean => mayBeScript(path) && (path.includes("/") ? place.test(path) : true)

/** What a check ran: named in the command, or echoed by a script or recipe before it failed. */
const scriptsOf = (command: string, output: string): ReadonlyArray<string> => {
  const echoed = output
    .slice(0, 6000)
    .split("\n")
    .filter((line) => /^(?:[>$+] |\s{0,4}(?:node|python|bash|sh|ruby|perl|php|\.\/|tsx|ts-node))/.test(line))
    .slice(0, 20)
  return [...new Set([...[command, ...echoed].join("\n").matchAll(script)].map((match) => match[1] ?? ""))].filter(
    (path) => isScriptPlace(path) && fileKind(path) !== "outside" && fileKind(path) !== "test"
  )
}

const headOf = (command: string): string =>
  oneLine(command, 400)
    .split(/ (?:&&|\|\||\||;) /)[0]
    ?.slice(0, 60) ?? ""

interface Seen {
  readonly command: string
  readonly isFailed: boolean
  readonly isPassed: boolean
}

const seenOf = (call: ToolCall, after: Evidence): Seen | null => {
  const runs = after.runs.filter(({ order }) => callOf(order) === after.order)
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  const isRunFailed = runs.some(({ result }) => result === "failed")
  if (command === null) return isRunFailed ? { command: call.tool, isFailed: true, isPassed: false } : null
  if (isRunFailed) return { command, isFailed: true, isPassed: false }
  const exit = call.exitCode ?? (call.status === "error" ? 1 : null)
  const text = command.slice(0, 2000)
  if (exit === 0 && !/\bgh\b|\bglab\b|\||;/.test(text)) return { command, isFailed: false, isPassed: true }
  const simples = ShellCommand.analyze(text).commands
  const isLook = simples.some(({ classes }) => classes.some((one) => looksOn.has(one)))
  const isCheck = simples.some(
    (simple) =>
      !simple.classes.some((one) => others.has(one)) &&
      (runsCheck(simple.text) || checks.test(simple.text) || scriptsOf(simple.text, "").length > 0)
  )
  if (!isLook && !isCheck) return null
  const output = (call.output ?? "").slice(-8000)
  const isFailed = (exit !== null && exit !== 0 && isCheck) || ((isLook || runs.length === 0) && failure.test(output))
  return { command, isFailed, isPassed: exit === 0 && !isFailed }
}

/** Folds what a call shows of checks that fail. */
export const withReds = (state: CheckEdits, call: ToolCall, after: Evidence): CheckEdits => {
  const seen = seenOf(call, after)
  if (seen === null) return state
  const head = headOf(seen.command)
  if (!seen.isFailed) {
    if (!seen.isPassed || state.reds.every((red) => headOf(red.command) !== head)) return state
    return {
      ...state,
      reds: state.reds.map((red) =>
        headOf(red.command) === head && red.passed === 0 ? { ...red, passed: after.order } : red
      )
    }
  }
  const output = readable(call.output ?? "")
  const red: Red = {
    order: after.order,
    callId: call.id,
    command: clip(oneLine(redactedHead(seen.command, 2000), 200), 120),
    detail: oneLine(firstFailure(output), 160),
    passed: 0
  }
  const scripts = [...new Set([...state.scripts, ...scriptsOf(seen.command.slice(0, 2000), output)])].slice(-maxScripts)
  return {
    ...state,
    reds: [...state.reds, red].slice(-maxReds),
    printed: printedOf(output),
    frames: framesOf(output).slice(-maxFrames),
    scripts
  }
}

const firstFailure = (output: string): string =>
  output
    .slice(-8000)
    .split("\n")
    .find((line) => failure.test(line.slice(0, 400)))
    ?.slice(0, 300) ?? ""

/** Whether some check had failed last. */
export const isAnyRed = ({ reds }: CheckEdits): boolean => reds.some(({ passed }) => passed === 0)

const words =
  /\b(?:git (?:log|show|blame|diff)|python[\d.]{0,4} (?:-c|-\s|<<)|node (?:-e|-p|--eval|--print)|ruby -e|perl -[pn]?e|php -r|\bbc\b|\bdc\b|\bunits\b|openssl|sqlite3|psql|curl|gh (?:issue|pr) view|man \w|go doc|cargo doc|xmllint|protoc)\b/

/** A look at what says how it should be: a document, the history, a computation of one's own, the web. */
export const isLookedUp = (call: ToolCall): boolean => {
  const kind = toolKind(call.tool)
  if (/fetch|web|search_docs|context7|browser/i.test(call.tool)) return true
  if (kind === "shell") {
    const command = shellCommand(call)?.slice(0, 2000) ?? ""
    return words.test(command) || isDocumentIn(command)
  }
  const input = Json.object(call.input)
  const path = ["file_path", "filePath", "path", "target_file", "absolute_path"]
    .map((key) => input[key])
    .find((one) => typeof one === "string")
  return typeof path === "string" && isDocument(path)
}

const isDocument = (path: string): boolean =>
  fileKind(path) === "docs" ||
  /(?:openapi|swagger|schema|rfc|spec(?:ification)?s?)[\w.-]{0,40}\.(?:ya?ml|json|proto|graphql|md|txt)$/i.test(
    basename(path)
  )

const isDocumentIn = (command: string): boolean =>
  /\b(?:cat|less|head|tail|sed -n|grep|rg|bat)\b.{0,300}(?:\.(?:md|rst|adoc|txt|proto|graphql)\b|\bdocs\/|README|CHANGELOG|openapi|swagger|rfc\d)/i.test(
    command
  )
