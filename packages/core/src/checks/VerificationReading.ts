/** Reads the result of a gate from a check's exit status and output. */
import { safeText } from "../base/redaction/SafeText.ts"
import type { CheckResult } from "./CheckResult.ts"
import type { RepoSignals } from "../session/project/RepoSignals.ts"
import * as RunnerOutput from "../session/output/RunnerOutput.ts"
import { tellingLines } from "../session/output/TellingLines.ts"
import * as ShellCommand from "../session/shell/ShellCommand.ts"
import { oneLine, tail } from "../base/text/Text.ts"
import { checkClasses, classOf, isCheck } from "../session/vocabulary/GateTable.ts"
import type { CheckEnd } from "./process.ts"

type Reading = Pick<CheckResult, "result" | "detail" | "doubt" | "failing" | "tests">

type Summary = RunnerOutput.RunSummary | null

const maxTail = 4000

const runnerOf = (gate: string, command: string): string | null => {
  const name = isCheck(gate) ? classOf[gate] : undefined
  const { commands } = ShellCommand.analyze(command)
  return commands.find(({ classes }) => name !== undefined && classes.includes(name))?.runner ?? null
}

const summaryOf = (gate: string, command: string, output: string): Summary =>
  RunnerOutput.summarize(
    output,
    isCheck(gate) ? { kind: gate, runner: runnerOf(gate, command) } : undefined,
    mostFailing
  )

/** The maximum number of failing tests. Their names are compared with the failures from before the task. */
const mostFailing = 300

const isWork = ({ words: [name] }: ShellCommand.SimpleCommand): boolean =>
  typeof name !== "string" || !ShellCommand.isTrivial(name)

/**
 * True if exit status 0 means that every check in the command succeeded. False for `npm test & wait`, and for
 * `npm test | tee log`. If no check is known, it is enough that the shell waited for one of its commands.
 */
const vouches = (command: string, scripts?: RepoSignals["scripts"]): boolean => {
  const { commands } = ShellCommand.analyze(command, scripts)
  const known = commands.filter(({ classes }) => classes.some((name) => checkClasses.has(name)))
  if (known.length > 0) return known.every(({ exit }) => exit !== "masked" && exit !== "background")
  const work = commands.filter(isWork)
  return work.length === 0 || work.some(({ exit }) => exit !== "background")
}

const unavailable = (detail: string): Reading => ({ result: "unavailable", detail, failing: [] })

const noTest = (detail: string): Reading => ({ ...unavailable(detail), tests: 0 })

const countOf = (summary: Summary): Pick<Reading, "tests"> =>
  summary === null || (summary.passed ?? summary.failed) === null
    ? {}
    : { tests: (summary.passed ?? 0) + (summary.failed ?? 0) }

const notRunnable: Readonly<Record<number, string>> = {
  126: "it could not be executed",
  127: "a command was not found",
  9009: "a command was not found"
}

/** 128 plus the signal's number. A runner may also exit with the number of failures. Then its output names them. */
const signals: Readonly<Record<number, string>> = { 129: "SIGHUP", 130: "SIGINT", 137: "SIGKILL", 143: "SIGTERM" }

/** Lines about missing services, ports, packages or disk space. The project's modules have a path and do not match. */
const lacking: ReadonlyArray<RegExp> = [
  /^.*(?:\bE(?:CONNREFUSED|ADDRINUSE|NOTFOUND|AI_AGAIN|HOSTUNREACH|NOSPC|MFILE|ACCES)\b|\bConnection ?refused|could not connect to).*$/m,
  /^.*(?:[Aa]ddress already in use|[Nn]o space left on device|Cannot find (?:module|package) ['"](?![./])|No module named ).*$/m,
  /^.*(?:ERR_MODULE_NOT_FOUND|no required module provides package).*$/m
]

/** Lines that show that a test compared an actual value with an expected one. */
const compared =
  /\bAssertion(?:Error| failed)|ERR_ASSERTION|^E +assert |^\s*(?:[-+] )?(?:Expected|Received|expected:|actual:|left:|right:|want|got)\b|\bexpect\(|panicked at/m

/** Why the machine, and not the agent's work, may have caused the failure. */
const doubtIn = (output: string): Pick<Reading, "doubt"> => {
  const found = compared.test(output) ? [] : lacking.flatMap((one) => one.exec(output)?.[0] ?? [])
  return found[0] === undefined ? {} : { doubt: oneLine(safeText(found[0].trim()), 200) }
}

const failed = (summary: Summary, detail: string): Reading => ({
  result: "failed",
  detail: summary?.detail ?? detail,
  ...countOf(summary),
  failing: (summary?.failing ?? []).map(({ file, line, name }) => ({
    name: oneLine(safeText(name), 200),
    file: file === null ? null : oneLine(safeText(file), 300),
    line
  }))
})

const echo = /^(?:>|\$) /

const idles = /^(?:>|\$) (?:true|:|exit 0|echo\b.*)$/

/** The script that the runner announced, if the script does nothing and nothing else was printed. Otherwise null. */
const idleScript = (output: string): string | null => {
  const lines = output.split("\n", 20).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]))
  const script = lines.findLast((line) => echo.test(line))
  if (script === undefined || !idles.test(script)) return null
  const printed = lines.filter((line) => !echo.test(line))
  return printed.every((line) => script.includes(line)) ? script.slice(2) : null
}

