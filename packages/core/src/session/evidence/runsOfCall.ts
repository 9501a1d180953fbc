import * as Aways from "./away.ts"
import { doubtOf } from "./doubts.ts"
import type { Away, Edit, EvidenceContext, Push, Run } from "./model.ts"
import { isOf, otherPart } from "./Parts.ts"
import { matchesCommand } from "../config/ReflexionConfig.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { gateOfCheck, isCheck } from "../gates/GateTable.ts"
import { isFromCache } from "../output/FromCache.ts"
import * as KeyHash from "../../ground/system/KeyHash.ts"
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import { placesOf } from "./Places.ts"
import { hasFailed } from "./failedWork.ts"
import { isLook } from "./looking.ts"
import { harmless } from "./possibleRuns.ts"
import { pullRequestUrl } from "./deliveryOutcomes.ts"
import type { Outcome } from "./outcome.ts"
import { noSuchWork, outcomeOf, unknown } from "./runOutcome.ts"
import { oneLine } from "../../ground/text/Text.ts"
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"

/** What one call adds to the evidence beside its edits. */
export interface Gathered {
  readonly runs: ReadonlyArray<Run>
  readonly pushes: ReadonlyArray<Push>
  readonly commits: number
  readonly acts: boolean
  /** The place of the last command that could have shown a defect, null where none could. */
  readonly exercised: number | null
  readonly opaque: boolean
  readonly branch: string | null
  /** Where the change is behind the call. */
  readonly away: Away | null
}

const nothing: Gathered = {
  runs: [],
  pushes: [],
  commits: 0,
  acts: false,
  exercised: null,
  opaque: false,
  branch: null,
  away: null
}

interface Place {
  readonly order: number
  readonly turn: number
}

