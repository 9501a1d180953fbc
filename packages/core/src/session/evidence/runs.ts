/** Reads the runs, pushes and commits of a call. Also says why a run proves nothing about the change. */
import { matchesCommand } from "../config/ReflexionConfig.ts"
import { gateOfCheck, isCheck } from "../vocabulary/GateTable.ts"
import { redactedHead } from "../../base/redaction/RedactedHead.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import { oneLine } from "../../base/text/Text.ts"
import { isFromCache } from "../output/FromCache.ts"
import type * as ShellCommand from "../shell/ShellCommand.ts"
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { cutters, hasFailed, isIdle, isLook, shellOf } from "./Calls.ts"
import { commitOutcome, failed, type Outcome, passed, pullRequestUrl, unknown } from "./deliveries.ts"
import * as Discards from "./Discards.ts"
import { doubtOf } from "./doubts.ts"
import { placesOf } from "./Edits.ts"
import type { Away, Edit, EvidenceContext, Push, Run } from "./model.ts"
import { outcomeOf } from "./outcome.ts"
import { isOf, otherPart, valuesOf, wordsIn } from "./Parts.ts"

type Simple = ShellCommand.SimpleCommand

export interface CallEvidence {
  readonly runs: ReadonlyArray<Run>
  readonly started: ReadonlyArray<Run>
  readonly pushes: ReadonlyArray<Push>
  readonly commits: number
  readonly acts: boolean
  readonly exercised: number | null
  readonly opaque: boolean
  /** The branch with the agent's work after the call. Null if the branch did not change. */
  readonly branch: string | null
  /** Where the change is after the call. Null if the working copy has it. */
  readonly away: Away | null
}

const nothing = {
  runs: [],
  started: [],
  pushes: [],
  commits: 0,
  acts: false,
  exercised: null,
  opaque: false,
  branch: null
}

export type Place = Pick<Run, "order" | "turn">

const gateOfClass: Partial<Record<ShellCommand.CommandClass, string>> = {
  ...gateOfCheck,
  commit: "commit",
  push: "push",
  pr_create: "pr",
  pr_checks: "ci",
  ci: "ci"
}

const acting = /^(?:write|commit|push|pr|pr_create|pr_merge|deploy|install|format|process|vcs)$/

/** Commands of these classes may show how the code behaves. */
const telling = /^(?:test|build|typecheck|lint|pr_checks|ci|deploy|process|other|unknown)$/

/** Options with which a check changes files: it corrects its findings or writes new snapshots. */
const correcting = /^--(?:fix|write|apply|autocorrect|update-?snapshots?|snapshot-update)$/i

const moments =
  /\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?(?:\.\d{1,9})?|\d{1,9}(?:\.\d{1,9})?\s?(?:ms|s|secs?|seconds?)\b/g

/** A fingerprint that recognises a failure without names. Times are left out, because they differ between runs. */
const printOf = ({ failing, result }: Outcome, { output }: ToolCall): Pick<Run, "print"> =>
  result === "failed" && failing.length === 0
    ? { print: KeyHash.ofText((output ?? "").slice(-8000).replaceAll(moments, "")) }
    : {}

const shown = (text: string): string => oneLine(redactedHead(text, 2000), 300)

export const runBy = (gate: string, call: ToolCall, place: Place, { detail, failing, result }: Outcome): Run => ({
  gate,
  callId: call.id,
  command: shown((toolKind(call.tool) === "shell" ? shellCommand(call) : null) ?? call.tool),
  exitCode: null,
  at: call.endedAt ?? call.at,
  ...place,
  result,
  completed: call.status !== "error" && (call.status === "completed" || call.exitCode === 0),
  partial: false,
  masked: false,
  detail: oneLine(detail, 300),
  failing
})

/** Options that name a folder or a package, as in `npm --prefix web test`, `make -C web test` or `npm test -w web`. */
const worksIn = /^(?:--prefix|--cwd|--dir|--directory|-C|-w|--workspace|--filter)$/

const folderOf = (call: ToolCall, { dir, text, via }: Simple): Pick<Run, "folder"> => {
  const [inner = ""] = valuesOf(wordsIn(via ?? text), worksIn)
  const known = [/^[/~$]/.test(inner) ? "" : (dir ?? ""), inner].filter((part) => part !== "").join("/")
  const folder = known === "" ? call.cwd : known
  return folder === null ? {} : { folder: oneLine(redactedHead(folder, 400), 400) }
}

const runOf = (gate: string, simple: Simple, call: ToolCall, place: Place, outcome: Outcome): Run => ({
  ...runBy(gate, call, place, outcome),
  exitCode: simple.exit === "implied" ? call.exitCode : null,
  partial: simple.filtered,
  masked: simple.exit === "masked",
  ...(outcome.pending === true && { pending: true }),
  ...printOf(outcome, call),
  ...folderOf(call, simple)
})

interface Covered {
  readonly gate: string
  /** True if a success proves the gate, but a failure says nothing about the gate. */
  readonly implied: boolean
  readonly declared: boolean
}

