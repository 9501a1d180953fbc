/** Claims held against the record: borne out, contradicted, unfounded, or nothing that anybody here could tell. */
import { readProse } from "../../ground/text/AgentSentences.ts"
import { clip } from "../../ground/text/Text.ts"
import { deed, type Evidence, lastPossible, type Run } from "../evidence/Evidence.ts"
import { closeTo, isCheck, nameOf, speaksOf } from "../gates/GateTable.ts"
import type { Assessed } from "../gates/model.ts"
import type { TaskContext } from "../task/model.ts"
import { readClaims } from "./Claims.ts"
import { heldDeed } from "./heldDeeds.ts"
import type { Claim, Held, Standing } from "./model.ts"
import { codeEdit, mayHave, type Seen } from "./seen.ts"

export type { Held } from "./model.ts"

const ids = (calls: ReadonlyArray<string | null>): ReadonlyArray<string> => calls.filter((id) => id !== null)

const as = (claim: Claim, standing: Standing, fact = "", calls: ReadonlyArray<string | null> = []): Held => ({
  claim,
  standing,
  fact,
  calls: ids(calls),
  failing: false
})

const quoted = (run: Run): string => `\`${clip(run.command, 80)}\``

/** The tests that a run says it ran, none where it gives no number. */
const counted = ({ detail }: Run): number | null => {
  const found = [...detail.slice(0, 300).matchAll(/\b(\d{1,6}) (?:passed|failed|skipped)\b/g)].map((one) =>
    Number(one[1])
  )
  return found.length === 0 ? null : found.reduce((sum, one) => sum + one, 0)
}

/** More are claimed than all runs together had. */
const overcounted = (claim: Claim, runs: ReadonlyArray<Run>): string | null => {
  const counts = runs.map(counted)
  if (claim.count === null || counts.length === 0 || counts.some((one) => one === null)) return null
  const total = counts.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  return claim.count > total ? `the runs on record had ${total} tests, not ${claim.count}` : null
}

const inFull: ReadonlyArray<RegExp> = [
  /\b(?:full|entire|whole|complete|gesamte?n?|toda la|toute la|toda a) (?:[\w-]{1,14} ){0,2}(?:suite|tests|pruebas|testes)\b/i,
  /\ball (?:of )?(?:the )?tests (?:in|across|of) the (?:whole |entire )?(?:project|repo|code ?base|workspace)/i
]

/** Only a part ran, and it is told as the whole: in so many words, or after the whole had failed. */
const partOnly = (claim: Claim, fresh: ReadonlyArray<Run>, { evidence, gates, task }: Seen): string | null => {
  const last = fresh[fresh.length - 1]
  if (last === undefined || claim.scope === "part" || fresh.some(({ partial }) => !partial)) return null
  const red = evidence.runs.find(
    (run) => run.gate === claim.gate && run.turn >= task.since && run.result === "failed" && !run.partial
  )
  const decided = gates.find(({ gate }) => gate === claim.gate)?.run
  if (red !== undefined && decided !== undefined && decided !== null && decided.order !== last.order)
    return `the whole failed, and only ${quoted(last)} was run since`
  if (red !== undefined && decided?.result === "unknown")
    return `the whole failed, and only ${quoted(last)} was run since`
  // "All tests pass" is often said of all that matter.
  const all = evidence.runs.some((run) => run.gate === claim.gate && run.result === "passed" && !run.partial)
  return inFull.some((pattern) => pattern.test(claim.text)) && !all
    ? `only a part of ${nameOf(claim.gate) ?? claim.gate} was run: ${quoted(last)}`
    : null
}

const heldFresh = (claim: Claim, fresh: ReadonlyArray<Run>, seen: Seen): Held => {
  const last = fresh[fresh.length - 1]
  if (last === undefined) return as(claim, "not_checkable")
  if (claim.outcome === "ran") return as(claim, "borne_out", last.detail, [last.callId])
  if (last.pending === true && !mayHave(seen, last.order + 1))
    return as(claim, "contradicted", `${quoted(last)} showed that ${last.detail}`, [last.callId])
  const passed = fresh.filter(({ result }) => result === "passed")
  if (passed.length === 0 || last.result !== "passed") return as(claim, "not_checkable", last.detail, [last.callId])
  if (mayHave(seen, codeEdit(seen.evidence).order)) return as(claim, "borne_out", last.detail, [last.callId])
  const fault = claim.gate === "tests" ? (overcounted(claim, fresh) ?? partOnly(claim, fresh, seen)) : null
  return fault === null
    ? as(claim, "borne_out", last.detail, [last.callId])
    : as(claim, "contradicted", fault, [last.callId])
}

