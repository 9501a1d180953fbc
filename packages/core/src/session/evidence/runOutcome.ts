import type { Outcome } from "./outcome.ts"
import { ciOutcome, commitOutcome, prOutcome, pushOutcome } from "./deliveryOutcomes.ts"
import { showsIdleScript } from "./idleScript.ts"
import { isKilled, wasKilled } from "./Killed.ts"
import { isTestFile, saysPassed } from "./testFile.ts"
import { classOf, isCheck } from "../gates/GateTable.ts"
import * as RunnerOutput from "../output/RunnerOutput.ts"
import type * as ShellCommand from "../shell/ShellCommand.ts"
import { shellCommand } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

const cutShort = "it was cut short, by a limit of time or a signal"

export const unknown = (detail: string): Outcome => ({ result: "unknown", detail, failing: [] })

const fromOutput = (summary: RunnerOutput.RunSummary | null): Outcome | null => {
  if (summary === null) return null
  if (summary.outcome === "none") return unknown(summary.detail === "" ? "no test ran" : summary.detail)
  return { result: summary.outcome, detail: summary.detail, failing: summary.failing.slice(0, 10) }
}

const exitDetail = (simple: ShellCommand.SimpleCommand, code: number): string =>
  code === 0 ? `${simple.runner ?? "it"} exited 0` : `${simple.runner ?? "it"} exited ${code}`

/** Of a script that is called after the gate. */
export const noSuchWork = (gate: string): string => `the script has no ${gate} in it`

/** Why nothing that the gate asks for was done, whatever the exit status; null where it may have been. */
const idleness = (gate: string, simple: ShellCommand.SimpleCommand, output: string, succeeded: boolean) => {
  if (!isCheck(gate)) return null
  if (succeeded && output.trim() === "" && (simple.via ?? simple.text).includes("--if-present"))
    return "there may be no such script"
  const why = RunnerOutput.whyNothing(output, { kind: gate, runner: simple.runner, succeeded })
  return why ?? (showsIdleScript(output, classOf[gate]) ? noSuchWork(gate) : null)
}

/**
 * How a command's part of the call is read: `partial`, its output was cut by a filter; `echoes`, how many statuses are printed;
 * `branch`: the one worked on, where that is known; `declared`: the configuration names the command as this check.
 */
export interface OutcomeHint {
  readonly partial: boolean
  readonly echoes: number
  readonly branch: string | null
  readonly declared: boolean
  /** The same command was run more than once in the call. */
  readonly retried: boolean
}

const deliveredBy = (
  gate: string,
  simple: ShellCommand.SimpleCommand,
  output: string,
  branch: string | null
): Outcome | null => {
  switch (gate) {
    case "ci":
      return ciOutcome(output, simple.text, branch)
    case "pr":
      return prOutcome(output)
    case "push":
      return pushOutcome(output)
    case "commit":
      return simple.dryRun ? null : commitOutcome(output)
    default:
      return null
  }
}

/** What a shell or an editor says of an edit that it could not make. */
const editFailed =
  /^(?:(?:\/bin\/)?(?:ba|z|da)?sh|g?sed|perl|awk|cp|mv|rm|tee|cat|touch|mkdir|patch|python\d?|node|ruby|error|fatal): |no such file|permission denied|Traceback/im

const failedBy = (simple: ShellCommand.SimpleCommand, code: number, printed: Outcome | null): Outcome => ({
  result: "failed",
  // What the tests themselves came to, where the command did more than to run them.
  detail: `${exitDetail(simple, code)}${printed?.result === "passed" ? ` (${printed.detail})` : ""}`,
  failing: []
})

/** The status that the command's own `echo $?` printed, where it was another than 0. */
const echoedFailure = (simple: ShellCommand.SimpleCommand, output: string, echoes: number): number | null => {
  const echoed = simple.echo > 0 ? RunnerOutput.echoedStatus(output, simple.echo, echoes) : null
  return echoed === 0 ? null : echoed
}