const gatesOf = (simple: Simple, { checks = [], gates: own }: EvidenceContext): ReadonlyArray<Covered> => {
  if (simple.dryRun) return []
  const gates = new Map<string, Covered>()
  const cover = (gate = "", implied = false): void => {
    if (gate !== "" && !gates.has(gate)) gates.set(gate, { gate, implied, declared: false })
  }
  for (const name of simple.classes) cover(gateOfClass[name])
  for (const name of simple.alsoProves) cover(gateOfClass[name], true)
  for (const one of own)
    if ([simple.text, simple.via ?? ""].some((text) => matchesCommand(one, text)))
      gates.set(one.name, { gate: one.name, implied: false, declared: true })
  // A command without a known gate may still be one of the user's declared checks.
  if (gates.size === 0)
    for (const { command, name } of checks)
      if (command === simple.text) gates.set(name, { gate: name, implied: false, declared: true })
  return [...gates.values()]
}

const rank = { failed: 0, unknown: 1, passed: 2 }

const worst = (left: Run, right: Run): Run => {
  // A run that shows nothing about the change does not replace a run that shows something.
  if ((left.besides === undefined) !== (right.besides === undefined)) return left.besides === undefined ? left : right
  // If both have the same result, the run of the whole gate wins.
  if (left.result === right.result) return left.partial && !right.partial ? right : left
  return rank[left.result] < rank[right.result] ? left : right
}

export interface EarlierFacts {
  readonly branch: string | null
  readonly away: Away | null
  /** The code edits of this turn, including those of the call itself. */
  readonly edits: ReadonlyArray<Edit>
  readonly editedAt: number
  readonly committedAt: number
}

const nothingBefore: EarlierFacts = { branch: null, away: null, edits: [], editedAt: 0, committedAt: 0 }

const passedBesides = (
  run: Run,
  simple: Simple,
  output: string,
  { editedAt, edits }: EarlierFacts,
  cwd: string | null
) => {
  const part = run.gate === "tests" ? otherPart(simple, run.folder, edits, cwd) : null
  if (part !== null) return `only ${oneLine(redactedHead(part, 400), 80)} was tested, which is not what was edited`
  return editedAt > 0 && isFromCache(output, (task) => isOf(task, edits, cwd))
    ? "every result came from a cache, although code was edited before"
    : null
}

const untilItPasses = /\buntil\s|\b(?:for|while)\s[\s\S]{0,2000}(?:&&\s{0,8}break\b|\bthen\s{1,8}break\b)/

interface Known {
  readonly call: ToolCall
  readonly shell: ShellCommand.ShellAnalysis & { readonly command: string }
  readonly before: EarlierFacts
  readonly context: EvidenceContext
}

/** `away` says where the change is when the command runs. */
const madeBy = (
  { declared, gate }: Covered,
  simple: Simple,
  place: Place,
  { branch, away }: Pick<EarlierFacts, "away" | "branch">,
  { before, call, context, shell }: Known
): Run => {
  const { command, commands } = shell
  const isSame = ({ text }: Simple): boolean => text === simple.text
  const outcome = outcomeOf(gate, simple, call, {
    partial: simple.exit === "masked" && commands.some(({ words }) => cutters.has(words[0] ?? "")),
    echoes: Math.max(0, ...commands.map(({ echo }) => echo)),
    branch,
    declared,
    retried:
      (commands.filter(isSame).length > 1 && commands.findLast(isSame)?.step === commands.at(-1)?.step) ||
      untilItPasses.test(command)
  })
  const run = runOf(gate, simple, call, place, outcome)
  if (!isCheck(gate) || run.result === "unknown") return run
  const isAway = away === null ? null : Discards.whyAway[away.kind]
  if (run.result === "failed") {
    const besides = commands.some(Discards.addsWorktree) ? "it ran in another work tree" : isAway
    return besides === null || away?.kind === "gone" ? run : { ...run, besides }
  }
  const output = call.output ?? ""
  const besides = isAway ?? passedBesides(run, simple, output, before, context.cwd)
  if (besides !== null) return { ...run, result: "unknown", detail: besides, besides }
  const doubt = doubtOf(command, simple, shell, output, gate)
  return doubt === null ? run : { ...run, doubt }
}

/** Returns the gates that the name of a script promises, although the script does not run them. */
const idle = ({ exit, promises }: Simple): ReadonlyArray<readonly [gate: string, Outcome]> =>
  (exit === "background" ? [] : promises.flatMap((name) => gateOfClass[name] ?? [])).map(
    (gate) => [gate, unknown(`the script has no ${gate} in it`)] as const
  )

const hookSigns =
  /\b(?:husky|lint-staged|lefthook|pre-commit|overcommit)\b|running tasks for staged files|\.{4,}\s{0,3}Passed\b/i

const hookGates = {
  tests: /\b(?:vitest|jest|mocha|pytest|go test|cargo test|rspec|phpunit|npm test|tests?)\b/i,
  typecheck: /\b(?:tsc|mypy|pyright|type-?check)\b/i,
  lint: /\b(?:eslint|oxlint|biome|ruff|clippy|golangci-lint|rubocop|lint)\b/i
}

