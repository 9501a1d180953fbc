/** The gates of a task: which of them it must pass under the policy, and what the evidence says of each. */
import * as Evidence from "../evidence/Evidence.ts"
import { withDoubts } from "./afterRed.ts"
import { decisive } from "./decidingRun.ts"
import { gates, isCheck, names } from "./GateTable.ts"
import { answers } from "./orderedCommand.ts"
import { possibleRun } from "./possibleRun.ts"
import { ranElsewhere } from "./ranElsewhere.ts"
import { clip, oneLine, plural } from "../../ground/text/Text.ts"
import { type DeclaredGate, matchesPath } from "../config/ReflexionConfig.ts"
import type { Ask } from "../task/TaskContext.ts"
import type { Assessed, Gate, GateContext, GateResult } from "./model.ts"

export type { Assessed, GateContext } from "./model.ts"

const code = ["source", "test", "conflict", "unknown"] as const

/** The order of the last edit that a gate's result depends on. */
const mattersSince = (gate: string, evidence: Evidence.Evidence, context: GateContext): number => {
  if (isCheck(gate)) return Evidence.lastEdit(evidence, code)
  const declared = context.declared.find((other) => other.name === gate)
  if (declared !== undefined) return Math.max(0, ...covered(declared, evidence, context).map((edit) => edit.order))
  return gate === "ci" ? Math.max(0, ...evidence.pushes.map((push) => push.order)) : 0
}

const relative = (path: string, cwd: string | null): string =>
  cwd !== null && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path

const covered = (gate: DeclaredGate, evidence: Evidence.Evidence, context: GateContext): ReadonlyArray<Evidence.Edit> =>
  evidence.edits.filter((edit) =>
    gate.paths.length === 0
      ? edit.kind === "source" || edit.kind === "test"
      : edit.kind !== "outside" && matchesPath(gate, relative(edit.path, context.cwd))
  )

const inTask = (run: Evidence.Run, gate: string, context: GateContext): boolean =>
  run.gate === gate && run.turn >= context.task.since

/** A question in between is answered, whatever has to pass before the work is done. */
const isWorkedOn = (evidence: Evidence.Evidence, { task }: GateContext): boolean =>
  task.intent === "act" || evidence.edits.length > 0 || evidence.delegated > 0

const why = (
  gate: string,
  evidence: Evidence.Evidence,
  context: GateContext,
  run: Evidence.Run | null
): Assessed["why"] => {
  if (context.task.asks.some((ask) => ask.gate === gate && !onlyReported(ask, evidence, context))) return "asked"
  if (context.task.forbids.includes(gate)) return null
  const declared = context.declared.find((other) => other.name === gate)
  if (declared?.doneWhen === true)
    return (declared.required || run !== null) && isWorkedOn(evidence, context) ? "done_when" : null
  if (declared !== undefined)
    return declared.required && covered(declared, evidence, context).length > 0 ? "declared" : null
  const edited = Evidence.lastEdit(evidence, ["source", "test"]) > 0
  const isInstructed = edited && context.repo.instructedGates.some((name) => name === gate)
  // "CI must be green before merge" is about what was pushed.
  if (isInstructed && (gate !== "ci" || evidence.pushes.length > 0)) return "instructed"
  if (
    context.profile === "strict" &&
    context.coding &&
    (edited || evidence.commits > 0) &&
    strictly(gate, evidence, context.repo)
  )
    return "strict"
  const isSeen = edited || run?.verified === true
  if (isSeen && run !== null && !context.task.wantsFailure && leftFailing(run, evidence)) return "left_failing"
  if (gate !== "tests" || context.task.about === "ops" || context.task.intent === "ask") return null
  if (edited && context.task.reportsFailure) return "reported"
  return null
}

const extensionOf = (path: string): string => path.slice(path.lastIndexOf("."))

/** Code that the project's own tests cover was changed, and nothing was run since that could have shown a defect. */
const unverified = (evidence: Evidence.Evidence, context: GateContext): boolean => {
  if (context.task.about === "ops" || context.task.intent === "ask") return false
  const changed = Evidence.lastEdit(evidence, ["source"])
  if (changed === 0 || evidence.exercised > changed) return false
  const { covers, testCommand } = context.repo
  const coveredByRepo =
    testCommand !== null &&
    evidence.edits.some((edit) => edit.kind === "source" && covers.includes(extensionOf(edit.path)))
  return coveredByRepo || evidence.runs.some((run) => run.gate === "tests" && run.turn < evidence.turn)
}

