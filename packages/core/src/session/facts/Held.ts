/** Compares a claim with the record. The claim is proved, contradicted, unfounded or not checkable. */
import { readProse } from "../../base/text/Sentences.ts"
import { clip } from "../../base/text/Text.ts"
import { type Evidence, lastPossible, nothingSent, type Run } from "../evidence/Evidence.ts"
import { absence, checkClasses, closeTo, isCheck, isDelivered, nameOf, speaksOf } from "../vocabulary/GateTable.ts"
import { type Assessed, describeFailure, onlyLeavesOut } from "../gates/Gates.ts"
import { empty } from "../shell/Scripts.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import type { TaskContext } from "../task/model.ts"
import { commandsIn, readClaims } from "../claims/Claims.ts"
import type { Claim, HeldClaim } from "../claims/model.ts"

export type { HeldClaim as Held } from "../claims/model.ts"

export interface ClaimContext {
  readonly evidence: Evidence
  readonly task: TaskContext
  readonly gates: ReadonlyArray<Assessed>
}

const as = (
  claim: Claim,
  standing: HeldClaim["standing"],
  fact = "",
  run?: Run,
  more: Partial<HeldClaim> = {}
): HeldClaim => ({
  claim,
  standing,
  fact,
  calls: run?.callId == null ? [] : [run.callId],
  failing: false,
  beyond: false,
  ...more
})

const quoted = (run: Run): string => `\`${clip(run.command, 80)}\``

const styles = /\.(?:css|scss|sass|less|html?|svg)$/i

/** The path is null if the last code edit was in an earlier turn, or if no code was edited. */
const codeEdit = ({ codeBefore, edits }: Evidence): { readonly order: number; readonly path: string | null } =>
  edits
    .filter(({ kind, path }) => (kind === "source" || kind === "test" || kind === "conflict") && !styles.test(path))
    .toSorted((one, other) => other.order - one.order)[0] ?? { order: codeBefore, path: null }

/** True if an unknown call at `order` or later may have done what the claim says. */
const mayHave = ({ gate }: Claim, { evidence, task }: ClaimContext, order: number): boolean =>
  evidence.possible.some(
    (run) => (run.gate === null || run.gate === gate) && run.turn >= task.since && run.order >= order
  ) ||
  (evidence.delegated > 0 && evidence.delegated >= order) ||
  (evidence.unseenAt > 0 && evidence.unseenAt >= order) ||
  (evidence.opaque && (evidence.opaqueAt ?? 0) >= order)

/** True if the record has a later part that was not read. That part may prove the claim. */
const isOvertaken = ({ order }: { readonly order: number }, { evidence }: ClaimContext): boolean =>
  order < (evidence.unreadAt ?? 0)