const heldStale = (claim: Claim, runs: ReadonlyArray<Run>, seen: Seen): Held => {
  const last = runs[runs.length - 1]
  const edit = codeEdit(seen.evidence)
  const unclear =
    last === undefined ||
    last.result === "unknown" ||
    edit.path === null ||
    claim.where !== "final" ||
    claim.gate === "ci" ||
    mayHave(seen, edit.order) ||
    seen.evidence.exercised >= edit.order ||
    seen.evidence.runs.some(({ gate, order }) => order >= edit.order && closeTo(claim.gate).includes(gate))
  if (last === undefined || claim.outcome === "ran" || unclear) return as(claim, "not_checkable")
  const name = edit.path === null ? "the last edit" : `the last edit (${clip(edit.path.split("/").at(-1) ?? "", 80)})`
  return as(claim, "contradicted", `${quoted(last)} ran before ${name} and was not run since`, [last.callId])
}

/** A check that does as much, or whose command may do this one as well. */
const ranAnother = ({ gate }: Claim, { evidence }: Seen): boolean => {
  const others = [...closeTo(gate), ...(gate === "build" ? ["tests"] : []), ...(gate === "lint" ? ["build"] : [])]
  return (
    evidence.runs.some((run) => others.includes(run.gate)) ||
    evidence.issued.some((run) => run.gate === gate || others.includes(run.gate)) ||
    lastPossible(evidence, gate) > 0
  )
}

const heldCheck = (claim: Claim, seen: Seen): Held => {
  const { evidence } = seen
  const runs = evidence.runs.filter(({ gate }) =>
    claim.kind === "checks" ? isCheck(gate) || gate === "ci" : gate === claim.gate
  )
  const since = codeEdit(evidence).order
  const fresh = runs.filter(({ order }) => order >= since || claim.gate === "ci")
  if (claim.kind === "checks" && runs.length > 0) return as(claim, "not_checkable")
  if (fresh.length > 0) return heldFresh(claim, fresh, seen)
  if (runs.length > 0) return heldStale(claim, runs, seen)
  const looked = claim.gate === "ci" && deed(evidence, "ci") !== undefined
  if (looked || ranAnother(claim, seen) || deed(evidence, "hook") !== undefined || mayHave(seen, 0))
    return as(claim, "not_checkable")
  if (claim.kind === "checks" && evidence.exercised > 0) return as(claim, "not_checkable")
  const name = claim.kind === "checks" ? "any check" : (nameOf(claim.gate) ?? claim.gate)
  const fact = claim.gate === "ci" ? "no look at CI is on record" : `no run of ${name} is on record`
  return as(claim, "unfounded", fact)
}

const byOwnHand =
  /\b(?:I|we|ich|he|hice|ai|fiz|abri|rodei|executei)\b|^(?:\W{0,6})(?:[A-Z][a-z]{2,12}ed|Ran|Wrote)\b|了|しました/

/** What nobody did anything for and nobody asked about is a report of something else. */
const isOfTask = (claim: Claim, { evidence, task }: Seen): boolean =>
  claim.where !== "final" ||
  byOwnHand.test(claim.text) ||
  evidence.edits.some(({ kind }) => kind !== "outside") ||
  evidence.actions > 0 ||
  task.asks.some(({ gate }) => gate === claim.gate) ||
  (evidence.calls === 0 && speaksOf(task.message.slice(0, 4000), claim.gate))

/** The user has said so before. */
const isTold = ({ gate, kind }: Claim, { message }: TaskContext): boolean =>
  readClaims(readProse(message)).some((one) => one.kind === kind && one.gate === gate)

/**
 * How a claim stands against what the tool calls prove.
 *
 * @category assessment
 */
export const hold = (claim: Claim, evidence: Evidence, task: TaskContext, gates: ReadonlyArray<Assessed>): Held => {
  const seen: Seen = { evidence, task, gates }
  if (claim.outcome === "failed" || task.mode === "plan" || !isOfTask(claim, seen)) return as(claim, "not_checkable")
  const isOfCheck = claim.kind === "check" || claim.kind === "checks"
  const held = isOfCheck ? heldCheck(claim, seen) : heldDeed(claim, seen)
  return held.standing === "unfounded" && isTold(claim, task) ? as(claim, "not_checkable") : held
}
