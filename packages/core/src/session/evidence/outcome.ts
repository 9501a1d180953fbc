/** Decides how one command of a call ended: by the output, and by the exit status if it belongs to the command. */
import { type CheckGate, classOf, isCheck } from "../vocabulary/GateTable.ts"
import * as RunnerOutput from "../output/RunnerOutput.ts"
import * as Scripts from "../shell/Scripts.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { shellCommand } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import * as Deliveries from "./deliveries.ts"
import { failed, type Outcome, passed, unknown } from "./deliveries.ts"
import { isKilled, wasKilled } from "./Killed.ts"

const cutShort = unknown("a time limit or a signal ended it early")

const ofAnother = unknown("the printed status may come from another command")

const exited = ({ runner }: ShellCommand.SimpleCommand, code: number): string => `${runner ?? "it"} exited ${code}`

const failedBy = (simple: ShellCommand.SimpleCommand, code: number, printed: Outcome | null): Outcome =>
  failed(`${exited(simple, code)}${printed?.result === "passed" ? ` (${printed.detail})` : ""}`)

/** Error messages of a shell or an editor after a failed edit. */
const editFailed =
  /^(?:(?:\/bin\/)?(?:ba|z|da)?sh|g?sed|perl|awk|cp|mv|rm|tee|cat|touch|mkdir|patch|python\d?|node|ruby|error|fatal): |no such file|permission denied|Traceback/im

const interpreters =
  /^(?:python[\d.]{0,6}|pypy3?|node|nodejs|ruby|php|perl|lua|luajit|Rscript|julia|elixir|ts-node(?:-esm)?|tsx|deno|bun|bash|sh|zsh|fish|groovy|scala|swift|pwsh)$/

/** True for a test file that is started directly. No known runner executes this file. */
const isTestFile = ({ runner, words: [program] }: ShellCommand.SimpleCommand): boolean => {
  if (runner === null || !program) return false
  const name = program.split("/").at(-1) ?? ""
  return interpreters.test(runner)
    ? name.startsWith(runner)
    : /\/.*(?:test|spec)/i.test(program) &&
        !/(?:^|\/)(?:s?bin|\.bin|node_modules|vendor)\//.test(program) &&
        name.replace(/\.\w{1,4}$/, "") === runner
}

const passing =
  /\b(?:pass(?:ed|es|ing)?|ok|okay|succe(?:ss|ssful|ssfully|eded)|green|all good)\b|[✓✔√✅]|\b(\d{1,6})\/\1\b/i

/** True if an output says that something passed. Lines that the command itself prints do not count. */
const saysPassed = (output: string, command: string): boolean =>
  output
    .slice(-16_000)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .some((line) => line !== "" && !command.includes(line) && passing.test(line.slice(0, 1000)))

export interface OutcomeHint {
  /** True if a filter may have cut the output. */
  readonly partial: boolean
  /** The number of exit statuses that the call prints. */
  readonly echoes: number
  readonly branch: string | null
  /** True if the configuration names the command as this check. */
  readonly declared: boolean
  readonly retried: boolean
}

const printedBy = (
  gate: string,
  simple: ShellCommand.SimpleCommand,
  output: string,
  hint: OutcomeHint
): Outcome | null => {
  if (gate === "ci") return Deliveries.ciOutcome(output, simple.text, hint.branch)
  if (gate === "commit") return simple.dryRun ? null : Deliveries.commitOutcome(output)
  if (gate === "pr") return Deliveries.prOutcome(output)
  if (!isCheck(gate)) return gate === "push" ? Deliveries.pushOutcome(output) : null
  const summary = RunnerOutput.summarize(output, { kind: gate, runner: simple.runner, partial: hint.partial })
  if (summary === null) return null
  const { detail, failing, outcome } = summary
  return outcome === "none"
    ? unknown(detail === "" ? "no test ran" : detail)
    : outcome === "failed"
      ? failed(detail, failing)
      : passed(detail)
}

/** Before a script runs, a package manager prints `> shop@1.0.0 test`, and in the next line `> true`. */
const shown = /^> (?:\S{1,200}@\S{0,100} )?([\w:.-]{1,100})(?: [/~].{0,300})?\r?\n> (.{1,600})$/gm