/** "CI is failing" says where it fails; CI itself is asked for only where something is pushed for it to run on. */
const onlyReported = (ask: Ask, evidence: Evidence.Evidence, context: GateContext): boolean =>
  ask.gate === "ci" &&
  ask.how === "fix" &&
  !context.task.asks.some((other) => other.gate === "push" || other.gate === "pr") &&
  !evidence.pushes.some((push) => push.turn >= context.task.since)

/** The strict profile requires what the project has, as far as its files or the record show it. */
const strictly = (gate: string, evidence: Evidence.Evidence, repo: GateContext["repo"]): boolean => {
  switch (gate) {
    case "tests":
      return repo.testCommand !== null || repo.testFolders.length > 0 || hasRun(gate, evidence)
    case "build":
      return repo.buildCommand !== null || hasRun(gate, evidence)
    case "pr":
    case "ci":
      return repo.remote === true || repo.ciFiles || evidence.pushes.length > 0
    default:
      return false
  }
}

const hasRun = (gate: string, evidence: Evidence.Evidence): boolean => evidence.runs.some((run) => run.gate === gate)

/**
 * The gate's last run in this turn failed and no check of any kind ran after it. A later check, an edit or a subagent
 * may have settled the matter in a way that is not on record, and then it is not ours to say.
 */
const leftFailing = (run: Evidence.Run, evidence: Evidence.Evidence): boolean =>
  isCheck(run.gate) &&
  run.result === "failed" &&
  run.byUser !== true &&
  run.turn === evidence.turn &&
  evidence.delegated <= run.order &&
  !evidence.runs.some((other) => isCheck(other.gate) && other.order > run.order && other.result !== "failed")

const editName = (edit: Evidence.Edit | null): string => {
  if (edit === null || edit.path === "*") return "the last edit"
  const parts = edit.path.split("/")
  return `the last edit (${clip(parts[parts.length - 1] ?? edit.path, 80)})`
}

const resultOf = (run: Evidence.Run | null, since: number, issued: boolean, required: boolean): GateResult => {
  if (run === null) return issued ? "unknown" : required ? "missing" : "not_required"
  if (run.order < since) return "stale"
  return run.result
}

const detailOf = (
  gate: string,
  result: GateResult,
  run: Evidence.Run | null,
  edit: Evidence.Edit | null,
  why: Assessed["why"]
): string => {
  switch (result) {
    case "missing":
      return why === "asked"
        ? "asked for, never run"
        : why === "reported"
          ? "reported failing, not run since the edit"
          : "required, never run"
    case "not_required":
      return "not asked for"
    case "stale":
      return `${run?.result === "failed" ? "failed" : "ran"} before ${editName(edit)}, not run since`
    case "unknown":
      return run?.detail ?? "started, its outcome is not known"
    default:
      return run === null
        ? result
        : run.partial && result === "passed"
          ? `${run.detail}, a part of ${gate} only`
          : run.detail
  }
}

const toEvidence = (run: Evidence.Run): Gate["evidence"][number] => ({
  callId: run.callId,
  command: run.command,
  exitCode: run.exitCode,
  at: run.at
})

/**
 * The command by which the gate is run: the user's own words first, then the configuration's, then the repository's. The
 * agent is told it, so it is none that a slash command's file names.
 */
const commandOf = (gate: string, context: GateContext): string | null => {
  const asked = context.task.asks.find((ask) => ask.gate === gate && ask.expanded === undefined)?.command ?? null
  if (asked !== null) return asked
  const declared = context.declared.find((other) => other.name === gate)
  if (declared !== undefined) return declared.untrusted === true ? null : declared.command.replaceAll("*", "").trim()
  const { buildCommand, lintCommand, testCommand, typecheckCommand } = context.repo
  const known: Readonly<Record<string, string | null>> = {
    tests: testCommand,
    build: buildCommand,
    typecheck: typecheckCommand,
    lint: lintCommand
  }
  return known[gate] ?? null
}

/** "Run the full test suite" is not answered by a part of it. */
const wantsWhole = (gate: string, context: GateContext): boolean =>
  context.task.asks.some(
    (ask) =>
      ask.gate === gate && /\b(?:full|whole|entire|complete)\s(?:\w+\s){0,2}(?:suite|tests?|specs?)\b/i.test(ask.quote)
  )

/** The command that the user ordered by its name. */
const orderedBy = (gate: string, { task }: GateContext): string | null =>
  task.asks.find((ask) => ask.gate === gate && ask.expanded === undefined)?.command ?? null

