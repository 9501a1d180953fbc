/** Decides which gates a task must pass, and what the evidence says about each gate. */
import * as Evidence from "../evidence/Evidence.ts"
import { isCheck, isDelivered, names } from "../vocabulary/GateTable.ts"
import { lackedBy, nothingLeft } from "./delivered.ts"
import { isSpared } from "../task/TaskContext.ts"
import { answers } from "./orderedCommand.ts"
import { ranElsewhere } from "./places.ts"
import { decisive, ofWhole, possibleRun, withDoubts } from "./runs.ts"
import { clip, oneLine, plural } from "../../base/text/Text.ts"
import { type DeclaredGate, matchesPath } from "../config/ReflexionConfig.ts"
import type { AssessedGate, GateContext, GateResult } from "./model.ts"

export type { AssessedGate as Assessed, GateContext } from "./model.ts"

export { ranAtEdit } from "./places.ts"

export { onlyLeavesOut } from "./runs.ts"

const code = ["source", "test", "conflict", "unknown"] as const

const declaredAs = (gate: string, { declared }: GateContext) => declared.find(({ name }) => name === gate)

const relative = (path: string, cwd: string | null): string =>
  cwd !== null && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path

const covered = (gate: DeclaredGate, evidence: Evidence.Evidence, { cwd }: GateContext): ReadonlyArray<Evidence.Edit> =>
  evidence.edits.filter((edit) =>
    gate.paths.length === 0
      ? edit.kind === "source" || edit.kind === "test"
      : edit.kind !== "outside" && matchesPath(gate, relative(edit.path, cwd))
  )

/** The `order` of the last event that a gate's result depends on. 0 if no such event is recorded. */
const mattersSince = (gate: string, evidence: Evidence.Evidence, context: GateContext): number => {
  if (isCheck(gate)) return Evidence.lastEdit(evidence, code)
  const declared = declaredAs(gate, context)
  if (declared !== undefined) return Math.max(0, ...covered(declared, evidence, context).map((edit) => edit.order))
  if (gate === "ci") return Math.max(0, ...evidence.pushes.map((push) => push.order))
  return isDelivered(gate) ? lackedBy(gate, evidence, context) : 0
}

const why = (
  gate: string,
  evidence: Evidence.Evidence,
  context: GateContext,
  run: Evidence.Run | null
): AssessedGate["why"] => {
  const { coding, profile, repo, task } = context
  const edited = Evidence.lastEdit(evidence, ["source", "test"]) > 0
  if (isAsked(gate, evidence, context)) return "asked"
  if (task.forbids.includes(gate)) return null
  const isLeftFailing =
    run !== null && (edited || run.verified === true) && !task.wantsFailure && leftFailing(run, evidence)
  if (isSpared(task, gate)) return isLeftFailing ? "left_failing" : null
  const declared = declaredAs(gate, context)
  if (declared?.doneWhen === true) {
    // The user may ask a question in between. The answer to such a question must not depend on these conditions.
    const isWorkedOn = task.intent === "act" || evidence.edits.length > 0 || evidence.delegated > 0
    return (declared.required || run !== null) && isWorkedOn ? "done_when" : null
  }
  if (declared !== undefined)
    return declared.required && covered(declared, evidence, context).length > 0 ? "declared" : null
  if (edited && repo.instructedGates.some((name) => name === gate)) return "instructed"
  if (profile === "strict" && coding && (edited || evidence.commits > 0) && strictly(gate, evidence, repo))
    return "strict"
  if (isLeftFailing) return "left_failing"
  const isReported = gate === "tests" && edited && task.reportsFailure && task.about !== "ops" && task.intent !== "ask"
  return isReported ? "reported" : null
}

/** "CI is failing" only says where the failure is. It is an order for CI only if something was pushed or should be. */
const isAsked = (gate: string, { pushes }: Evidence.Evidence, { task }: GateContext): boolean =>
  task.asks.some(
    (ask) =>
      ask.gate === gate &&
      ask.doubted === undefined &&
      (gate !== "ci" ||
        ask.how !== "fix" ||
        task.asks.some((other) => other.gate === "push" || other.gate === "pr") ||
        pushes.some(({ turn }) => turn >= task.since))
  )

