import type { EvidenceContext, Push, Run } from "../Evidence.ts"
import { matchesCommand } from "../ReflexionConfig.ts"
import * as Redaction from "../Redaction.ts"
import * as RunnerOutput from "../RunnerOutput.ts"
import * as ShellCommand from "../ShellCommand.ts"
import type { ToolCall } from "../Transcript.ts"
import { clip, oneLine } from "./text.ts"
import { shellCommand, toolKind } from "./tools.ts"

/** What one call adds to the evidence beside its edits. */
export interface Gathered {
  readonly runs: ReadonlyArray<Run>
  readonly pushes: ReadonlyArray<Push>
  readonly commits: number
  readonly acts: boolean
  readonly exercises: boolean
  readonly opaque: boolean
  readonly branch: string | null
}

const nothing: Gathered = {
  runs: [],
  pushes: [],
  commits: 0,
  acts: false,
  exercises: false,
  opaque: false,
  branch: null
}

interface Place {
  readonly order: number
  readonly turn: number
}

type CheckGate = "tests" | "build" | "typecheck" | "lint"

const gateOfClass: Partial<Record<ShellCommand.CommandClass, string>> = {
  test: "tests",
  build: "build",
  typecheck: "typecheck",
  lint: "lint",
  commit: "commit",
  push: "push",
  pr_create: "pr",
  pr_checks: "ci",
  ci: "ci"
}

const acting: ReadonlySet<ShellCommand.CommandClass> = new Set([
  "write",
  "commit",
  "push",
  "pr_create",
  "pr_merge",
  "pr",
  "deploy",
  "install",
  "format",
  "process",
  "vcs"
])

/** Commands of these classes show nothing about the code's behaviour. */
const passive: ReadonlySet<ShellCommand.CommandClass> = new Set([
  "write",
  "read",
  "search",
  "commit",
  "push",
  "vcs",
  "pr",
  "pr_create",
  "pr_view",
  "pr_merge",
  "install",
  "format"
])

const harmless: ReadonlySet<string> = new Set([
  "cd",
  "echo",
  "printf",
  "true",
  "false",
  ":",
  "export",
  "set",
  "unset",
  "chmod",
  "mkdir",
  "touch",
  "pwd",
  "sleep",
  "date",
  "which",
  "source"
])

interface Outcome {
  readonly result: Run["result"]
  readonly detail: string
  readonly failing: Run["failing"]
}

const unknown = (detail: string): Outcome => ({ result: "unknown", detail, failing: [] })

const fromOutput = (summary: RunnerOutput.RunSummary | null): Outcome | null => {
  if (summary === null) return null
  if (summary.outcome === "none") return unknown(summary.detail === "" ? "no test ran" : summary.detail)
  return { result: summary.outcome, detail: summary.detail, failing: summary.failing.slice(0, 10) }
}

const isCheck = (gate: string): gate is CheckGate =>
  gate === "tests" || gate === "build" || gate === "typecheck" || gate === "lint"

const exitDetail = (simple: ShellCommand.SimpleCommand, code: number): string =>
  code === 0 ? `${simple.runner ?? "it"} exited 0` : `${simple.runner ?? "it"} exited ${code}`

/** The exit code first, where it speaks for this command; else what the runner printed; else unknown. */
const outcomeOf = (gate: string, simple: ShellCommand.SimpleCommand, call: ToolCall, partial: boolean): Outcome => {
  const output = call.output ?? ""
  const summary = isCheck(gate) ? RunnerOutput.summarize(output, { kind: gate, runner: simple.runner, partial }) : null
  const printed =
    gate === "ci"
      ? ciOutcome(output)
      : gate === "pr"
        ? prOutcome(output)
        : gate === "push"
          ? pushOutcome(output)
          : fromOutput(summary)
  const code = call.exitCode
  if (gate === "ci" && printed !== null) return printed
  if (code !== null && simple.exit === "implied") {
    if (code === 0) {
      if (gate === "ci") return printed ?? unknown("the checks were read, their state is not in the output")
      if (summary?.outcome === "none") return unknown(summary.detail)
      if (printed !== null && printed.result === "passed") return printed
      return { result: "passed", detail: exitDetail(simple, 0), failing: [] }
    }
    if (printed !== null && printed.result === "failed") return printed
    if (simple.soleSuspect) return { result: "failed", detail: exitDetail(simple, code), failing: [] }
  }
  if (simple.exit === "inverted") return printed ?? unknown("its exit status is inverted")
  if (printed !== null) return printed
  if (simple.echoesStatus) {
    const echoed = RunnerOutput.echoedStatus(output)
    if (echoed !== null)
      return { result: echoed === 0 ? "passed" : "failed", detail: exitDetail(simple, echoed), failing: [] }
  }
  return unknown(
    simple.exit === "masked" ? "its exit status is masked and its output does not say" : "its outcome is not known"
  )
}