const onZero = (summary: Summary, trusted: boolean): Reading => {
  if (summary?.outcome === "none") return noTest(summary.detail)
  if (summary?.outcome === "passed")
    return { result: "passed", detail: summary.detail, failing: [], ...countOf(summary) }
  if (trusted) return { result: "passed", detail: "exited 0", failing: [] }
  return summary === null
    ? unavailable("its exit status is masked and its output shows no result")
    : failed(summary, "")
}

interface Failed {
  readonly code: number
  readonly output: string
}

/** Null if something may have been checked. */
const nothingIn = (gate: string, command: string, output: string, succeeded: boolean): Reading | null => {
  const kind = isCheck(gate) ? gate : "build"
  const why = RunnerOutput.whyNothing(output, { kind, runner: runnerOf(gate, command), succeeded })
  return why === null ? null : why.startsWith("it could not be run") ? unavailable(why) : noTest(why)
}

/** If a script's tool is not installed, only the shell's message shows this: the runner may exit with any status. */
const onFailure = (gate: string, command: string, summary: Summary, { code, output }: Failed): Reading => {
  const signal = signals[code]
  if (signal !== undefined && (summary?.failed ?? 0) === 0) return unavailable(`it was ended by a signal (${signal})`)
  if (summary?.runner === "shell") return unavailable(summary.detail)
  if (summary?.outcome === "none") return noTest(summary.detail)
  const red = failed(summary?.outcome === "failed" ? summary : null, `exited ${code}`)
  return nothingIn(gate, command, output, false) ?? { ...red, ...doubtIn(output) }
}

const onExit = (gate: string, command: string, { code, output }: CheckEnd): Reading => {
  if (code === null) return unavailable("it was ended by a signal")
  const why = notRunnable[code]
  if (why !== undefined) return unavailable(why)
  const summary = summaryOf(gate, command, output)
  if (code !== 0) return onFailure(gate, command, summary, { code, output })
  // A project script may ignore a failure of its runner and continue.
  if (gate === "tests" && (summary?.failed ?? 0) > 0 && runnerOf(gate, command) === null)
    return unavailable(`it exited 0, but its output says that tests failed: ${summary?.detail ?? ""}`)
  if (gate !== "tests" || summary !== null) return onZero(summary, vouches(command))
  const idle = idleScript(output)
  if (idle !== null) return noTest(`no test ran: its script is \`${idle}\``)
  return nothingIn(gate, command, output, true) ?? onZero(summary, vouches(command))
}

export const seconds = (ms: number): string => `${ms < 1000 ? ms / 1000 : Math.round(ms / 1000)} s`

const onEnd = (gate: string, command: string, ended: CheckEnd): Reading => {
  switch (ended.how) {
    case "exited":
      return onExit(gate, command, ended)
    case "timed_out":
      return { result: "timed_out", detail: `not finished within ${seconds(ended.durationMs)}`, failing: [] }
    case "printed_too_much":
      return unavailable("reflexion ended the check because it printed too much")
    case "not_started":
      return unavailable(`it could not be started: ${ended.output}`)
  }
}

export const read = (gate: string, command: string, ended: CheckEnd, at: string | null): CheckResult => {
  const { tests, ...reading } = onEnd(gate, command, ended)
  return {
    gate,
    command: safeText(command),
    exitCode: ended.code,
    ...reading,
    ...(tests !== undefined && gate === "tests" && { tests }),
    detail: oneLine(safeText(reading.detail), 300),
    ...(reading.result === "failed" && { telling: tellingLines(safeText(ended.output)) }),
    output: ended.how === "not_started" ? "" : tail(safeText(ended.output), maxTail),
    at,
    durationMs: ended.durationMs,
    cached: false
  }
}

export const notRun = (gate: string, command: string, detail: string): CheckResult => ({
  ...read(gate, command, { how: "not_started", code: null, output: "", durationMs: 0 }, null),
  detail: oneLine(safeText(detail), 300)
})

/** If a script hides the exit status (for example, `jest || true`), only the output of the runner counts. */
export const unmasked = (result: CheckResult, scripts: RepoSignals["scripts"]): CheckResult => {
  if (result.result !== "passed" || vouches(result.command, scripts)) return result
  const read = onZero(summaryOf(result.gate, result.command, result.output), false)
  return { ...result, ...read, detail: oneLine(safeText(read.detail), 300) }
}