const started = (command: string): string =>
  command.replaceAll(/\s\d?>.*$|["'\\]|(?<=^|\s)(?:npx|bunx|uvx|exec|run|--)\s/g, "").trim()

/** Says whether the claim names the run's command or another command. Null if the claim names none or is unclear. */
const namedBy = ({ gate, text }: Claim, { command }: Run): "it" | "another" | null => {
  const own = commandsIn(text).filter((one) => one.gate === gate)
  const { commands } = ShellCommand.analyze(command, empty)
  const ran = commands.map((simple) => started(simple.text))
  if (own.some((one) => ran.includes(started(one.command)))) return "it"
  // The record shows only the name of a tool. The tool may have run any command.
  const isTool =
    /^[\w.:-]+$/.test(command) && !commands.some(({ classes }) => classes.some((one) => checkClasses.has(one)))
  if (own.length > 0 && isTool) return "another"
  const isOther = own.every((one) =>
    gate === "tests" ? one.filtered : !command.includes(started(one.command).split(" ")[0] ?? "")
  )
  return own.length > 0 && isOther ? "another" : null
}

const runnersOf = ({ command }: Run): ReadonlyArray<string> =>
  ShellCommand.analyze(command, empty)
    .commands.filter(({ classes }) => classes.some((one) => checkClasses.has(one)))
    .flatMap(({ runner }) => runner ?? [])

/** If there is a run of pytest, "pytest: 34 passed" is about that run. */
const namesRunnerOfAnother = ({ gate, text }: Claim, run: Run, runs: ReadonlyArray<Run>): boolean => {
  const words = text.toLowerCase().split(/[^\w.-]+/)
  const isSaid = (one: Run): boolean => runnersOf(one).some((name) => words.includes(name))
  return !isSaid(run) && runs.some((one) => one.gate === gate && one.result === "passed" && isSaid(one))
}

/** True if the claim may be about a part, about another command, or about the tests that passed in a failed run. */
const isOfPart = (claim: Claim, run: Run, runs: ReadonlyArray<Run>): boolean => {
  const named = namedBy(claim, run)
  const isCounted = claim.count !== null && run.detail.includes(`(${claim.count} passed`)
  return (
    named === "another" ||
    namesRunnerOfAnother(claim, run, runs) ||
    (named === null && (claim.scope === "part" || isCounted)) ||
    /\b(?:touched|changed|modified|my|new|own|edited)\b/i.test(claim.text)
  )
}

const failure = (gate: Assessed, run: Run): string => {
  if (run.verified === true) return `${quoted(run)} failed after you stopped`
  if (gate.run?.order !== run.order) return `${quoted(run)} failed: ${clip(run.detail, 160)}`
  const described = describeFailure(gate, 50).replace(", and did not run since", "")
  const said = described === "" ? "failed" : /^failed\b/.test(described) ? described : `failed: ${described}`
  return `the last run of ${gate.gate}${gate.untrusted ? "" : ` (${quoted(run)})`} ${said}`
}

const heldFailed = (claim: Claim, last: Run, seen: ClaimContext): HeldClaim | null => {
  const { evidence, gates } = seen
  const gate = gates.find((one) => one.gate === claim.gate)
  const run = gate?.run?.result === "failed" ? gate.run : last
  return gate === undefined ||
    run.result !== "failed" ||
    claim.outcome !== "passed" ||
    gate.admitted ||
    (run.turn !== evidence.turn && run.byUser !== true && run.order < codeEdit(evidence).order) ||
    isOfPart(claim, run, evidence.runs) ||
    isOvertaken(run, seen) ||
    mayHave(claim, seen, run.order + 1) ||
    evidence.runs.some(
      (other) =>
        other.order > run.order && other.result !== "failed" && [run.gate, ...closeTo(run.gate)].includes(other.gate)
    )
    ? null
    : as(claim, "contradicted", failure(gate, run), run, { failing: true })
}

const overcounted = ({ count }: Claim, runs: ReadonlyArray<Run>): string | null => {
  const numbers = runs.map(({ detail }) =>
    [...detail.slice(0, 300).matchAll(/\b(\d{1,6}) (?:passed|failed|skipped)\b/g)].map(([, number]) => Number(number))
  )
  const total = numbers.flat().reduce((sum, number) => sum + number, 0)
  return count !== null && count > total && numbers.every(({ length }) => length > 0)
    ? `the runs on record had ${total} tests, not ${count}`
    : null
}

const inFull =
  /\b(?:(?:full|entire|whole|complete) (?:[\w-]{1,14} ){0,2}(?:suite|tests)|(?:the|our|your) (?:\w{1,10}[- ]){0,2}suite)\b(?! (?:for|of|in|named)\b)/i

/** If the claim names the whole explicitly, or the whole failed before, says that only a part ran. Otherwise null. */
const partOnly = (
  claim: Claim,
  fresh: ReadonlyArray<Run>,
  last: Run,
  { evidence, gates, task }: ClaimContext
): string | null => {
  const saysWhole = inFull.test(claim.text)
  // If a text names a command, the claim is only about that command.
  const isNamed = !saysWhole && fresh.some((run) => namedBy(claim, run) === "it")
  if (claim.scope === "part" || isNamed || fresh.some((run) => !run.partial || onlyLeavesOut(run))) return null
  const all = evidence.runs.filter((run) => run.gate === claim.gate && !run.partial)
  if (all.length === 0 && evidence.unreadAt !== undefined) return null
  const decided = gates.find(({ gate }) => gate === claim.gate)?.run
  const isOpen = decided != null && (decided.order !== last.order || decided.result === "unknown")
  if (isOpen && all.some(({ result, turn }) => turn >= task.since && result === "failed"))
    return `the full check failed, and only ${quoted(last)} was run since`
  // "All tests pass" often means all tests that matter. Several parts together may also be all tests.
  const isSeveral = new Set(fresh.map(({ command }) => command)).size > 1
  const namesWhole = claim.scope === "whole" && commandsIn(claim.text).some(({ filtered }) => !filtered)
  return (saysWhole || namesWhole) && !isSeveral && all.every(({ result }) => result === "failed")
    ? `only a part of ${nameOf(claim.gate) ?? claim.gate} was run: ${quoted(last)}`
    : null
}

const ranNothing =
  /^(?:it could not be run: |no tests? (?:ran|was|were|files?)\b|it ran nothing|no test of this runner|the script has no )/i

const heldFresh = (claim: Claim, fresh: ReadonlyArray<Run>, last: Run, seen: ClaimContext): HeldClaim => {
  const isLast = !isOvertaken(last, seen) && !mayHave(claim, seen, last.order + 1)
  const edited = codeEdit(seen.evidence).order
  const isSure = !mayHave(claim, seen, edited) && edited >= (seen.evidence.unreadAt ?? 0)
  const isPassed = claim.outcome === "passed"
  if (isPassed && isLast && last.pending === true)
    return as(claim, "contradicted", `${quoted(last)} showed that ${last.detail}`, last)
  const isIdle = fresh.every(({ detail, result }) => result === "unknown" && ranNothing.test(detail))
  if (isPassed && isSure && isIdle && namedBy(claim, last) !== "another") {
    const fact = `${quoted(last)} ran nothing: ${clip(last.detail.replace(/^it ran nothing\W*/, ""), 160)}`
    return as(claim, "contradicted", fact, last, { failing: last.detail.startsWith("it could") })
  }
  if (isPassed && last.result !== "passed") return as(claim, "not_checkable", last.detail, last)
  const fault =
    claim.gate === "tests" && isSure ? (overcounted(claim, fresh) ?? partOnly(claim, fresh, last, seen)) : null
  return fault === null
    ? as(claim, "borne_out", last.detail, last)
    : as(claim, "contradicted", fault, last, { beyond: true })
}

/** Words that say that the claim is about an earlier time. */
const dated =
  /\b(?:(?:was|were|ran|run) (?:\w{1,10} )?before|before (?:the|that|this|my|i)\b|prior to|since then|earlier|after that)\b/i

const heldStale = (claim: Claim, last: Run, seen: ClaimContext): HeldClaim => {
  const { exercised, runs, unseenAt } = seen.evidence
  const { order, path } = codeEdit(seen.evidence)
  const since = runs.filter((run) => run.order >= order)
  const isTried = exercised >= order && !since.some((run) => run.order === exercised && isCheck(run.gate))
  return claim.outcome === "ran" ||
    last.result === "unknown" ||
    path === null ||
    dated.test(claim.text) ||
    unseenAt > 0 ||
    isTried ||
    isOvertaken({ order }, seen) ||
    mayHave(claim, seen, order) ||
    since.some(({ gate }) => closeTo(claim.gate).includes(gate))
    ? as(claim, "not_checkable")
    : as(
        claim,
        "contradicted",
        `${quoted(last)} ran before the last edit (${clip(path.split("/").at(-1) ?? "", 80)}) and was not run since`,
        last
      )
}

/** Programs that run commands from the project's own files. */
const wraps =
  /\b(?:make|just|task|tox|nox|pre-commit|rake|lefthook|husky|composer|gradlew?|mvnw?|bazel|nx|turbo)\b|\b(?:npm|pnpm|yarn|bun)(?: run)? (?:check|verify|validate|ci|all|qa|test)\b/

/** True if the claim may mean something else: a check that proves as much, or a call of a forge. */
const mayBeAnother = ({ gate }: Claim, { evidence }: ClaimContext): boolean => {
  const { elsewhere, issued, runs } = evidence
  const near = [gate, ...closeTo(gate), ...(gate === "build" ? ["tests"] : gate === "lint" ? ["build"] : [])]
  return isDelivered(gate)
    ? elsewhere || issued.some((run) => run.gate === gate)
    : lastPossible(evidence, gate) > 0 ||
        [...runs, ...issued].some((run) => near.includes(run.gate) || wraps.test(run.command.slice(0, 300)))
}

const lacks: Readonly<Record<string, string>> = {
  ci: "no look at CI is on record",
  commit: "no commit is on record",
  push: "no push is on record",
  pr: "no opened pull request is on record",
  checks: "no run of any check is on record"
}

/** If code was edited after the unread part, a check in that part would not prove the claim. */
const mayBeUnread = ({ gate }: Claim, { evidence }: ClaimContext): boolean =>
  evidence.unreadAt !== undefined && !(isCheck(gate) && codeEdit(evidence).order > evidence.unreadAt)

const absent = (claim: Claim, seen: ClaimContext, note = ""): HeldClaim => {
  const { gate } = claim
  if (mayBeUnread(claim, seen) || mayHave(claim, seen, 0) || mayBeAnother(claim, seen))
    return as(claim, "not_checkable")
  const open = seen.gates.find((one) => one.gate === gate)
  const lacking = lacks[gate] ?? `no run of ${nameOf(gate) ?? gate} is on record`
  return open?.why === "asked" && open.result === "missing" && (isCheck(gate) || gate === "pr")
    ? as(claim, "contradicted", absence(gate), undefined, { failing: true })
    : as(claim, "unfounded", `${lacking}${seen.evidence.unreadAt === undefined ? note : " in what was read"}`)
}

/** The delivery must be from this task. An older delivery counts if no code was edited since. */
const heldDelivery = (claim: Claim, runs: ReadonlyArray<Run>, seen: ClaimContext): HeldClaim => {
  const { evidence, task } = seen
  const last = runs.at(-1)
  const since = codeEdit(evidence).order
  if (last === undefined) return absent(claim, seen)
  if (!isOvertaken(last, seen) && !mayHave(claim, seen, last.order + 1)) {
    if (last.result === "failed" && !runs.some(({ order, result }) => result !== "failed" && order > since))
      return as(claim, "contradicted", `${quoted(last)} failed: ${last.detail}`, last)
    const isEmpty = runs.every(({ detail, result }) => detail === nothingSent || result === "failed")
    if (isEmpty && evidence.edits.some(({ kind }) => kind === "source" || kind === "test"))
      return as(claim, "contradicted", `${quoted(last)} said that ${last.detail}`, last, { beyond: true })
  }
  return last.turn >= task.since || since <= last.order || claim.gate === "pr"
    ? as(claim, "borne_out", "", last)
    : absent(claim, seen, " in this task")
}

const heldCheck = (claim: Claim, all: ReadonlyArray<Run>, seen: ClaimContext): HeldClaim => {
  // If a run failed on code without the change, the failure does not contradict the claim.
  const runs = all.filter(({ besides, result }) => besides === undefined || result !== "failed")
  const last = runs.at(-1)
  if (last === undefined) return all.length > 0 ? as(claim, "not_checkable") : absent(claim, seen)
  const since = codeEdit(seen.evidence).order
  const fresh = runs.filter(({ order }) => order >= since || claim.gate === "ci")
  return (
    heldFailed(claim, last, seen) ??
    (fresh.length > 0 ? heldFresh(claim, fresh, last, seen) : heldStale(claim, last, seen))
  )
}

/** False if nobody ordered this gate and the agent did nothing for it. */
const isOfTask = ({ gate, text }: Claim, { evidence, task }: ClaimContext): boolean =>
  /\bI(?:'ve| have)? (?:\w{1,12} )?(?:ran|verified|checked|opened|pushed|committed)\b/i.test(text) ||
  evidence.edits.some(({ kind }) => kind !== "outside" && kind !== "docs") ||
  (task.intent !== "ask" && evidence.actions > 0 && (!isCheck(gate) || evidence.codeBefore > 0)) ||
  task.asks.some((ask) => ask.gate === gate) ||
  evidence.runs.some((run) => run.gate === gate && (run.byUser === true || run.turn >= task.since)) ||
  (evidence.calls === 0 && speaksOf(task.message.slice(0, 4000), gate))

/** A pull request proves "pushed", and any check proves "all checks". */
const madeBy = (gate: string): ((run: Run) => boolean) =>
  gate === "checks"
    ? (run) => isCheck(run.gate) || run.gate === "ci"
    : (run) => run.gate === gate || (gate === "push" && run.gate === "pr")

/**
 * If the gate passed, a claim is `contradicted` only if it says more than the run showed. If the user said the same, an
 * unfounded claim is `not_checkable`.
 *
 * @category assessment
 */
export const hold = (claim: Claim, seen: ClaimContext): HeldClaim => {
  const { evidence, gates, task } = seen
  const { gate, outcome } = claim
  const open = as(claim, "not_checkable")
  const runs = evidence.runs.filter(madeBy(gate))
  if (outcome === "failed" || task.mode === "plan" || !isOfTask(claim, seen)) return open
  if (gate === "checks" && (runs.length > 0 || evidence.exercised > 0)) return open
  const isHandedOver = isDelivered(gate) && gate !== "ci"
  const held = isHandedOver ? heldDelivery(claim, runs, seen) : heldCheck(claim, runs, seen)
  const isTold = (): boolean => readClaims(readProse(task.message)).some((told) => told.gate === gate)
  if (held.standing === "unfounded" && isTold()) return open
  const isPassed = gates.some((one) => one.gate === gate && one.result === "passed")
  return held.standing !== "borne_out" && isPassed && !held.beyond ? open : held
}
