/** Runs of tests by what nobody here understands: a wrapper, a tool, a subagent. What a runner prints is its own word. */
import { matchesAny, oneLine } from "../../base/text/Text.ts"
import * as RunnerOutput from "../output/RunnerOutput.ts"
import type { SimpleCommand } from "../shell/ShellCommand.ts"
import { toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { isCheck, isIdle, isOpaque, shellOf } from "./Calls.ts"
import { type Outcome, failed, passed, unknown } from "./deliveries.ts"
import type { EvidenceContext, Run } from "./model.ts"
import { idleTools } from "./opaque.ts"
import { type Place, runBy } from "./runs.ts"

/** `     12→`, `12:`, `f.log:12:`, and the mark that Nix puts before a log's lines. */
const numbered = /^(?:[^\s:]{1,200}:)?[ \t]{0,8}(?:\d{1,7}(?:→|\t|:|\| ?)|> )/gm

/** The end of an output as it was printed: of JSON the texts in it, and once more without what is put before the lines of files. */
export const readings = (output: string, longest = 64_000): ReadonlyArray<string> => {
  const text = output.slice(-longest)
  const lines = /^\s{0,20}[{[]/.test(output) ? text.replaceAll(/\\+[nr]|\\{0,3}"/g, "\n") : text
  const bare = lines.replaceAll(numbered, "")
  return bare === lines ? [lines] : [lines, bare]
}

/** Programs that show what something else has printed, now or long ago. */
const showing =
  /^(?:journalctl|dmesg|logcat|adb|tail|less|more|printf|sqlite3|psql|mysql|redis-cli|aws|gcloud|az|glab|hub|jira|pbpaste|xclip|column|sort|uniq|tr|paste|fold|nl|tac|bat|strings|xxd|base64)$/

/** Code in the command itself that reads a file. */
const readsFile = /\s-[a-z]{0,3}[cep]\s.{0,4000}(?:readFile|open\(|File\.read|file_get_contents|Path\(|slurp)/

const mayRun = (simple: SimpleCommand): boolean => {
  const { dryRun, text, words } = simple
  const isShowing =
    showing.test(words[0] ?? "") ||
    readsFile.test(text) ||
    words.slice(1, 4).some((word) => word !== null && /^(?:logs?|history|trace)$/.test(word))
  return !dryRun && !isShowing && !isIdle(simple) && simple.classes.length > 0 && (isOpaque(simple) || isCheck(simple))
}

/** Tools that by their names only look at something, unless that is what was run. */
const looks =
  /(?:^|_|-)(?:get|list|read|view|search|find|query|fetch|browser|screenshot|navigate|resolve|open|show|download|recall|memory|docs?)(?:_|-|$)/i

const looksAtRuns = /terminal|process|shell|command|console|test/i

/** What others ran, or what was written of it. */
const services = /github|gitlab|bitbucket|circleci|buildkite|jenkins|azure|sentry|linear|jira|notion|slack|confluence/i

/** Whether a call may have run tests that it is not known to run. What stands in the command is printed by it, and by no run. */
const isForeign = (call: ToolCall, context: EvidenceContext): boolean => {
  const kind = toolKind(call.tool)
  const shell = shellOf(call, context)
  if (shell !== null) return !RunnerOutput.ranTests(shell.command) && shell.commands.some(mayRun)
  const name = call.tool.slice(0, 120).replaceAll(/([a-z])([A-Z])/g, "$1_$2")
  const isRunner = !matchesAny([idleTools, services], name) && (!looks.test(name) || looksAtRuns.test(name))
  return kind === "agent" || (kind === "other" && isRunner)
}

/** A run of tests by what is not known to run them; nothing is known of its outcome yet. */
export const foreignRun = (call: ToolCall, place: Place, context: EvidenceContext): Run | null =>
  isForeign(call, context)
    ? { ...runBy("tests", call, place, unknown("its outcome is not known")), foreign: true }
    : null

/** A run's counts in somebody's own words: `11 passed, 1 failed`, `2 of 12 tests failed`. */
const reported: ReadonlyArray<RegExp> = [
  /\b\d{1,6} (?:tests? )?passed\b.{0,60}?\b(\d{1,6}) (?:tests? )?failed\b/gi,
  /\b(\d{1,6}) (?:tests? )?failed\b.{0,60}?\b\d{1,6} (?:tests? )?passed\b/gi,
  /\b(\d{1,6}) (?:of|out of) (?:the )?\d{1,6} (?:tests?|specs?) failed\b/gi
]

/** What a tool answers: `"failed": 1`, `failures: 2`, `"failed": ["rounds"]` */
const answered =
  /(?:\bnum|\btotal|\btests?)?[ _]?fail(?:ed|ures?|ing)(?:[ _]?tests?|[ _]?count)?["']?\s{0,2}[:=]\s{0,2}(?:(\d{1,6})\b|\[\s{0,9}["{])/gi

/** It tells of another time, or of what has become of it. */
const past: ReadonlyArray<RegExp> = [
  /\b(?:before|previous(?:ly)?|initial(?:ly)?|original(?:ly)?|at first|earlier|baseline|fixed|resolved|pre-?existing|already)\b/i,
  /\b(?:unrelated|flaky|on (?:main|master|base)|(?:all|now) .{0,20}pass(?:ed|es|ing)?|green)\b/i
]

const namesTests = /test|spec|jest|mocha|check|verify|suite/i

/** What a tool's answer or a subagent's report comes to that shows no runner's own words. */
const inWords = ({ tool }: ToolCall, output: string): Outcome | null => {
  const kind = toolKind(tool)
  if (kind === "shell" || (kind === "other" && !namesTests.test(tool) && !/run/i.test(tool))) return null
  const text = output.slice(-8000)
  const counts = [...reported, ...(kind === "other" ? [answered] : [])]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .toSorted((one, other) => one.index - other.index)
  const isJson = /^\s{0,20}[{[]/.test(text)
  const last = isJson ? counts.findLast(([, count]) => count !== "0") : counts.at(-1)
  if (last === undefined || last[1] === "0") return null
  const around = text.slice(Math.max(text.lastIndexOf("\n", last.index), text.lastIndexOf(". ", last.index)) + 1)
  return !isJson && matchesAny(past, around) ? null : failed(`${last[1] ?? "some"} failed`)
}

/** A notebook whose cell failed while it was run. */
const cellFailed = /^(?:[\w.]{1,60}\.)?(?:CellExecutionError|PapermillExecutionError|DeadKernelError)\b/m

/** The end of an output, where a runner sums up. */
const tail = 16_000

const said = (call: ToolCall): Outcome | null => {
  const output = (call.output ?? "").slice(-tail)
  for (const read of readings(output)) {
    const summary = RunnerOutput.testsIn(read)
    if (summary !== null)
      return summary.outcome === "failed" ? failed(summary.detail, summary.failing) : passed(summary.detail)
  }
  return call.status === "error" && cellFailed.test(output)
    ? failed("a cell of the notebook failed")
    : inWords(call, output)
}

/** Whether an output may tell of a failure at all. */
const mayFail = /fail|not ok|error|[✗✖✘×]/i

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
  const found = said(call)
  if (found?.result === "failed") {
    // After a pass, what names no test may show what another run printed, long ago or elsewhere.
    const isOld =
      toolKind(call.tool) === "shell" &&
      before?.result === "passed" &&
      before.foreign !== true &&
      !namesTests.test(run.command)
    return isOld ? [] : [{ ...run, ...found, detail: oneLine(found.detail, 300) }]
  }
  const isRerun = before?.command === run.command && call.status !== "error"
  return isOpen && (found !== null || isRerun)
    ? [{ ...run, detail: `run again${found === null ? "" : `: ${oneLine(found.detail, 200)}`}` }]
    : []
}