/** True if the output shows scripts whose names mean this gate, but no script runs the gate. */
const showsIdleScript = (gate: CheckGate, output: string): boolean => {
  const does = ({ classes }: ShellCommand.SimpleCommand) => classes.includes(classOf[gate])
  const scripts = [...output.slice(0, 20_000).matchAll(shown)]
    .filter(([, name = ""]) => ShellCommand.analyze(`npm run ${name}`).commands.some(does))
    .map(([, name = "", body = ""]) =>
      ShellCommand.analyze(`npm run ${name}`, { ...Scripts.empty, npm: { [name]: body } })
    )
  return scripts.length > 0 && !scripts.some(({ commands }) => commands.some(does))
}

const idleness = (
  gate: string,
  { runner, text, via }: ShellCommand.SimpleCommand,
  output: string,
  succeeded: boolean
) => {
  if (!isCheck(gate)) return null
  if (succeeded && output.trim() === "" && (via ?? text).includes("--if-present")) return "there may be no such script"
  const why = RunnerOutput.whyNothing(output, { kind: gate, runner, succeeded })
  return why ?? (showsIdleScript(gate, output) ? `the script has no ${gate} in it` : null)
}

const succeeded = (
  gate: string,
  simple: ShellCommand.SimpleCommand,
  call: ToolCall,
  printed: Outcome | null,
  { declared }: OutcomeHint
): Outcome => {
  const output = call.output ?? ""
  if (gate === "ci") return unknown("the checks were read, but the output does not show their state")
  if (printed?.result === "passed") return printed
  if (printed !== null && gate === "tests" && RunnerOutput.endsFailed(output)) return printed
  const command = shellCommand(call) ?? simple.text
  if (gate === "tests" && !declared && isTestFile(simple) && !saysPassed(output, command))
    return unknown("its output shows no test")
  // `gh pr create` prints the address of the pull request that it opened.
  if (gate === "pr" && output.trim() !== "" && simple.words[0] === "gh") return unknown("it printed no URL")
  return passed(exited(simple, 0))
}

/** For tests, a failure in the runner's last lines counts more than any exit status. */
export const outcomeOf = (
  gate: string,
  simple: ShellCommand.SimpleCommand,
  call: ToolCall,
  hint: OutcomeHint
): Outcome => {
  const output = call.output ?? ""
  // A call with an error and exit status 0 contradicts itself.
  const whole = call.status === "error" && call.exitCode === 0 ? null : call.exitCode
  const code = simple.exit === "implied" ? whole : null
  const idle = idleness(gate, simple, output, code === 0)
  if (idle !== null) return unknown(idle)
  const needless = Deliveries.needless(gate, output)
  if (needless !== null) return needless
  if (code === 0 && isCheck(gate) && gate !== "tests") return passed(exited(simple, 0))
  const printed = printedBy(gate, simple, output, hint)
  const isRed = printed?.result === "failed"
  // If one call runs the tests several times, the last try counts.
  if (hint.retried && gate === "tests" && whole === 0 && isRed && !RunnerOutput.endsFailed(output))
    return passed("passed when it was run again")
  if (code === 127 || code === 126) return unknown("it could not be run: the command was not found")
  if (printed !== null && (gate === "ci" || printed.result === "unknown")) return printed
  if (isCheck(gate) && !isRed && wasKilled(call, simple)) return cutShort
  if (code === 0) return succeeded(gate, simple, call, printed, hint)
  if (code !== null && isRed) return printed
  if (
    code !== null &&
    (simple.soleSuspect || (isCheck(gate) && simple.besideEdits && !editFailed.test(output.slice(0, 2000))))
  )
    return failedBy(simple, code, printed)
  if (simple.exit === "inverted") return printed ?? unknown("its exit status is inverted")
  const echoed = simple.echo > 0 && !isRed ? RunnerOutput.echoedStatus(output, simple.echo, hint.echoes) : null
  if (isCheck(gate) && isKilled(echoed)) return cutShort
  if (echoed !== null && echoed !== 0) return simple.soleEchoed ? failedBy(simple, echoed, printed) : ofAnother
  if (printed !== null) return printed
  if (echoed === 0) return passed(exited(simple, 0))
  return unknown(
    simple.exit === "masked" ? "its exit status is masked and its output shows no result" : "its outcome is not known"
  )
}