/** True if tested code was changed, and nothing ran afterwards that could have shown a defect. */
const unverified = (evidence: Evidence.Evidence, { repo, task }: GateContext): boolean => {
  const changed = Evidence.lastEdit(evidence, ["source"])
  if (task.about === "ops" || task.intent === "ask" || changed === 0 || evidence.exercised > changed) return false
  return (
    evidence.runs.some((run) => run.gate === "tests" && run.turn < evidence.turn) ||
    (repo.testCommand !== null &&
      evidence.edits.some(
        ({ kind, path }) => kind === "source" && repo.covers.includes(path.slice(path.lastIndexOf(".")))
      ))
  )
}

/** The project's files or the record must show that the project has the gate. */
const strictly = (gate: string, { pushes, runs }: Evidence.Evidence, repo: GateContext["repo"]): boolean => {
  if (gate === "pr" || gate === "ci") return repo.remote === true || repo.ciFiles || pushes.length > 0
  const known = gate === "tests" ? repo.testCommand !== null || repo.testFolders.length > 0 : repo.buildCommand !== null
  return (gate === "tests" || gate === "build") && (known || runs.some((run) => run.gate === gate))
}

/** Another check or a subagent may have solved the problem unseen. Then the judge says nothing. */
const leftFailing = (run: Evidence.Run, evidence: Evidence.Evidence): boolean =>
  isCheck(run.gate) &&
  run.result === "failed" &&
  run.byUser !== true &&
  run.turn === evidence.turn &&
  evidence.delegated <= run.order &&
  !evidence.runs.some((other) => isCheck(other.gate) && other.order > run.order && other.result !== "failed")

const editName = (edit: Evidence.Edit | undefined): string =>
  edit === undefined || edit.path === "*"
    ? "the last edit"
    : `the last edit (${clip(edit.path.slice(edit.path.lastIndexOf("/") + 1), 80)})`

const resultOf = (run: Evidence.Run | null, since: number, issued: boolean, required: boolean): GateResult => {
  if (run === null) return issued ? "unknown" : required ? "missing" : "not_required"
  return run.order < since ? "stale" : run.result
}

const neverRun: Partial<Record<NonNullable<AssessedGate["why"]>, string>> = {
  asked: "asked for, never run",
  reported: "reported as failing, not run since the edit"
}

const detailOf = (
  gate: string,
  result: GateResult,
  run: Evidence.Run | null,
  edit: Evidence.Edit | undefined,
  why: AssessedGate["why"]
): string => {
  if (result === "missing" && run !== null)
    return `asked for in full, but only a part was run: \`${clip(run.command, 120)}\``
  if (result === "missing" && isDelivered(gate)) return `${why === "asked" ? "asked for" : "required"}, not done`
  if (result === "missing") return neverRun[why ?? "strict"] ?? "required, never run"
  if (result === "not_required") return "not asked for"
  if (result === "stale" && run === null) return `not run since ${editName(edit)}`
  if (result === "stale" && gate === "push") return "came before the last commit, which was not pushed"
  if (result === "stale" && gate === "commit") return `came before ${editName(edit)}, which is in no commit`
  if (result === "stale" && gate === "pr")
    return `was opened before ${edit === undefined ? "a commit" : editName(edit)}, which was not pushed`
  if (result === "stale")
    return `${run?.result === "failed" ? "failed" : "ran"} before ${editName(edit)}, and did not run since`
  if (run === null) return result === "unknown" ? "started, but its outcome is unknown" : result
  return run.partial && result === "passed" ? `${run.detail}, but only a part of ${gate}` : run.detail
}

const toEvidence = ({ at, callId, command, exitCode }: Evidence.Run): AssessedGate["evidence"][number] => ({
  callId,
  command,
  exitCode,
  at
})

/** A command in the text of a slash command does not count, because the agent reads that text itself. */
const orderedBy = (gate: string, { task }: GateContext): string | null =>
  task.asks.find((ask) => ask.gate === gate && ask.expanded === undefined)?.command ?? null

