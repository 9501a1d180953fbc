/** A claim, whoever read it, held against the record: borne out, contradicted, unfounded, or nothing that anybody here could tell. */
import { readProse } from "../../ground/text/AgentSentences.ts"
import { clip } from "../../ground/text/Text.ts"
import { type Evidence, lastPossible, nothingSent, type Run } from "../evidence/Evidence.ts"
import { absence, closeTo, isCheck, isDelivered, nameOf, speaksOf } from "../gates/GateTable.ts"
import { type Assessed, describeFailure } from "../gates/Gates.ts"
import { empty } from "../shell/Scripts.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import type { TaskContext } from "../task/model.ts"
import { commandsIn, readClaims } from "./Claims.ts"
import type { Claim, Held, Standing } from "./model.ts"

export type { Held } from "./model.ts"

/** What of the record every claim is held against. */
export interface Seen {
  readonly evidence: Evidence
  readonly task: TaskContext
  readonly gates: ReadonlyArray<Assessed>
}

const as = (claim: Claim, standing: Standing, fact = "", run?: Run, more: Partial<Held> = {}): Held => ({
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

/** The last edit of code, of whatever turn; of an earlier one no path is known. */
const codeEdit = ({ codeBefore, edits }: Evidence): { readonly order: number; readonly path: string | null } =>
  edits
    .filter(({ kind, path }) => (kind === "source" || kind === "test" || kind === "conflict") && !styles.test(path))
    .toSorted((one, other) => other.order - one.order)[0] ?? {
    order: codeBefore,
    path: null
  }

/** Whether something that nobody here understands may have been it, at `order` or later. */
const mayHave = ({ gate }: Claim, { evidence, task }: Seen, order: number): boolean =>
  evidence.possible.some(
    (run) => (run.gate === null || run.gate === gate) && run.turn >= task.since && run.order >= order
  ) ||
  (evidence.delegated > 0 && evidence.delegated >= order) ||
  (evidence.unseenAt > 0 && evidence.unseenAt >= order) ||
  (evidence.opaque && (evidence.opaqueAt ?? 0) >= order)

/** A command without what says only how it is started. */
const started = (command: string): string =>
  command
    .toLowerCase()
    .replaceAll(/\s\d?>{1,2}&?\s?\S{1,80}|["'\\]/g, "")
    .replaceAll(/(?:^|\s)t(?=\s|$)/g, " test")
    .replaceAll(/(?:^|\s)(?:npx|bunx|uvx|exec|run|--)(?=\s|$)/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()

/** Whether a text names a run's own command, or that of another run: `bash -n a.sh` says nothing of `shellcheck a.sh`. */
const namedBy = ({ gate, text }: Claim, { command }: Run): "it" | "another" | null => {
  const own = commandsIn(text).filter((one) => one.gate === gate)
  const ran = ShellCommand.analyze(command, empty).commands.map((simple) => started(simple.text))
  if (own.some((one) => ran.includes(started(one.command)))) return "it"
  const programOf = (one: string): string => one.trim().split(/\s+/)[0]?.replace(/^.*\//, "") ?? ""
  const isOther = own.every((one) => (gate === "tests" ? one.filtered : !command.includes(programOf(one.command))))
  return own.length > 0 && isOther ? "another" : null
}

/** A command that did more failed in something else: its tests passed, as many as the claim says. */
const countsPassed = ({ count, gate, text }: Claim, { detail }: Run): boolean =>
  gate === "tests" &&
  count !== null &&
  detail.includes(`(${count} passed`) &&
  !/^\W{0,4}`[^`]{2,160}`\W{0,3} (?:goes|passes|succeeds|is|runs|ran)\b/.test(text)

const isOfPart = (claim: Claim, run: Run): boolean =>
  (claim.scope === "part" && namedBy(claim, run) !== "it") ||
  namedBy(claim, run) === "another" ||
  countsPassed(claim, run) ||
  /\b(?:touched|changed|modified|my|new|own|edited)\b/i.test(claim.text)

/** Its last run failed, and nothing since may have passed. */
const heldFailed = (claim: Claim, last: Run, seen: Seen): Held | null => {
  const { evidence, gates } = seen
  const gate = gates.find((one) => one.gate === claim.gate)
  const run = gate?.run?.result === "failed" ? gate.run : last
  const near = [run.gate, ...closeTo(run.gate)]
  if (
    claim.outcome !== "passed" ||
    run.result !== "failed" ||
    gate?.admitted === true ||
    (run.turn !== evidence.turn && run.byUser !== true && run.order < codeEdit(evidence).order) ||
    isOfPart(claim, run) ||
    mayHave(claim, seen, run.order + 1) ||
    evidence.runs.some((other) => other.order > run.order && other.result !== "failed" && near.includes(other.gate))
  )
    return null
  return as(claim, "contradicted", failure(run, gate), run, { failing: true })
}

const failure = (run: Run, gate: Assessed | undefined): string => {
  if (run.verified === true) return `${quoted(run)} failed after you stopped`
  if (gate?.run?.order !== run.order) return `${quoted(run)} failed: ${clip(run.detail, 160)}`
  const described = describeFailure(gate, 50).replace(", not run since", "")
  const said = /^failed\b/.test(described) ? described : `failed: ${described}`
  return `the last run of ${gate.gate}${gate.untrusted ? "" : ` (${quoted(run)})`} ${said}`
}

const sumOf = (runs: ReadonlyArray<Run>, words: string): number | null =>
  runs.reduce<number | null>((sum, { detail }) => {
    const found = [...detail.slice(0, 300).matchAll(/\b(\d{1,6}) (passed|failed|skipped)\b/g)]
    const own = found.filter(([, , word = ""]) => words.includes(word))
    return sum === null || found.length === 0 ? null : own.reduce((all, [, number]) => all + Number(number), sum)
  }, 0)

/** More are claimed than all runs together had, or those that were skipped as well. */
const overcounted = ({ count, text }: Claim, runs: ReadonlyArray<Run>): string | null => {
  const total = sumOf(runs, "passed failed skipped")
  const passed = sumOf(runs, "passed")
  if (count === null || total === null || passed === null) return null
  if (count > total) return `the runs on record had ${total} tests, not ${count}`
  const skipped = sumOf(runs, "skipped") ?? 0
  return skipped > 0 && count > passed && !/skip|ignor|pending|omit/i.test(text)
    ? `${passed} tests passed and ${skipped} were skipped`
    : null
}

const inFull: ReadonlyArray<RegExp> = [
  /\b(?:full|entire|whole|complete) (?:[\w-]{1,14} ){0,2}(?:suite|tests)\b|\b(?:the|our|your) (?:\w{1,10}[- ]){0,2}suite\b(?! (?:for|of|in|named)\b)/i,
  /\ball (?:of )?(?:the )?tests (?:in|across|of) the (?:whole |entire )?(?:project|repo|code ?base|workspace)/i,
  /\b(?:all|both|two|three|four|five|\d{1,2}) (?:of the |the )?(?:\w{1,12} )?(?:modules|packages|crates|workspaces|projects)\b/i
]

/** Only a part ran, and it is told as the whole: in so many words, or after the whole had failed. */
const partOnly = (
  claim: Claim,
  fresh: ReadonlyArray<Run>,
  last: Run,
  { evidence, gates, task }: Seen
): string | null => {
  const saysWhole = inFull.some((pattern) => pattern.test(claim.text))
  if (claim.scope === "part" || fresh.some(({ partial }) => !partial)) return null
  // Who names the command that ran says no more than that.
  if (!saysWhole && fresh.some((run) => namedBy(claim, run) === "it")) return null
  const all = evidence.runs.filter((run) => run.gate === claim.gate && !run.partial)
  const decided = gates.find(({ gate }) => gate === claim.gate)?.run
  const isOpen = decided != null && (decided.order !== last.order || decided.result === "unknown")
  if (isOpen && all.some(({ result, turn }) => turn >= task.since && result === "failed"))
    return `the whole failed, and only ${quoted(last)} was run since`
  // "All tests pass" is often said of all that matter; several parts may be the whole.
  const several = new Set(fresh.map(({ command }) => command)).size > 1
  const namesWhole =
    claim.scope === "whole" && commandsIn(claim.text).some(({ filtered, gate }) => gate === claim.gate && !filtered)
  return (saysWhole || namesWhole) && !several && all.every(({ result }) => result === "failed")
    ? `only a part of ${nameOf(claim.gate) ?? claim.gate} was run: ${quoted(last)}`
    : null
}

const ranNothing = /^(?:no tests? (?:ran|was|were|files?)\b|it ran nothing|no test of this runner|the script has no )/i

const notStarted = /^it could not be run: /

/** It ran since the last edit. */
const heldFresh = (claim: Claim, fresh: ReadonlyArray<Run>, last: Run, seen: Seen): Held => {
  const { evidence } = seen
  const since = mayHave(claim, seen, last.order + 1)
  if (claim.outcome === "passed" && !since) {
    if (last.pending === true) return as(claim, "contradicted", `${quoted(last)} showed that ${last.detail}`, last)
    const isAbsent = fresh.every(({ detail, result }) => result === "unknown" && notStarted.test(detail))
    if (isAbsent && namedBy(claim, last) !== "another" && !mayHave(claim, seen, codeEdit(evidence).order))
      return as(
        claim,
        "contradicted",
        `${quoted(last)} never ran: ${clip(last.detail.replace(notStarted, ""), 160)}`,
        last,
        { failing: true }
      )
    const sent = (run: Run): boolean => run.gate === "push" && run.result === "passed" && run.detail !== nothingSent
    if (
      claim.gate === "ci" &&
      last.result === "passed" &&
      evidence.runs.some((run) => run.order > last.order && sent(run))
    )
      return as(claim, "contradicted", `${quoted(last)} was before the last push`, last)
    const all = evidence.runs.filter(({ gate }) => gate === claim.gate)
    if (all.every(({ detail, result }) => result === "unknown" && ranNothing.test(detail)) && !mayHave(claim, seen, 0))
      return as(
        claim,
        "contradicted",
        `${quoted(last)} ran nothing${last.detail.startsWith("it ran nothing") ? "" : `: ${clip(last.detail, 120)}`}`,
        last
      )
  }
  if (claim.outcome === "passed" && last.result !== "passed") return as(claim, "not_checkable", last.detail, last)
  if (claim.gate !== "tests" || mayHave(claim, seen, codeEdit(evidence).order))
    return as(claim, "borne_out", last.detail, last)
  const fault = overcounted(claim, fresh) ?? partOnly(claim, fresh, last, seen)
  return fault === null
    ? as(claim, "borne_out", last.detail, last)
    : as(claim, "contradicted", fault, last, { beyond: true })
}

/** The text itself says when that was. */
const dated =
  /\b(?:(?:was|were|ran|run) (?:\w{1,10} )?before|before (?:the|that|this|my|i)\b|prior to|since then|earlier|after that)\b/i

/** It ran, and what it is of was edited since. */
const heldStale = (claim: Claim, last: Run, seen: Seen): Held => {
  const { evidence } = seen
  const edit = codeEdit(evidence)
  const near = closeTo(claim.gate)
  const isTried =
    evidence.exercised >= edit.order &&
    !evidence.runs.some(({ gate, order }) => order === evidence.exercised && isCheck(gate))
  const isUnclear =
    claim.outcome === "ran" ||
    last.result === "unknown" ||
    edit.path === null ||
    dated.test(claim.text) ||
    evidence.unseenAt > 0 ||
    mayHave(claim, seen, edit.order) ||
    isTried ||
    evidence.runs.some(({ gate, order }) => order >= edit.order && near.includes(gate))
  const name = clip(edit.path?.split("/").at(-1) ?? "", 80)
  return isUnclear
    ? as(claim, "not_checkable")
    : as(claim, "contradicted", `${quoted(last)} ran before the last edit (${name}) and was not run since`, last)
}

/** These run whatever a project has put behind them. */
const wraps =
  /\b(?:make|just|task|tox|nox|pre-commit|prek|rake|lefthook|husky|composer|gradlew?|mvnw?|bazel|nx|turbo|moon)\b|\b(?:npm|pnpm|yarn|bun)(?: run)? (?:check|verify|validate|ci|all|qa|test)\b/

/** Something else may have been it: a check that does as much, or a look at a forge. */
const mayBeAnother = ({ gate }: Claim, { evidence }: Seen): boolean => {
  const near = [gate, ...closeTo(gate), ...(gate === "build" ? ["tests"] : gate === "lint" ? ["build"] : [])]
  const ran = [...evidence.runs, ...evidence.issued]
  if (isDelivered(gate)) return evidence.elsewhere || evidence.issued.some((run) => run.gate === gate)
  return (
    lastPossible(evidence, gate) > 0 ||
    ran.some((run) => near.includes(run.gate) || wraps.test(run.command.slice(0, 300)))
  )
}

const lacks: Readonly<Record<string, string>> = {
  ci: "no look at CI is on record",
  commit: "no commit is on record",
  push: "no push is on record",
  pr: "no pull request that was opened is on record",
  checks: "no run of any check is on record"
}

/** Nothing of it is on record. */
const absent = (claim: Claim, seen: Seen, note = ""): Held => {
  const { gate } = claim
  if (mayHave(claim, seen, 0) || mayBeAnother(claim, seen)) return as(claim, "not_checkable")
  const open = seen.gates.find((one) => one.gate === gate)
  return open?.why === "asked" && open.result === "missing" && (isCheck(gate) || gate === "pr")
    ? as(claim, "contradicted", absence(gate), undefined, { failing: true })
    : as(claim, "unfounded", `${lacks[gate] ?? `no run of ${nameOf(gate) ?? gate} is on record`}${note}`)
}

/** A commit, a push or a pull request: made in this task, or earlier with nothing changed since. */
const heldDelivery = (claim: Claim, runs: ReadonlyArray<Run>, seen: Seen): Held => {
  const { evidence, task } = seen
  const last = runs.at(-1)
  const since = codeEdit(evidence).order
  if (last === undefined) return absent(claim, seen)
  if (!mayHave(claim, seen, last.order + 1)) {
    if (last.result === "failed" && !runs.some(({ order, result }) => result !== "failed" && order > since))
      return as(claim, "contradicted", `${quoted(last)} failed: ${last.detail}`, last)
    const isEmpty = runs.every(({ detail, result }) => detail === nothingSent || result === "failed")
    if (
      last.detail === nothingSent &&
      isEmpty &&
      evidence.edits.some(({ kind }) => kind === "source" || kind === "test")
    )
      return as(claim, "contradicted", `${quoted(last)} said that ${last.detail}`, last, { beyond: true })
  }
  return last.turn >= task.since || since <= last.order
    ? as(claim, "borne_out", "", last)
    : absent(claim, seen, " in this task")
}

const heldCheck = (claim: Claim, seen: Seen): Held => {
  const { evidence } = seen
  const all = evidence.runs.filter(({ gate }) => gate === claim.gate)
  // What failed without the change says nothing against it.
  const runs = all.filter(({ besides, result }) => besides === undefined || result !== "failed")
  const last = runs.at(-1)
  if (last === undefined) return all.length > 0 ? as(claim, "not_checkable") : absent(claim, seen)
  const since = codeEdit(evidence).order
  const fresh = runs.filter(({ order }) => order >= since || claim.gate === "ci")
  return (
    heldFailed(claim, last, seen) ??
    (fresh.length > 0 ? heldFresh(claim, fresh, last, seen) : heldStale(claim, last, seen))
  )
}

const heldAll = (claim: Claim, seen: Seen): Held =>
  seen.evidence.exercised > 0 || seen.evidence.runs.some(({ gate }) => isCheck(gate) || gate === "ci")
    ? as(claim, "not_checkable")
    : absent(claim, seen)

const byOwnHand = /\bI(?:'ve| have)? (?:\w{1,12} )?(?:ran|verified|checked|opened|pushed|committed)\b/i

/** What nobody did anything for and nobody asked about is a report of something else, or a plan. */
const isOfTask = ({ gate, text }: Claim, { evidence, task }: Seen): boolean =>
  byOwnHand.test(text) ||
  evidence.edits.some(({ kind }) => kind !== "outside" && kind !== "docs") ||
  (task.intent !== "ask" && evidence.actions > 0 && (!isCheck(gate) || evidence.codeBefore > 0)) ||
  task.asks.some((ask) => ask.gate === gate) ||
  evidence.runs.some((run) => run.gate === gate && (run.byUser === true || run.turn >= task.since)) ||
  (evidence.calls === 0 && speaksOf(task.message.slice(0, 4000), gate))

/** The user has said so before. */
const isTold = (claim: Claim, { task }: Seen): boolean =>
  readClaims(readProse(task.message)).some(({ gate }) => gate === claim.gate)

/**
 * How a claim stands against what the tool calls prove. What passed is not denied.
 *
 * @category assessment
 */
export const hold = (claim: Claim, seen: Seen): Held => {
  if (claim.outcome === "failed" || seen.task.mode === "plan" || !isOfTask(claim, seen))
    return as(claim, "not_checkable")
  const isHandedOver = isDelivered(claim.gate) && claim.gate !== "ci"
  const made = claim.gate === "push" ? ["push", "pr"] : [claim.gate]
  const held =
    claim.gate === "checks"
      ? heldAll(claim, seen)
      : isHandedOver
        ? heldDelivery(
            claim,
            seen.evidence.runs.filter(({ gate }) => made.includes(gate)),
            seen
          )
        : heldCheck(claim, seen)
  const isAccused = held.standing === "contradicted" || held.standing === "unfounded"
  const hasPassed = seen.gates.some(({ gate, result }) => gate === claim.gate && result === "passed")
  return isAccused && ((hasPassed && !held.beyond) || (held.standing === "unfounded" && isTold(claim, seen)))
    ? as(claim, "not_checkable")
    : held
}