const gateOfClass: Partial<Record<ShellCommand.CommandClass, string>> = {
  ...gateOfCheck,
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

const mending = /^--(?:fix|write|apply|autocorrect|update-?snapshots?|snapshot-update)$/i

/** A check that mends what it finds, or writes anew what it compares with, changes files, whatever it exits with. */
const mends = ({ classes, runner, words }: ShellCommand.SimpleCommand): boolean =>
  classes.some((name) => name in gateOfCheck) &&
  words.some(
    (word) => word !== null && (mending.test(word) || (word === "-u" && /^(?:vitest|jest)$/.test(runner ?? "")))
  )

const completes = (call: ToolCall): boolean =>
  call.status !== "error" && (call.status === "completed" || call.exitCode === 0)

const moments =
  /\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?(?:\.\d{1,9})?|\d{1,9}(?:\.\d{1,9})?\s?(?:ms|s|secs?|seconds?)\b/g

/** By it a failure without names is known again; its times differ from run to run. */
const printOf = ({ failing, result }: Outcome, { output }: ToolCall): Pick<Run, "print"> =>
  result === "failed" && failing.length === 0
    ? { print: KeyHash.ofText((output ?? "").slice(-8000).replaceAll(moments, "")) }
    : {}

const runOf = (
  gate: string,
  simple: ShellCommand.SimpleCommand,
  call: ToolCall,
  place: Place,
  outcome: Outcome
): Run => {
  return {
    gate,
    callId: call.id,
    command: oneLine(redactedHead(shellCommand(call) ?? simple.text, 2000), 300),
    exitCode: simple.exit === "implied" ? call.exitCode : null,
    at: call.endedAt ?? call.at,
    ...place,
    result: outcome.result,
    completed: completes(call),
    partial: simple.filtered,
    masked: simple.exit === "masked",
    detail: oneLine(outcome.detail, 300),
    failing: outcome.failing,
    ...(outcome.pending === true && { pending: true }),
    ...printOf(outcome, call),
    ...folderOf(call, simple)
  }
}

/** The runs of what a script is called after and does nothing of. */
const idleRuns = (simple: ShellCommand.SimpleCommand, call: ToolCall, place: Place): ReadonlyArray<Run> =>
  simple.exit === "background"
    ? []
    : simple.promises.flatMap((name) => {
        const gate = gateOfClass[name]
        return gate === undefined ? [] : [runOf(gate, simple, call, place, unknown(noSuchWork(gate)))]
      })

const place = `(?:"([^"]{1,400})"|'([^']{1,400})'|([^\\s"'&;|)]{1,400}))`

/** `cd web && npm test`, `(cd web; npm test)` */
const movesTo = new RegExp(
  `^(?:\\s|\\(|set -\\w{1,8}\\s*[;&\\n]+){0,8}(?:cd|pushd)\\s{1,4}${place}\\s{0,4}(?:&&|;|\\n)`
)

/** `npm --prefix web test`, `make -C web test`, `npm test -w web` */
const worksIn = new RegExp(`\\s(?:--prefix|--cwd|--dir|--directory|-C|-w|--workspace|--filter)[ =]${place}`)

/** Where a command runs, as far as its words, a `cd` before it or the call's input say so. */
const folderOf = (call: ToolCall, simple: ShellCommand.SimpleCommand): Pick<Run, "folder"> => {
  const option = worksIn.exec((simple.via ?? simple.text).slice(0, 500))
  const moved = simple.dir ?? named(movesTo.exec((shellCommand(call) ?? "").slice(0, 500)))
  const folder = moved === "" || moved === null ? named(option) : below(moved, named(option))
  const known = folder ?? call.cwd
  return known === null ? {} : { folder: oneLine(redactedHead(known, 400), 400) }
}

const named = (match: RegExpExecArray | null): string | null => match?.[1] ?? match?.[2] ?? match?.[3] ?? null

const below = (folder: string, inner: string | null): string =>
  inner === null ? folder : /^[/~$]/.test(inner) ? inner : `${folder}/${inner}`

/** Filters that may drop the lines which say that a run failed. */
export const cutters: ReadonlySet<string> = new Set("head grep egrep rg sed awk cut jq less more".split(" "))

interface Covered {
  readonly gate: string
  /** The gate is proved by this command's success alone; its failure says nothing of it. */
  readonly implied: boolean
}

const isDeclared = (declared: EvidenceContext["gates"][number], { text, via }: ShellCommand.SimpleCommand): boolean =>
  matchesCommand(declared, text) || (via !== null && matchesCommand(declared, via))

const gatesOf = (simple: ShellCommand.SimpleCommand, context: EvidenceContext): ReadonlyArray<Covered> => {
  if (simple.exit === "background" || simple.dryRun) return []
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
    if (isDeclared(declared, simple)) gates.set(declared.name, false)
  }
  return [...gates].map(([gate, implied]) => ({ gate, implied }))
}