const commandOf = (gate: string, context: GateContext): string | null => {
  const declared = declaredAs(gate, context)
  const { buildCommand, lintCommand, testCommand, typecheckCommand } = context.repo
  const known = { tests: testCommand, build: buildCommand, typecheck: typecheckCommand, lint: lintCommand }
  const ordered = orderedBy(gate, context)
  if (ordered !== null || declared === undefined) return ordered ?? (isCheck(gate) ? known[gate] : null)
  return declared.untrusted === true ? null : declared.command.replaceAll("*", "").trim()
}

const shows = ({ besides, result }: Evidence.Run, { away }: Evidence.Evidence): boolean =>
  besides === undefined || away?.kind === "gone" || (away?.kind === "commit" && result === "failed")

const whatRan = (possible: string | null, other: Evidence.Run | undefined, ordered: string | null): string | null => {
  if (possible !== null) return `something ran that could have been it: ${possible}`
  if (other === undefined) return null
  if (other.besides !== undefined) return other.besides
  if (ordered !== null) return `ordered \`${clip(ordered, 120)}\`, never run`
  return `it was run in ${clip(other.folder ?? "", 120)}, which is not where the edits are`
}

/** Several partial runs together may be the whole check. */
const severalOf = (parts: ReadonlyArray<Evidence.Run>): string | null =>
  new Set(parts.map(({ command }) => command)).size > 1
    ? "only parts were run, but together they may be the whole"
    : null

/** The name of a script for one kind of tests. For example, `npm run test:unit`. */
const ofKind = /\b(test[:-](?:units?|e2e|integration|smoke|component|functional|acceptance))\b/

/** Says that only one kind of tests ran. Null if the project's scripts have no tests of another kind. */
const kindOnly = (runs: ReadonlyArray<Evidence.Run>, { repo: { scripts } }: GateContext): string | null => {
  const kinds = new Set(runs.map(({ command }) => ofKind.exec(command)?.[1]))
  const [kind] = kinds
  if (kind === undefined || kinds.size > 1) return null
  const all = Object.entries(scripts.npm)
  const isWhole = (name: string, body: string): boolean => name === kind || body.includes(kind)
  const tests = all.filter(([name]) => /^test(?:$|[:-](?!watch|cov))/.test(name))
  return all.length > 0 && tests.every(([name, body]) => isWhole(name, body))
    ? null
    : `only \`${kind}\` was run, which may be only a part of the tests`
}