/** Whether a run shows anything of the change, as the working copy now has it. */
const shows = ({ besides, result }: Evidence.Run, { away }: Evidence.Evidence): boolean =>
  besides === undefined || away?.kind === "gone" || (away?.kind === "commit" && result === "failed")

/** What ran that is no run of the gate for all that is known, as a sentence. */
const whatRan = (possible: string | null, other: Evidence.Run | undefined, ordered: string | null): string | null => {
  if (possible !== null) return `something ran that could have been it: ${possible}`
  if (other === undefined) return null
  if (other.besides !== undefined) return other.besides
  if (ordered !== null) return `ordered \`${clip(ordered, 120)}\`, never run`
  return `it was run in ${clip(other.folder ?? "", 120)}, which is not where the edits are`
}

const assessOne = (gate: string, evidence: Evidence.Evidence, context: GateContext): Assessed => {
  const all = evidence.runs.filter((run) => inTask(run, gate, context))
  const ordered = isCheck(gate) ? orderedBy(gate, context) : null
  // Once the command that was ordered by its name has passed, another one that fails is not it.
  const hasPassed =
    ordered !== null &&
    all.some(
      ({ command, order, partial, result }) =>
        result === "passed" && !partial && command.includes(ordered) && order >= mattersSince(gate, evidence, context)
    )
  const isIt = (run: Evidence.Run): boolean =>
    ordered === null ||
    (run.result === "passed"
      ? answers(run, ordered, context.repo.scripts, context.cwd)
      : !hasPassed || run.command.includes(ordered))
  const runs = withDoubts(
    all.filter((run) => shows(run, evidence) && !ranElsewhere(run, evidence, context.cwd) && isIt(run)),
    evidence.edits
  )
  const since = mattersSince(gate, evidence, context)
  const decided = decisive(runs, since)
  const reason = why(gate, evidence, context, decided)
  const lastEdit = evidence.edits.find((edit) => edit.order === since) ?? null
  const issued = evidence.issued.some((other) => other.gate === gate)
  const admitted = context.claims.some((claim) => claim.gate === gate && claim.outcome === "failed")
  const part =
    decided?.result === "passed" &&
    decided.partial &&
    wantsWhole(gate, context) &&
    !runs.some((other) => other.result === "passed" && !other.partial && other.order > since)
  const known = part ? "unknown" : resultOf(decided, since, issued, reason !== null)
  const open = reason !== null && (known === "missing" || known === "stale")
  const other = all.findLast((run) => run.order >= since && !runs.some(({ order }) => order === run.order))
  const may = possibleRun(gate, evidence, { edit: since, turn: context.task.since })
  const possible = open ? whatRan(may, other, other !== undefined && !isIt(other) ? ordered : null) : null
  const judged = possible === null ? known : "unknown"
  const run = possible === null ? decided : null
  // What is on record outranks what the agent tells: other tests may fail than those that passed.
  const isProved = judged === "passed" && run?.partial === false && ordered !== null
  const result = admitted && reason !== null && judged !== "failed" && !isProved ? "failed" : judged
  const denied = evidence.denied.some((call) => call.gates.includes(gate))
  const advised =
    gate === "tests" &&
    reason === null &&
    result !== "passed" &&
    !context.task.forbids.includes(gate) &&
    unverified(evidence, context)
  const detail =
    advised && run === null
      ? "not asked for, though code was changed and nothing was run since"
      : result === "failed" && judged !== "failed"
        ? "failing by the agent's own account"
        : result === "missing" && denied
          ? "asked for, refused when it was tried"
          : possible === null
            ? detailOf(gate, result, run, lastEdit, reason)
            : possible
  return {
    gate,
    required: reason !== null,
    result,
    detail,
    evidence: runs.slice(-3).map(toEvidence),
    why: reason,
    how: context.task.asks.find((ask) => ask.gate === gate)?.how ?? null,
    run,
    lastEdit,
    admitted,
    advised,
    denied,
    command: commandOf(gate, context),
    untrusted: context.declared.some((other) => other.name === gate && other.untrusted === true)
  }
}

const mainBranch = (context: GateContext, branch: string | null): boolean =>
  branch !== null && (branch === "main" || branch === "master" || branch === context.repo.defaultBranch)

/**
 * The pushes of this task that went straight to the default branch.
 *
 * @category accessors
 */
export const pushesToDefault = (evidence: Evidence.Evidence, context: GateContext): ReadonlyArray<Evidence.Push> =>
  evidence.pushes.filter(
    (push) =>
      push.turn >= context.task.since && mainBranch(context, push.branch ?? evidence.branch ?? context.repo.branch)
  )