/** A test file that passed by its status alone: without a word of it nobody knows whether it ran a test. */
const isWordless = (gate: string, simple: ShellCommand.SimpleCommand, call: ToolCall): boolean =>
  gate === "tests" && isTestFile(simple) && !saysPassed(call.output ?? "", shellCommand(call) ?? simple.text)

/** What failed by the runner's own last word outranks every exit status; else the exit code, where it speaks for this command; else what the runner printed; else unknown. */
export const outcomeOf = (
  gate: string,
  simple: ShellCommand.SimpleCommand,
  call: ToolCall,
  { branch, declared, echoes, partial, retried }: OutcomeHint
): Outcome => {
  const output = call.output ?? ""
  // An error that exits with 0 contradicts itself.
  const code = call.status === "error" && call.exitCode === 0 ? null : call.exitCode
  const succeeded = code === 0 && simple.exit === "implied"
  const idle = idleness(gate, simple, output, succeeded)
  if (idle !== null) return unknown(idle)
  if (succeeded && isCheck(gate) && gate !== "tests") {
    return { result: "passed", detail: exitDetail(simple, 0), failing: [] }
  }
  const summary = isCheck(gate) ? RunnerOutput.summarize(output, { kind: gate, runner: simple.runner, partial }) : null
  const printed = isCheck(gate) ? fromOutput(summary) : deliveredBy(gate, simple, output, branch)
  // Tried again in one call, the last try speaks, as it does between calls.
  if (retried && gate === "tests" && code === 0 && printed?.result === "failed" && !RunnerOutput.endsFailed(output))
    return { result: "passed", detail: "passed when it was run again", failing: [] }
  if ((code === 127 || code === 126) && simple.exit === "implied")
    return unknown("it could not be run: the command was not found")
  if (gate === "ci" && printed !== null) return printed
  if (summary?.outcome === "none") return unknown(summary.detail)
  if (isCheck(gate) && printed?.result !== "failed" && wasKilled(call, simple)) return unknown(cutShort)
  if (code !== null && simple.exit === "implied") {
    if (code === 0) {
      if (gate === "ci") return printed ?? unknown("the checks were read, their state is not in the output")
      if (printed !== null && printed.result === "passed") return printed
      if (printed !== null && gate === "tests" && RunnerOutput.endsFailed(output)) return printed
      if (!declared && isWordless(gate, simple, call)) return unknown("it printed nothing of a test")
      // `gh pr create` says where the pull request is that it has opened.
      if (gate === "pr" && output.trim() !== "" && simple.words[0] === "gh") return unknown("it printed no address")
      return { result: "passed", detail: exitDetail(simple, 0), failing: [] }
    }
    if (printed !== null && printed.result === "failed") return printed
    if (simple.soleSuspect || (isCheck(gate) && simple.besideEdits && !editFailed.test(output.slice(0, 2000))))
      return failedBy(simple, code, printed)
  }
  if (simple.exit === "inverted") return printed ?? unknown("its exit status is inverted")
  const echoedCode = echoedFailure(simple, output, echoes)
  if (isCheck(gate) && printed?.result !== "failed" && isKilled(echoedCode)) return unknown(cutShort)
  if (printed?.result === "passed" && echoedCode !== null)
    return simple.soleEchoed
      ? failedBy(simple, echoedCode, printed)
      : unknown("another command may have made the status that was printed")
  if (printed !== null) return printed
  if (simple.echo > 0) {
    const echoed = RunnerOutput.echoedStatus(output, simple.echo, echoes)
    if (echoed !== null && echoed !== 0 && !simple.soleEchoed)
      return unknown("another command may have made the status that was printed")
    if (echoed !== null)
      return { result: echoed === 0 ? "passed" : "failed", detail: exitDetail(simple, echoed), failing: [] }
  }
  return unknown(
    simple.exit === "masked" ? "its exit status is masked and its output does not say" : "its outcome is not known"
  )
}