const assessOne = (gate: string, evidence: Evidence.Evidence, context: GateContext): AssessedGate => {
  const { claims, cwd, repo, task } = context
  const since = mattersSince(gate, evidence, context)
  const all = evidence.runs.filter((run) => run.gate === gate && run.turn >= task.since)
  const ordered = isCheck(gate) ? orderedBy(gate, context) : null
  const ask = task.asks.find((one) => one.gate === gate)
  // After the ordered command passed, a later failure of another command does not count.
  const hasPassed = all.some(
    ({ command, order, partial, result }) =>
      ordered !== null && result === "passed" && !partial && command.includes(ordered) && order >= since
  )
  const isIt = (run: Evidence.Run): boolean =>
    ordered === null ||
    (run.result === "passed" ? answers(run, ordered, repo.scripts, cwd) : !hasPassed || run.command.includes(ordered))
  const shown = all.filter((run) => shows(run, evidence) && !ranElsewhere(run, evidence, cwd) && isIt(run))
  const sure = withDoubts(shown, evidence.edits)
  const runs = ask?.whole === true ? ofWhole(sure, since) : sure
  const parts = sure.filter((run) => run.order >= since && !runs.includes(run))
  const last = runs.at(-1)
  // If the user ordered the whole check and the check could not run, a part of it proves nothing.
  const isShort = ask?.whole === true && last?.detail.startsWith("it could not be run: ") === true
  const read = isShort && last !== undefined ? last : decisive(runs, since)
  const unreadAt = Evidence.unreadOf(evidence, task.since)
  const isUnread = unreadAt !== null && since <= unreadAt && (read === null || read.order < unreadAt)
  const decided = isUnread ? null : read
  const reason = why(gate, evidence, context, decided)
  const required = reason !== null
  const issued = evidence.issued.some((other) => other.gate === gate)
  const known = isUnread && required ? "unknown" : resultOf(decided, since, issued, required)
  const other = all.findLast((run) => run.order >= since && !sure.some(({ order }) => order === run.order))
  const possible =
    required && (known === "missing" || known === "stale")
      ? (whatRan(
          possibleRun(gate, evidence, since, task.since),
          other,
          other !== undefined && !isIt(other) ? ordered : null
        ) ?? severalOf(parts))
      : ask?.whole === true && known === "passed"
        ? kindOnly(
            runs.filter(({ order, result }) => order >= since && result === "passed"),
            context
          )
        : null
  const none = known === "missing" ? nothingLeft(gate, evidence) : null
  const judged = none ?? (possible === null ? known : "unknown")
  const run = possible === null && !isUnread ? (decided ?? parts.at(-1) ?? null) : null
  const admitted = claims.some((claim) => claim.gate === gate && claim.outcome === "failed")
  // The record counts more than the agent's words. The agent may mean other tests.
  const isProved = judged === "passed" && run?.partial === false && ordered !== null
  const isTold = admitted && required && judged !== "failed" && !isProved
  // A part of the session was not read, so it is unknown whether the gate ran before the last edit.
  const isOwed = judged === "missing" && run === null && unreadAt !== null && !isDelivered(gate)
  const result = isTold ? "failed" : isOwed ? "stale" : judged
  const denied = evidence.denied.some((call) => call.gates.includes(gate))
  const advised =
    gate === "tests" &&
    !required &&
    !isUnread &&
    result !== "passed" &&
    !isSpared(task, gate) &&
    unverified(evidence, context)
  const edit = evidence.edits.find(({ order }) => order === since)
  const detail =
    (advised && run === null ? "not asked for, though code was changed and nothing was run since" : null) ??
    (isTold ? "failing by the agent's own account" : null) ??
    (judged === "missing" && denied ? "asked for, but refused when it was tried" : null) ??
    (isUnread && required ? "a part of the session was not read" : null) ??
    (none === null ? possible : `there was nothing to ${gate}`) ??
    detailOf(gate, result, run, edit, reason)
  return {
    gate,
    required,
    result,
    detail,
    evidence: runs.slice(-3).map(toEvidence),
    why: reason,
    how: ask?.how ?? null,
    run,
    admitted,
    advised,
    denied,
    command: commandOf(gate, context),
    untrusted: declaredAs(gate, context)?.untrusted === true
  }
}

const mainBranch = (context: GateContext, branch: string | null): boolean =>
  branch !== null && (branch === "main" || branch === "master" || branch === context.repo.defaultBranch)

/**
 * Returns the pushes of this task that went directly to the default branch.
 *
 * @category accessors
 */
export const pushesToDefault = (evidence: Evidence.Evidence, context: GateContext): ReadonlyArray<Evidence.Push> =>
  evidence.pushes.filter(
    (push) =>
      push.turn >= context.task.since && mainBranch(context, push.branch ?? evidence.branch ?? context.repo.branch)
  )

const reportPush = (gate: AssessedGate, evidence: Evidence.Evidence, context: GateContext): AssessedGate => {
  const direct = pushesToDefault(evidence, context)[0]
  if (gate.gate !== "push" || direct === undefined) return gate
  const branch = direct.branch ?? evidence.branch ?? context.repo.branch ?? "the default branch"
  return { ...gate, detail: `pushed straight to ${branch}` }
}

/**
 * Returns every gate of the task with its result. The list has `commit` only if the user ordered a commit.
 *
 * @category assessment
 */
export const assess = (evidence: Evidence.Evidence, context: GateContext): ReadonlyArray<AssessedGate> => {
  const standing = names.filter((name) => name !== "commit" || context.task.asks.some(({ gate }) => gate === name))
  return [...new Set([...standing, ...context.declared.map(({ name }) => name)])].map((gate) =>
    reportPush(assessOne(gate, evidence, context), evidence, context)
  )
}

/** Counts from the turn's start. A program that starts to read in the middle of a record knows no other start. */
const placeIn = ({ begunAt = 0 }: Evidence.Evidence, order: number): number =>
  Math.max(0, Evidence.callOf(order - begunAt))