const reportPush = (gate: Assessed, evidence: Evidence.Evidence, context: GateContext): Assessed => {
  const direct = pushesToDefault(evidence, context)[0]
  if (gate.gate !== "push" || direct === undefined) return gate
  const branch = direct.branch ?? evidence.branch ?? context.repo.branch ?? "the default branch"
  return { ...gate, detail: `pushed straight to ${branch}` }
}

/** Whether the user asked for a gate, or the project's instructions do. */
const isWanted = (gate: string, { repo, task }: GateContext): boolean =>
  task.asks.some((ask) => ask.gate === gate) || repo.instructedGates.some((name) => name === gate)

/**
 * Every gate of the task with its result: the standard ones, the commit if it was asked for, and the declared ones.
 *
 * @category assessment
 */
export const assess = (evidence: Evidence.Evidence, context: GateContext): ReadonlyArray<Assessed> =>
  [
    ...new Set([
      ...names.filter((name) => gates[name].onlyAsked !== true || isWanted(name, context)),
      ...context.declared.map((gate) => gate.name)
    ])
  ].map((gate) => reportPush(assessOne(gate, evidence, context), evidence, context))

/**
 * Where the evidence stands, as an opaque text. It is another one if a required gate ran or its result changed, if
 * another gate is required, or if something was edited that a check or a required gate depends on; whatever else the
 * agent does leaves it as it is.
 *
 * @category accessors
 */
export const mark = (evidence: Evidence.Evidence, context: GateContext): string => {
  const required = assess(evidence, context).filter((gate) => gate.required)
  const edited = required.map(({ gate }) => mattersSince(gate, evidence, context))
  const gates = required.map(({ gate, result }) => {
    const run = evidence.runs.findLast((other) => other.gate === gate)
    return `${gate}=${result}@${Evidence.callOf(run?.order ?? 0)}`
  })
  const edit = Math.max(Evidence.lastEdit(evidence, code), ...edited)
  return [evidence.turn, Evidence.callOf(edit), ...gates].join(":")
}

const placesIn = (mark: string): ReadonlyMap<string, number> => {
  const [turn, edit, ...gates] = mark.split(":")
  const runs = gates.map((gate) => [gate.slice(0, gate.indexOf("=")), gate.slice(gate.lastIndexOf("@") + 1)] as const)
  const all = [["", turn], [":", edit], ...runs] as const
  return new Map(all.flatMap(([name, at]) => (/^\d{1,15}$/.test(at ?? "") ? [[name, Number(at)] as const] : [])))
}

/**
 * Whether a mark lies before another one in some respect, which no record that only grows brings about: the record that it
 * is of has lost what the other was taken of, and the two cannot be compared.
 *
 * @category predicates
 */
export const isBehind = (mark: string, other: string): boolean => {
  const places = placesIn(mark)
  return [...placesIn(other)].some(([name, at]) => (places.get(name) ?? at) < at)
}

type Failing = Evidence.Run["failing"][number]

/** A test may be called anything: of its name one line is told, and never as words of ours. */
const longestName = 160

/**
 * The name of what failed, in quotation marks.
 *
 * @category formatting
 */
export const quotedName = ({ name }: Pick<Failing, "name">, longest: number = longestName): string =>
  `"${oneLine(name, longest).replaceAll('"', "'")}"`

const placed = (name: string, { file, line }: Failing): string =>
  file === null ? name : `${name} (${oneLine(`${file}${line === null ? "" : `:${line}`}`, longestName)})`

const firstFailing = ({ run }: Pick<Assessed, "run">): ReadonlyArray<Failing> => (run?.failing ?? []).slice(0, 3)

/**
 * What the run names as failed, with its place; the first three.
 *
 * @category formatting
 */
export const namedFailures = (gate: Pick<Assessed, "run">): ReadonlyArray<string> =>
  firstFailing(gate).map((failing) => placed(oneLine(failing.name, longestName), failing))

/**
 * `3 failing tests: "a"; "b"; "c"`, or the run's own words.
 *
 * @category formatting
 */
export const describeFailure = (gate: Assessed, longest: number = longestName): string => {
  const failing = gate.run?.failing ?? []
  if (failing.length === 0) return gate.detail
  const names = firstFailing(gate).map((one) => placed(quotedName(one, longest), one))
  return `${plural(failing.length, gate.gate === "tests" ? "failing test" : "failure")}: ${names.join("; ")}${failing.length > 3 ? "; …" : ""}`
}