/** Returns what a commit's hook ran. The hook passed, because the commit was made. */
const hooked = (simple: Simple, call: ToolCall): ReadonlyArray<readonly [gate: string, Outcome]> => {
  const output = (call.output ?? "").slice(0, 20_000)
  const isSkipped = simple.words.includes("--no-verify") || simple.words.includes("-n")
  const isMade = simple.classes.includes("commit") && simple.exit === "implied" && call.exitCode === 0
  return isMade && !isSkipped && !simple.dryRun && hookSigns.test(output)
    ? Object.entries(hookGates).flatMap(([gate, pattern]) =>
        pattern.test(output) ? [[gate, passed("passed in the commit's hook")] as const] : []
      )
    : []
}

const mayCommit = (simple: Simple): boolean =>
  !isIdle(simple) &&
  !isLook(simple) &&
  simple.exit !== "background" &&
  simple.classes.some((one) => /^(?:vcs|other|unknown)$/.test(one))

const fromShell = (
  call: ToolCall,
  { order, turn }: Place,
  context: EvidenceContext,
  before: EarlierFacts
): CallEvidence => {
  const shell = shellOf(call, context)
  if (shell === null) return { ...nothing, away: before.away }
  const runs = new Map<string, Run>()
  const started: Array<Run> = []
  const pushes: Array<Push> = []
  const gathered = { commits: 0, acts: false, opaque: shell.unknown }
  let exercised: number | null = null
  const cwd = call.cwd ?? context.cwd
  let { away, branch } = before
  const places = placesOf(shell.commands, order, call, context)
  for (const [index, simple] of shell.commands.entries()) {
    const place = { order: places[index] ?? order, turn }
    away = Discards.afterCommand(away, simple, { ...before, branch, cwd, output: hasFailed(call) ? call.output : null })
    let proving: Run | null = null
    for (const covered of gatesOf(simple, context)) {
      const { gate, implied } = covered
      if (simple.exit === "background") {
        if (isCheck(gate) && !implied)
          started.push(runOf(gate, simple, call, place, unknown("its output was not read")))
        continue
      }
      if (implied && proving?.result !== "passed") continue
      const run: Run =
        implied && proving !== null
          ? { ...proving, gate, detail: `${simple.runner ?? "the run"} passed` }
          : madeBy(covered, simple, place, { away, branch }, { call, shell, before, context })
      if (!implied) proving = run
      // A run after another edit tested other code, so it counts separately.
      const key = `${gate} ${place.order}`
      const other = runs.get(key)
      runs.set(key, other === undefined ? run : worst(other, run))
      if (gate === "push" && simple.push && run.result !== "failed" && !simple.push.delete) {
        const { branch: to, force, remote } = simple.push
        pushes.push({ callId: call.id, remote, branch: to, force, ...place })
      }
    }
    for (const [gate, outcome] of [...idle(simple), ...hooked(simple, call)])
      if (![...runs.values()].some((run) => run.gate === gate))
        runs.set(gate, runOf(gate, simple, call, place, outcome))
    branch = Discards.branchOf(simple) ?? branch
    if (simple.dryRun || simple.promises.length > 0) continue
    const { classes } = simple
    /** Some hosts report a failure only by the exit status, which may belong to another command of the call. */
    const isFailed = call.status === "error" || (simple.soleSuspect && hasFailed(call))
    if (!isIdle(simple) && classes.some((name) => telling.test(name))) exercised = Math.max(exercised ?? 0, place.order)
    if (classes.includes("commit")) gathered.commits += 1
    const isAct = (simple.words[0] === "chmod" || classes.some((name) => acting.test(name))) && !isLook(simple)
    gathered.acts ||=
      simple.words.some((word) => correcting.test(word ?? "")) || (isAct && (!isFailed || classes.includes("write")))
    gathered.opaque ||= !isFailed && !isIdle(simple) && classes.some((name) => name === "other" || name === "unknown")
  }
  // Git printed its line about a commit, so something made a commit.
  const maker = shell.commands.findLast(mayCommit)
  const made = maker === undefined ? null : commitOutcome(call.output ?? "")
  if (maker !== undefined && made?.result === "passed" && ![...runs.values()].some(({ gate }) => gate === "commit")) {
    runs.set("commit", runOf("commit", maker, call, { order, turn }, made))
    gathered.commits += 1
  }
  return {
    ...gathered,
    exercised,
    runs: [...runs.values()],
    started,
    pushes,
    branch: branch === before.branch ? null : branch,
    away
  }
}

const byTool = (call: ToolCall, place: Place): Run => {
  const url = pullRequestUrl.exec((call.output ?? "").slice(0, 20_000))?.[0]
  const outcome = call.status === "completed" ? passed(url ?? "opened") : failed(url ?? "the tool failed")
  return { ...runBy("pr", call, place, outcome), exitCode: call.exitCode }
}

export const runsOf = (
  call: ToolCall,
  place: Place,
  context: EvidenceContext,
  before: EarlierFacts = nothingBefore
): CallEvidence =>
  toolKind(call.tool) === "pull_request"
    ? { ...nothing, runs: [byTool(call, place)], acts: true, away: before.away }
    : fromShell(call, place, context, before)
