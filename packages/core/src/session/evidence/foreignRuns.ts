/** Runs of tests by what nobody here understands: a wrapper, a tool, a subagent. What a runner prints is its own word. */
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import { oneLine } from "../../ground/text/Text.ts"
import * as RunnerOutput from "../output/RunnerOutput.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import type { EvidenceContext, Run } from "./model.ts"
import { harmless, idleTools } from "./possibleRuns.ts"
import { printedText, withoutNumbers } from "./printedText.ts"
import { toldFailing } from "./toldCounts.ts"

/** Commands that run something, and do more than to show what is there, what others ran, or what was committed. */
const running: ReadonlySet<ShellCommand.CommandClass> = new Set([
  "other",
  "unknown",
  "process",
  "deploy",
  "build",
  "typecheck",
  "lint"
])

/** Programs that show what something else has printed, now or long ago. */
const showing =
  /^(?:journalctl|dmesg|logcat|adb|tail|less|more|printf|sqlite3|psql|mysql|redis-cli|aws|gcloud|az|glab|hub|jira|pbpaste|xclip|column|sort|uniq|tr|paste|fold|nl|tac|bat|strings|xxd|base64)$/

/** Code in the command itself that reads a file. */
const readsFile = /\s-[a-z]{0,3}[cep]\s.{0,4000}(?:readFile|open\(|File\.read|file_get_contents|Path\(|slurp)/

const showsLogs = ({ text, words }: ShellCommand.SimpleCommand): boolean =>
  showing.test(words[0] ?? "") ||
  readsFile.test(text) ||
  words.slice(1, 4).some((word) => word !== null && /^(?:logs?|history|trace)$/.test(word))

const mayRun = (call: ToolCall, context: EvidenceContext): boolean => {
  const command = shellCommand(call)
  // What stands in the command is printed by it, and by no run.
  if (command === null || RunnerOutput.ranTests(command)) return false
  const { commands } = ShellCommand.analyze(command, context.repo.scripts)
  return commands.some(
    (simple) =>
      !simple.dryRun &&
      simple.classes.some((name) => running.has(name)) &&
      !harmless.has(simple.words[0] ?? "") &&
      !showsLogs(simple)
  )
}

const snake = (tool: string): string => tool.slice(0, 120).replaceAll(/([a-z])([A-Z])/g, "$1_$2")

/** Tools that by their names only look at something, unless that is what was run. */
const looks =
  /(?:^|_|-)(?:get|list|read|view|search|find|query|fetch|browser|screenshot|navigate|resolve|open|show|download|recall|memory|docs?)(?:_|-|$)/i

const looksAtRuns = /terminal|process|shell|command|console|test/i

/** What others ran, or what was written of it. */
const services = /github|gitlab|bitbucket|circleci|buildkite|jenkins|azure|sentry|linear|jira|notion|slack|confluence/i

const isRunner = (tool: string): boolean => {
  const name = snake(tool)
  return !idleTools.test(name) && !services.test(name) && (!looks.test(name) || looksAtRuns.test(name))
}

/** Whether a call may have run tests that it is not known to run. */
const isForeign = (call: ToolCall, context: EvidenceContext): boolean => {
  switch (toolKind(call.tool)) {
    case "shell":
      return mayRun(call, context)
    case "agent":
      return true
    case "other":
      return isRunner(call.tool)
    default:
      return false
  }
}

/** The end of an output, where a runner sums up. */
const tail = 16_000

const namesTests = /test|spec|jest|vitest|mocha|check|verify|suite|run/i

const namesTestsIn = /test|spec|jest|mocha|check|verify|suite/i

/** A notebook whose cell failed while it was run. */
const cellFailed = /^(?:[\w.]{1,60}\.)?(?:CellExecutionError|PapermillExecutionError|DeadKernelError)\b/m

type Said = Pick<Run, "detail" | "failing" | "result">

const inWords = (call: ToolCall, text: string): Said | null => {
  const kind = toolKind(call.tool)
  if (kind === "shell" || (kind === "other" && !namesTests.test(call.tool))) return null
  const failing = toldFailing(text, kind === "agent")
  return failing === null ? null : { result: "failed", detail: `${failing} failed`, failing: [] }
}

/** Whether an output may tell of a failure at all. */
const mayFail = /fail|not ok|error|[✗✖✘×]/i

const said = (call: ToolCall, ranBefore: boolean): Said | null => {
  const output = (call.output ?? "").slice(-tail)
  const text = printedText(output)
  const plain = withoutNumbers(text)
  for (const read of plain === text ? [text] : [text, plain]) {
    const summary = RunnerOutput.testsIn(read)
    if (summary?.outcome === "failed")
      return { result: "failed", detail: summary.detail, failing: summary.failing.slice(0, 10) }
    if (summary?.outcome === "passed") return { result: "passed", detail: summary.detail, failing: [] }
  }
  if (!ranBefore && call.status === "error" && cellFailed.test(text))
    return { result: "failed", detail: "a cell of the notebook failed", failing: [] }
  return inWords(call, output)
}

interface Place {
  readonly order: number
  readonly turn: number
}

/** A run of tests by what is not known to run them, of which nothing is known yet. */
export const foreignRun = (call: ToolCall, place: Place, context: EvidenceContext): Run | null =>
  isForeign(call, context)
    ? {
        gate: "tests",
        callId: call.id,
        command: oneLine(
          redactedHead((toolKind(call.tool) === "shell" ? shellCommand(call) : null) ?? call.tool, 2000),
          300
        ),
        exitCode: null,
        at: call.endedAt ?? call.at,
        ...place,
        result: "unknown",
        completed: call.status === "completed",
        partial: false,
        masked: false,
        detail: "its outcome is not known",
        failing: [],
        foreign: true
      }
    : null

/** After a run that passed, what names no test may show what another run printed, long ago or elsewhere. */
const isOld = (call: ToolCall, runs: ReadonlyArray<Run>): boolean => {
  const last = runs.findLast(({ gate }) => gate === "tests")
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  return command !== null && last?.result === "passed" && last.foreign !== true && !namesTestsIn.test(command)
}

/**
 * What a call that is not known as a run of tests shows of one: that tests failed, or, after such a failure, that it is no
 * longer known, for the same ran again or something printed a pass. A pass alone proves nothing of what was ordered.
 */
export const foreignRuns = (
  call: ToolCall,
  place: Place,
  context: EvidenceContext,
  { known, runs }: { readonly known: ReadonlyArray<Run>; readonly runs: ReadonlyArray<Run> }
): ReadonlyArray<Run> => {
  const before = runs.findLast(({ gate }) => gate === "tests")
  const isOpen = before?.foreign === true && before.result === "failed"
  if (!isOpen && !mayFail.test((call.output ?? "").slice(-tail))) return []
  const run = known.some(({ gate }) => gate === "tests") ? null : foreignRun(call, place, context)
  if (run === null) return []
  const found = said(call, before !== undefined)
  if (found?.result === "failed" && isOld(call, runs)) return []
  if (found?.result === "failed") return [{ ...run, ...found, detail: oneLine(found.detail, 300) }]
  const isRerun = before?.command === run.command && call.status !== "error"
  return isOpen && (found !== null || isRerun)
    ? [{ ...run, detail: `run again${found === null ? "" : `: ${oneLine(found.detail, 200)}`}` }]
    : []
}