/**
 * Identifies the state of the evidence. The text changes only if a required gate ran or has a new result, if another
 * gate became required, or if a check or a required gate depends on a new edit.
 *
 * @category accessors
 */
export const mark = (evidence: Evidence.Evidence, context: GateContext): string => {
  const required = assess(evidence, context).filter((gate) => gate.required)
  const edited = required.map(({ gate }) => mattersSince(gate, evidence, context))
  const gates = required.map(({ gate, result }) => {
    const run = evidence.runs.findLast((other) => other.gate === gate)
    return `${gate}=${result}@${placeIn(evidence, run?.order ?? 0)}`
  })
  const edit = Math.max(Evidence.lastEdit(evidence, code), ...edited)
  return [placeIn(evidence, edit), ...gates].join(":")
}

const placesIn = (mark: string): ReadonlyMap<string, number> => {
  const [edit, ...gates] = mark.split(":")
  const runs = gates.map((gate) => [gate.slice(0, gate.indexOf("=")), gate.slice(gate.lastIndexOf("@") + 1)] as const)
  const all = [["", edit], ...runs] as const
  return new Map(all.flatMap(([name, at]) => (/^\d{1,15}$/.test(at ?? "") ? [[name, Number(at)] as const] : [])))
}

/**
 * True if a mark is older than another in some part. Then the record has lost events, and the marks cannot be compared.
 *
 * @category predicates
 */
export const isBehind = (mark: string, other: string): boolean => {
  const places = placesIn(mark)
  return [...placesIn(other)].some(([name, at]) => (places.get(name) ?? at) < at)
}

type Failing = Evidence.Run["failing"][number]

const mostKept = 10

/** In characters. The name is put on one line, because it may contain line breaks. */
const longestName = 160

/**
 * Returns the name of the failure in quotation marks.
 *
 * @category formatting
 */
export const quotedName = ({ name }: Pick<Failing, "name">, longest: number = longestName): string =>
  `"${oneLine(name, longest).replaceAll('"', "'")}"`

const unloaded =
  /\b(?:SyntaxError|ImportError|ModuleNotFoundError|ERR_MODULE_NOT_FOUND)\b|Cannot find module|Failed to resolve import/

const placed = (name: string, failing: Failing, { run }: Pick<AssessedGate, "run">): string => {
  const { file, line } = failing
  if (file === failing.name && run?.telling?.some((one) => unloaded.test(one)) === true)
    return `${oneLine(file, longestName)} could not be loaded`
  const place = oneLine(`${file ?? ""}${line === null ? "" : `:${line}`}`, longestName)
  return file === null ? name : file === failing.name ? place : `${name} (${place})`
}

/** The count may exceed the number of names, because a run keeps only some names. */
const countOf = ({ detail, run }: AssessedGate): number => {
  const named = run?.failing.length ?? 0
  const counted = named < mostKept || run?.partlyOld === true ? 0 : Number(/(\d{1,9}) failed/.exec(detail)?.[1] ?? 0)
  return Math.max(named, counted)
}

const firstFailing = ({ run }: Pick<AssessedGate, "run">): ReadonlyArray<Failing> => (run?.failing ?? []).slice(0, 3)

/**
 * Returns the first three failures of the run with their places.
 *
 * @category formatting
 */
export const namedFailures = (gate: Pick<AssessedGate, "run">): ReadonlyArray<string> =>
  firstFailing(gate).map((failing) => placed(oneLine(failing.name, longestName), failing, gate))

/**
 * Returns, for example, `3 failing tests: "a"; "b"; "c"`. Without names, returns the run's detail, which may be empty.
 *
 * @category formatting
 */
export const describeFailure = (gate: AssessedGate, longest: number = longestName): string => {
  const failing = gate.run?.failing ?? []
  if (failing.length === 0) return gate.detail.replace(/^failed(?:: |$)/, "").replace(/^failed \((.+)\)$/, "$1")
  const names = firstFailing(gate).map((one) => placed(quotedName(one, longest), one, gate))
  return `${plural(countOf(gate), gate.gate === "tests" ? "failing test" : "failure")}: ${names.join("; ")}${failing.length > 3 ? "; …" : ""}`
}
