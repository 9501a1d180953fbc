/** Finds test runs that a wrapper, a tool or a subagent made. A runner's words in the output prove the run. */
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

/** Prefixes of lines: ` 12→`, `12:`, `f.log:12:`, and the mark that Nix puts before the lines of a log. */
const numbered = /^(?:[^\s:]{1,200}:)?[ \t]{0,8}(?:\d{1,7}(?:→|\t|:|\| ?)|> )/gm

/** The end of an output: once as printed, once without prefixes such as line numbers. Texts in JSON become lines. */
export const readings = (output: string, longest = 64_000): ReadonlyArray<string> => {
  const text = output.slice(-longest)
  const lines = /^\s{0,20}[{[]/.test(output) ? text.replaceAll(/\\+[nr]|\\{0,3}"/g, "\n") : text
  const bare = lines.replaceAll(numbered, "")
  return bare === lines ? [lines] : [lines, bare]
}

/** Programs that show what another program printed, now or earlier. */
const showing =
  /^(?:journalctl|dmesg|logcat|adb|tail|less|more|printf|sqlite3|psql|mysql|redis-cli|aws|gcloud|az|glab|hub|jira|pbpaste|xclip|column|sort|uniq|tr|paste|fold|nl|tac|bat|strings|xxd|base64)$/

const readsFile = /\s-[a-z]{0,3}[cep]\s.{0,4000}(?:readFile|open\(|File\.read|file_get_contents|Path\(|slurp)/

const mayRun = (simple: SimpleCommand): boolean => {
  const { dryRun, text, words } = simple
  const isShowing =
    showing.test(words[0] ?? "") ||
    readsFile.test(text) ||
    words.slice(1, 4).some((word) => word !== null && /^(?:logs?|history|trace)$/.test(word))
  return !dryRun && !isShowing && !isIdle(simple) && simple.classes.length > 0 && (isOpaque(simple) || isCheck(simple))
}

/** Tools that only look at something, according to their names. `looksAtRuns` lists exceptions. */
const looks =
  /(?:^|_|-)(?:get|list|read|view|search|find|query|fetch|browser|screenshot|navigate|resolve|open|show|download|recall|memory|docs?)(?:_|-|$)/i

const looksAtRuns = /terminal|process|shell|command|console|test/i

/** Services that show what others ran or wrote. */
const services = /github|gitlab|bitbucket|circleci|buildkite|jenkins|azure|sentry|linear|jira|notion|slack|confluence/i

/** If the command itself contains the test output, the call did not run tests. */
const isForeign = (call: ToolCall, context: EvidenceContext): boolean => {
  const kind = toolKind(call.tool)
  const shell = shellOf(call, context)
  if (shell !== null) return !RunnerOutput.ranTests(shell.command) && shell.commands.some(mayRun)
  const name = call.tool.slice(0, 120).replaceAll(/([a-z])([A-Z])/g, "$1_$2")
  const isRunner = !matchesAny([idleTools, services], name) && (!looks.test(name) || looksAtRuns.test(name))
  return kind === "agent" || (kind === "other" && isRunner)
}

/** Returns a run with an unknown outcome. Null if the call cannot have run tests. */
export const foreignRun = (call: ToolCall, place: Place, context: EvidenceContext): Run | null =>
  isForeign(call, context)
    ? { ...runBy("tests", call, place, unknown("its outcome is not known")), foreign: true }
    : null

/** Counts in free words. For example, `11 passed, 1 failed` or `2 of 12 tests failed`. */
const reported: ReadonlyArray<RegExp> = [
  /\b\d{1,6} (?:tests? )?passed\b.{0,60}?\b(\d{1,6}) (?:tests? )?failed\b/gi,
  /\b(\d{1,6}) (?:tests? )?failed\b.{0,60}?\b\d{1,6} (?:tests? )?passed\b/gi,
  /\b(\d{1,6}) (?:of|out of) (?:the )?\d{1,6} (?:tests?|specs?) failed\b/gi
]

/** Counts in a tool's answer. For example, `"failed": 1`, `failures: 2` or `"failed": ["rounds"]`. */
const answered =
  /(?:\bnum|\btotal|\btests?)?[ _]?fail(?:ed|ures?|ing)(?:[ _]?tests?|[ _]?count)?["']?\s{0,2}[:=]\s{0,2}(?:(\d{1,6})\b|\[\s{0,9}["{])/gi

/** Words that say that a failure is old, fixed or not related. */
const past: ReadonlyArray<RegExp> = [
  /\b(?:before|previous(?:ly)?|initial(?:ly)?|original(?:ly)?|at first|earlier|baseline|fixed|resolved|pre-?existing|already)\b/i,
  /\b(?:unrelated|flaky|on (?:main|master|base)|(?:all|now) .{0,20}pass(?:ed|es|ing)?|green)\b/i
]

const namesTests = /test|spec|jest|mocha|check|verify|suite/i

/** Finds a failure that a tool or a subagent reports in its own words. */
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

const cellFailed = /^(?:[\w.]{1,60}\.)?(?:CellExecutionError|PapermillExecutionError|DeadKernelError)\b/m

/** How many characters are read from the end of an output. A runner prints its totals there. */
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

/** A cheap first test: can this output report a failure at all? */
const mayFail = /fail|not ok|error|[✗✖✘×]/i

/**
 * Returns a run if tests failed. Also returns a run if an earlier foreign failure is no longer certain: the same call
 * ran again, or a program printed a pass. A pass alone proves nothing about the ordered tests.
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
    // After a pass, a command that does not name tests may show an old run or another project's run.
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