const ciOutcome = (output: string): Outcome | null => {
  const counts = { pass: 0, fail: 0, pending: 0 }
  const failing: Array<{ name: string; file: null; line: null }> = []
  for (const line of output.slice(0, 64_000).split("\n")) {
    const cells = line.slice(0, 500).split("\t")
    const state = (cells[1] ?? "").trim().toLowerCase()
    if (/^(?:pass|success|successful)$/.test(state)) counts.pass += 1
    else if (/^(?:fail|failure|error|cancelled|timed_out)$/.test(state)) {
      counts.fail += 1
      failing.push({ name: clip((cells[0] ?? "").trim(), 120), file: null, line: null })
    } else if (/^(?:pending|queued|in_progress)$/.test(state)) counts.pending += 1
  }
  const total = counts.pass + counts.fail + counts.pending
  if (total === 0) {
    if (/\bsome checks were not successful\b|\bcompleted with '?failure/i.test(output.slice(0, 64_000)))
      return { result: "failed", detail: "checks failed", failing: [] }
    if (/\ball checks were successful\b|\bcompleted with '?success/i.test(output.slice(0, 64_000)))
      return { result: "passed", detail: "all checks passed", failing: [] }
    return null
  }
  if (counts.fail > 0)
    return { result: "failed", detail: `${counts.fail} of ${total} checks failed`, failing: failing.slice(0, 10) }
  if (counts.pending > 0) return unknown(`${counts.pending} of ${total} checks are still running`)
  return { result: "passed", detail: `${total} checks passed`, failing: [] }
}

const prUrl = /https?:\/\/[\w.-]{1,100}\/[\w./-]{1,200}\/(?:pull|merge_requests|pulls)\/\d{1,9}/

const prOutcome = (output: string): Outcome | null => {
  const url = prUrl.exec(output.slice(0, 20_000))
  return url === null ? null : { result: "passed", detail: url[0], failing: [] }
}

const pushOutcome = (output: string): Outcome | null => {
  const text = output.slice(0, 20_000)
  if (/\[(?:remote )?rejected\]|^error: failed to push|^fatal: /m.test(text))
    return { result: "failed", detail: "the push was rejected", failing: [] }
  if (
    /^\s{0,8}(?:[0-9a-f]{6,40}\.\.\.?[0-9a-f]{6,40}|\* \[new (?:branch|tag)\]|\+ [0-9a-f]{6,40})/m.test(text) ||
    /Everything up-to-date/.test(text)
  ) {
    return { result: "passed", detail: "pushed", failing: [] }
  }
  return null
}

const completes = (call: ToolCall): boolean => call.status === "completed" || call.exitCode !== null

const runOf = (
  gate: string,
  simple: ShellCommand.SimpleCommand,
  call: ToolCall,
  place: Place,
  partial: boolean
): Run => {
  const outcome = outcomeOf(gate, simple, call, partial)
  return {
    gate,
    callId: call.id,
    command: oneLine(Redaction.redact((shellCommand(call) ?? simple.text).slice(0, 2000)), 300),
    exitCode: simple.exit === "implied" ? call.exitCode : null,
    at: call.endedAt ?? call.at,
    ...place,
    result: outcome.result,
    completed: completes(call),
    partial: simple.filtered,
    masked: simple.exit === "masked",
    detail: oneLine(outcome.detail, 300),
    failing: outcome.failing
  }
}

/** Filters that may drop the lines which say that a run failed. */
const cutters: ReadonlySet<string> = new Set(["head", "grep", "egrep", "rg", "sed", "awk", "cut", "jq", "less", "more"])

interface Covered {
  readonly gate: string
  /** The gate is proved by this command's success alone; its failure says nothing of it. */
  readonly implied: boolean
}

const gatesOf = (simple: ShellCommand.SimpleCommand, context: EvidenceContext): ReadonlyArray<Covered> => {
  if (simple.exit === "none" || simple.exit === "background" || simple.dryRun) return []
  const gates = new Map<string, boolean>()
  for (const name of simple.classes) {
    const gate = gateOfClass[name]
    if (gate !== undefined) gates.set(gate, false)
  }
  for (const name of simple.alsoProves) {
    const gate = gateOfClass[name]
    if (gate !== undefined && !gates.has(gate)) gates.set(gate, true)
  }
  for (const declared of context.gates) {
    if (matchesCommand(declared, simple.text) || (simple.via !== null && matchesCommand(declared, simple.via)))
      gates.set(declared.name, false)
  }
  return [...gates].map(([gate, implied]) => ({ gate, implied }))
}

/** Of two runs of one gate in one command, the failed one speaks, then the unknown one. */
const worst = (left: Run, right: Run): Run => {
  const rank = { failed: 0, unknown: 1, passed: 2 }
  return rank[left.result] <= rank[right.result] ? left : right
}

const switched = (simple: ShellCommand.SimpleCommand): string | null => {
  const words = simple.words
  if (words[0] !== "git") return null
  if (words[1] === "switch" || words[1] === "checkout") {
    const flag = words.findIndex((word) => word === "-b" || word === "-B" || word === "-c" || word === "-C")
    const name = flag > 0 ? words[flag + 1] : words.length === 3 ? words[2] : null
    return name !== undefined && name !== null && /^[\w./-]{1,200}$/.test(name) && !name.startsWith("-") ? name : null
  }
  return null
}

const fromShell = (call: ToolCall, place: Place, context: EvidenceContext): Gathered => {
  const command = shellCommand(call)
  if (command === null) return nothing
  const runs = new Map<string, Run>()
  const pushes: Array<Push> = []
  let commits = 0
  let acts = false
  let exercises = false
  let outward = false
  let branch: string | null = null
  const analysis = ShellCommand.analyze(command, context.repo.scripts)
  const cuts = analysis.commands.some((simple) => cutters.has(simple.words[0] ?? ""))
  for (const simple of analysis.commands) {
    if (simple.exit === "none") continue
    for (const { gate, implied } of gatesOf(simple, context)) {
      const run = runOf(gate, simple, call, place, simple.exit === "masked" && cuts)
      if (implied && run.result !== "passed") continue
      const other = runs.get(gate)
      runs.set(gate, other === undefined ? run : worst(other, run))
      if (gate === "push" && simple.push && run.result !== "failed" && !simple.push.delete) {
        pushes.push({
          callId: call.id,
          remote: simple.push.remote,
          branch: simple.push.branch,
          force: simple.push.force,
          ...place
        })
      }
    }
    if (simple.dryRun) continue
    exercises ||= !simple.classes.every((name) => passive.has(name)) && !harmless.has(simple.words[0] ?? "")
    if (simple.classes.includes("commit")) commits += 1
    if (
      simple.classes.some((name) => acting.has(name)) &&
      (call.status !== "error" || simple.classes.includes("write"))
    )
      acts = true
    outward ||=
      call.status !== "error" &&
      simple.classes.some((name) => name === "other" || name === "unknown") &&
      !harmless.has(simple.words[0] ?? "")
    branch = switched(simple) ?? branch
  }
  return { runs: [...runs.values()], pushes, commits, acts, exercises, opaque: analysis.unknown || outward, branch }
}

const fromPullRequestTool = (call: ToolCall, place: Place): Gathered => {
  const ok = call.status === "completed"
  const run: Run = {
    gate: "pr",
    callId: call.id,
    command: oneLine(call.tool, 300),
    exitCode: call.exitCode,
    at: call.endedAt ?? call.at,
    ...place,
    result: ok ? "passed" : "failed",
    completed: ok,
    partial: false,
    masked: false,
    detail: prUrl.exec((call.output ?? "").slice(0, 20_000))?.[0] ?? (ok ? "opened" : "not opened"),
    failing: []
  }
  return { ...nothing, runs: [run], acts: true }
}

/** The gate runs, pushes and commits of a call. */
export const runsOf = (call: ToolCall, place: Place, context: EvidenceContext): Gathered => {
  const kind = toolKind(call.tool)
  if (kind === "shell") return fromShell(call, place, context)
  return kind === "pull_request" ? fromPullRequestTool(call, place) : nothing
}