/** Of two runs of one gate in one command, the failed one speaks, then the unknown one. */
const worst = (left: Run, right: Run): Run => {
  // What shows nothing of the change takes nothing from what does.
  if ((left.besides === undefined) !== (right.besides === undefined)) return left.besides === undefined ? left : right
  const rank = { failed: 0, unknown: 1, passed: 2 }
  // Of two that passed, that of the whole says more.
  if (left.result === right.result) return left.partial && !right.partial ? right : left
  return rank[left.result] < rank[right.result] ? left : right
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

const hookSigns =
  /\b(?:husky|lint-staged|lefthook|pre-commit|overcommit)\b|running tasks for staged files|\.{4,}\s{0,3}Passed\b/i

const hookGates: ReadonlyArray<{ readonly gate: string; readonly pattern: RegExp }> = [
  { gate: "tests", pattern: /\b(?:vitest|jest|mocha|pytest|go test|cargo test|rspec|phpunit|npm test|tests?)\b/i },
  { gate: "typecheck", pattern: /\b(?:tsc|mypy|pyright|type-?check)\b/i },
  { gate: "lint", pattern: /\b(?:eslint|oxlint|biome|ruff|clippy|golangci-lint|rubocop|lint)\b/i }
]

/** What a commit's hook ran: the commit went through, so it passed. */
const fromHook = (simple: ShellCommand.SimpleCommand, call: ToolCall, place: Place): ReadonlyArray<Run> => {
  const output = (call.output ?? "").slice(0, 20_000)
  const skipped = simple.words.includes("--no-verify") || simple.words.includes("-n")
  if (skipped || simple.exit !== "implied" || call.exitCode !== 0 || !hookSigns.test(output)) return []
  return hookGates
    .filter(({ pattern }) => pattern.test(output))
    .map(({ gate }) => ({
      gate,
      callId: call.id,
      command: oneLine(redactedHead(simple.text, 2000), 300),
      exitCode: 0,
      at: call.endedAt ?? call.at,
      ...place,
      result: "passed" as const,
      completed: true,
      partial: false,
      masked: false,
      detail: "passed in the commit's hook",
      failing: []
    }))
}

/** Only where the call has no run of the gate. */
const addNew = (runs: Map<string, Run>, run: Run): void => {
  if (![...runs.values()].some(({ gate }) => gate === run.gate)) runs.set(run.gate, run)
}

/** What of the record a call is read with. */
export interface Before {
  /** The branch that is worked on. */
  readonly branch: string | null
  /** Where the change was before the call. */
  readonly away: Away | null
  /** Code that was edited in this turn, by the call itself as well. */
  readonly edits: ReadonlyArray<Edit>
  /** The order of the last edit of code of any turn, and of the last commit. */
  readonly editedAt: number
  readonly committedAt: number
}

const nothingBefore: Before = { branch: null, away: null, edits: [], editedAt: 0, committedAt: 0 }

const ofOther = (
  run: Run,
  simple: ShellCommand.SimpleCommand,
  { edits }: Before,
  cwd: string | null
): string | null => {
  const part = run.gate === "tests" ? otherPart(simple, run.folder, edits, cwd) : null
  return part === null ? null : `only ${oneLine(redactedHead(part, 400), 80)} was tested, which is not what was edited`
}

const ofCache = (output: string, { editedAt, edits }: Before, cwd: string | null): string | null =>
  editedAt > 0 && isFromCache(output, (task) => isOf(task, edits, cwd))
    ? "everything came from a cache, on code that was edited before"
    : null

/** A run of a check, with what it cannot show: of a change that was not there, of another part, of what was cached. */
const weighed = (
  run: Run,
  simple: ShellCommand.SimpleCommand,
  call: ToolCall,
  known: { readonly before: Before; readonly away: Away | null; readonly analysis: ShellCommand.ShellAnalysis },
  cwd: string | null
): Run => {
  const { gate } = run
  if (!isCheck(gate)) return run
  const { analysis, away, before } = known
  if (away !== null && run.result === "failed" && away.kind !== "gone") return { ...run, besides: away.why }
  if (run.result !== "passed") return run
  const output = call.output ?? ""
  const besides = away?.why ?? ofOther(run, simple, before, cwd) ?? ofCache(output, before, cwd)
  if (besides !== null) return { ...run, result: "unknown", detail: besides, besides }
  const doubt = doubtOf(shellCommand(call) ?? "", simple, analysis, output, gate)
  return doubt === null ? run : { ...run, doubt }
}

/** A host may say it by the exit status alone, which is that of one command of several. */
const failedHere = (call: ToolCall, { soleSuspect }: ShellCommand.SimpleCommand): boolean =>
  call.status === "error" || (soleSuspect && hasFailed(call))

/** A loop until it passes, or the same command again. */
const untilItPasses = /\buntil\s|\b(?:for|while)\s[\s\S]{0,2000}(?:&&\s{0,8}break\b|\bthen\s{1,8}break\b)/

const isRetried = (
  { text }: ShellCommand.SimpleCommand,
  { commands }: ShellCommand.ShellAnalysis,
  command: string
): boolean => commands.filter((other) => other.text === text).length > 1 || untilItPasses.test(command)

const fromShell = (call: ToolCall, { order, turn }: Place, context: EvidenceContext, before: Before): Gathered => {
  const command = shellCommand(call)
  if (command === null) return { ...nothing, away: before.away }
  const runs = new Map<string, Run>()
  const pushes: Array<Push> = []
  let commits = 0
  let acts = false
  let exercised: number | null = null
  let outward = false
  let branch: string | null = null
  const analysis = ShellCommand.analyze(command, context.repo.scripts)
  const cuts = analysis.commands.some((simple) => cutters.has(simple.words[0] ?? ""))
  const echoes = Math.max(0, ...analysis.commands.map(({ echo }) => echo))
  const cwd = call.cwd ?? context.cwd
  const seen = { ...before, cwd, output: call.output ?? "", failed: call.status === "error" }
  let { away } = before
  const places = placesOf(analysis.commands, order, call, context)
  for (const [index, simple] of analysis.commands.entries()) {
    const place = { order: places[index] ?? order, turn }
    away = Aways.afterCommand(away, simple, { ...seen, branch: branch ?? before.branch })
    let proving: Run | null = null
    for (const { gate, implied } of gatesOf(simple, context)) {
      if (implied && proving?.result !== "passed") continue
      const run: Run =
        implied && proving !== null
          ? { ...proving, gate, detail: `${simple.runner ?? "the run"} passed` }
          : weighed(
              runOf(
                gate,
                simple,
                call,
                place,
                outcomeOf(gate, simple, call, {
                  partial: simple.exit === "masked" && cuts,
                  echoes,
                  branch: branch ?? before.branch,
                  retried: isRetried(simple, analysis, command),
                  declared: context.gates.some((declared) => declared.name === gate && isDeclared(declared, simple))
                })
              ),
              simple,
              call,
              { before, away, analysis },
              context.cwd
            )
      if (!implied) proving = run
      // A run behind another edit is of other code, and stands for itself.
      const key = `${gate} ${place.order}`
      const other = runs.get(key)
      runs.set(key, other === undefined ? run : worst(other, run))
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
    for (const run of idleRuns(simple, call, place)) addNew(runs, run)
    if (simple.dryRun || simple.promises.length > 0) continue
    if (!simple.classes.every((name) => passive.has(name)) && !harmless.has(simple.words[0] ?? ""))
      exercised = Math.max(exercised ?? 0, place.order)
    if (simple.classes.includes("commit")) {
      commits += 1
      for (const run of fromHook(simple, call, place)) addNew(runs, run)
    }
    if (mends(simple)) acts = true
    if (
      simple.classes.some((name) => acting.has(name)) &&
      !isLook(simple) &&
      (!failedHere(call, simple) || simple.classes.includes("write"))
    )
      acts = true
    outward ||=
      !failedHere(call, simple) &&
      simple.classes.some((name) => name === "other" || name === "unknown") &&
      !harmless.has(simple.words[0] ?? "")
    branch = switched(simple) ?? branch
  }
  return {
    runs: [...runs.values()],
    pushes,
    commits,
    acts,
    exercised,
    opaque: analysis.unknown || outward,
    branch,
    away
  }
}

/** The checks that a shell call has only started. */
export const startedBy = (call: ToolCall, place: Place, context: EvidenceContext): ReadonlyArray<Run> => {
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  if (command === null || !command.includes("&")) return []
  return ShellCommand.analyze(command, context.repo.scripts)
    .commands.filter(({ dryRun, exit }) => exit === "background" && !dryRun)
    .flatMap((simple) =>
      simple.classes.flatMap((name) => {
        const gate = gateOfClass[name]
        return gate === undefined || !isCheck(gate)
          ? []
          : [runOf(gate, simple, call, place, unknown("its output was not read"))]
      })
    )
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
    detail: pullRequestUrl.exec((call.output ?? "").slice(0, 20_000))?.[0] ?? (ok ? "opened" : "not opened"),
    failing: []
  }
  return { ...nothing, runs: [run], acts: true }
}

/** The gate runs, pushes and commits of a call. */
export const runsOf = (
  call: ToolCall,
  place: Place,
  context: EvidenceContext,
  before: Before = nothingBefore
): Gathered => {
  const kind = toolKind(call.tool)
  const { away } = before
  if (kind === "shell") return fromShell(call, place, context, before)
  return { ...(kind === "pull_request" ? fromPullRequestTool(call, place) : nothing), away }
}
