/** Claims held against the record: borne out, contradicted, unfounded, or nothing that anybody here could tell. */
import { readProse } from "../../ground/text/AgentSentences.ts"
import { clip } from "../../ground/text/Text.ts"
import { takes } from "../../ground/text/Rows.ts"
import { deed, type Evidence, lastPossible, nothingSent, type Run } from "../evidence/Evidence.ts"
import { closeTo, isCheck, nameOf, speaksOf } from "../gates/GateTable.ts"
import type { Assessed } from "../gates/model.ts"
import type { TaskContext } from "../task/model.ts"
import { readClaims } from "./Claims.ts"
import { isNamed, namesAnother, worded } from "./commandWords.ts"
import { dated } from "./hedges.ts"
import { heldDeed } from "./heldDeeds.ts"
import type { Claim, Held, Standing } from "./model.ts"
import { codeEdit, countsPassed, mayHave, mayHaveSent, type Seen } from "./seen.ts"

export type { Held } from "./model.ts"

export { countsPassed } from "./seen.ts"

export { namesAnother, worded } from "./commandWords.ts"

const ids = (calls: ReadonlyArray<string | null>): ReadonlyArray<string> => calls.filter((id) => id !== null)

const as = (claim: Claim, standing: Standing, fact = "", calls: ReadonlyArray<string | null> = []): Held => ({
  claim,
  standing,
  fact,
  calls: ids(calls),
  failing: false
})

const quoted = (run: Run): string => `\`${clip(run.command, 80)}\``

const numberOf = ({ detail }: Run, words: string): number | null => {
  const found = [...detail.slice(0, 300).matchAll(/\b(\d{1,6}) (passed|failed|skipped)\b/g)].filter((one) =>
    words.includes(one[2] ?? "")
  )
  return found.length === 0 ? null : found.reduce((sum, one) => sum + Number(one[1]), 0)
}

const sumOf = (runs: ReadonlyArray<Run>, words: string): number =>
  runs.reduce((sum, run) => sum + (numberOf(run, words) ?? 0), 0)

/** More are claimed than all runs together had, or those that were skipped as well. */
const overcounted = ({ count, text }: Claim, runs: ReadonlyArray<Run>): string | null => {
  if (count === null || runs.some((run) => numberOf(run, "passed failed skipped") === null)) return null
  const total = sumOf(runs, "passed failed skipped")
  if (count > total) return `the runs on record had ${total} tests, not ${count}`
  const skipped = sumOf(runs, "skipped")
  const passed = sumOf(runs, "passed")
  return skipped > 0 && count > passed && !/skip|ignor|pending|übersprung|omit/i.test(text)
    ? `${passed} tests passed and ${skipped} were skipped`
    : null
}

const inFull: ReadonlyArray<RegExp> = [
  /\b(?:full|entire|whole|complete|gesamte?n?|toda la|toute la|toda a) (?:[\w-]{1,14} ){0,2}(?:suite|tests|pruebas|testes)\b/i,
  /\ball (?:of )?(?:the )?tests (?:in|across|of) the (?:whole |entire )?(?:project|repo|code ?base|workspace)/i,
  /\b(?:the|our|your) (?:(?:existing|unit|test|rspec|pytest|jest|vitest|phpunit|go|cargo)[- ]){0,2}suite\b(?! (?:for|of|in|named)\b)/i,
  /\b(?:all|both|two|three|four|five|\d{1,2}) (?:of the |the )?(?:\w{1,12} )?(?:modules|packages|crates|workspaces|projects)\b/i,
  /\b(?:deux|trois|quatre|tous les|beiden|drei|vier|aller?|dos|tres|cuatro|três|todos (?:os|los)) (?:\w{1,12} )?(?:modul\w{1,3}|módulos|paquetes|paquets|pakete|projets)\b/i,
  /(?:全部|所有)(?:模块|包|项目)|すべてのモジュール|全モジュール/
]

const saysWhole = ({ text }: Claim): boolean => inFull.some((pattern) => pattern.test(text))

const isInFull = (claim: Claim): boolean => saysWhole(claim) || (claim.scope === "whole" && worded(claim.text).whole)

/** Only a part ran, and it is told as the whole: in so many words, or after the whole had failed. */
const partOnly = (claim: Claim, fresh: ReadonlyArray<Run>, { evidence, gates, task }: Seen): string | null => {
  const last = fresh[fresh.length - 1]
  if (last === undefined || claim.scope === "part" || fresh.some(({ partial }) => !partial)) return null
  // Who names the command that ran says no more than that.
  if (!saysWhole(claim) && fresh.some(({ command }) => isNamed(claim, command))) return null
  const red = evidence.runs.find(
    (run) => run.gate === claim.gate && run.turn >= task.since && run.result === "failed" && !run.partial
  )
  const decided = gates.find(({ gate }) => gate === claim.gate)?.run
  if (red !== undefined && decided !== undefined && decided !== null && decided.order !== last.order)
    return `the whole failed, and only ${quoted(last)} was run since`
  if (red !== undefined && decided?.result === "unknown")
    return `the whole failed, and only ${quoted(last)} was run since`
  // "All tests pass" is often said of all that matter; several parts may be the whole.
  const all = evidence.runs.some((run) => run.gate === claim.gate && run.result !== "failed" && !run.partial)
  const several = new Set(fresh.map(({ command }) => command)).size > 1
  return isInFull(claim) && !all && !several
    ? `only a part of ${nameOf(claim.gate) ?? claim.gate} was run: ${quoted(last)}`
    : null
}

const ofOwn = /\b(?:touched|changed|modified|my|new|own|edited)\b/i

/** Its last run failed, and nothing since may have passed. */
const failedLast = (claim: Claim, last: Run, { evidence, gates, ...seen }: Seen): Held | null => {
  const isAdmitted = gates.some(({ admitted, gate }) => gate === claim.gate && admitted)
  const isOfPart =
    claim.scope === "part" || namesAnother(claim, last.command) || ofOwn.test(claim.text) || countsPassed(claim, last)
  if (last.result !== "failed" || isAdmitted || isOfPart || mayHave({ evidence, gates, ...seen }, last.order + 1))
    return null
  return {
    ...as(claim, "contradicted", `${quoted(last)} failed: ${clip(last.detail, 160)}`, [last.callId]),
    failing: true
  }
}

const notStarted = /^it could not be run: /

const ranNothing = /^(?:no tests? (?:ran|was|were|files?)\b|it ran nothing|no test of this runner|the script has no )/i

const ranNothingOf = (last: Run): string => {
  const why = last.detail.startsWith("it ran nothing") ? "" : `: ${clip(last.detail, 120)}`
  return `${quoted(last)} ran nothing${why}`
}

/** CI was looked at before the last push. */
const lookedBefore = (claim: Claim, last: Run, { evidence }: Seen): Run | undefined =>
  claim.gate === "ci"
    ? evidence.runs.find(
        ({ detail, gate, order, result }) =>
          gate === "push" && order > last.order && result === "passed" && detail !== nothingSent
      )
    : undefined

/** Since the edit nothing but runs that could not be started. */
const neverStarted = (claim: Claim, fresh: ReadonlyArray<Run>, last: Run, seen: Seen): Held | null =>
  fresh.every(({ detail, result }) => result === "unknown" && notStarted.test(detail)) &&
  !namesAnother(claim, last.command) &&
  !mayHave(seen, codeEdit(seen.evidence).order)
    ? {
        ...as(claim, "contradicted", `${quoted(last)} never ran: ${clip(last.detail.replace(notStarted, ""), 160)}`, [
          last.callId
        ]),
        failing: true
      }
    : null

const heldFresh = (claim: Claim, fresh: ReadonlyArray<Run>, seen: Seen): Held => {
  const last = fresh[fresh.length - 1]
  if (last === undefined) return as(claim, "not_checkable")
  if (claim.outcome === "ran") {
    const short = claim.gate === "tests" && !mayHave(seen, 0) ? partOnly(claim, fresh, seen) : null
    return short === null
      ? as(claim, "borne_out", last.detail, [last.callId])
      : { ...as(claim, "contradicted", short, [last.callId]), beyond: true }
  }
  if (last.pending === true && !mayHave(seen, last.order + 1))
    return as(claim, "contradicted", `${quoted(last)} showed that ${last.detail}`, [last.callId])
  const failed = failedLast(claim, last, seen)
  if (failed !== null) return failed
  const unstarted = neverStarted(claim, fresh, last, seen)
  if (unstarted !== null) return unstarted
  const pushed = lookedBefore(claim, last, seen)
  if (pushed !== undefined && last.result === "passed" && !mayHave(seen, last.order + 1))
    return as(claim, "contradicted", `${quoted(last)} was before the last push`, [last.callId])
  const passed = fresh.filter(({ result }) => result === "passed")
  const isIdle = seen.evidence.runs.every(
    ({ detail, gate, result }) => gate !== claim.gate || (result === "unknown" && ranNothing.test(detail))
  )
  if (isIdle && !mayHave(seen, 0)) return as(claim, "contradicted", ranNothingOf(last), [last.callId])
  if (passed.length === 0 || last.result !== "passed") return as(claim, "not_checkable", last.detail, [last.callId])
  if (mayHave(seen, codeEdit(seen.evidence).order)) return as(claim, "borne_out", last.detail, [last.callId])
  const fault = claim.gate === "tests" ? (overcounted(claim, fresh) ?? partOnly(claim, fresh, seen)) : null
  return fault === null
    ? as(claim, "borne_out", last.detail, [last.callId])
    : { ...as(claim, "contradicted", fault, [last.callId]), beyond: true }
}

/** Something ran since of which nobody knows what it showed; of a known check that is known. */
const exercisedSince = ({ exercised, runs }: Evidence, since: number): boolean =>
  exercised >= since && !runs.some(({ gate, order }) => order === exercised && isCheck(gate))

const heldStale = (claim: Claim, runs: ReadonlyArray<Run>, seen: Seen): Held => {
  const last = runs[runs.length - 1]
  const edit = codeEdit(seen.evidence)
  const unclear =
    last === undefined ||
    last.result === "unknown" ||
    edit.path === null ||
    claim.where !== "final" ||
    claim.gate === "ci" ||
    takes([dated], claim.text) ||
    mayHave(seen, edit.order) ||
    exercisedSince(seen.evidence, edit.order) ||
    seen.evidence.runs.some(({ gate, order }) => order >= edit.order && closeTo(claim.gate).includes(gate))
  if (last === undefined || claim.outcome === "ran" || unclear) return as(claim, "not_checkable")
  const name = edit.path === null ? "the last edit" : `the last edit (${clip(edit.path.split("/").at(-1) ?? "", 80)})`
  return as(claim, "contradicted", `${quoted(last)} ran before ${name} and was not run since`, [last.callId])
}

/** The claim names its command, of which no run has anything. */
const isUnheard = ({ gate, text }: Claim, { issued, runs }: Evidence): boolean => {
  const own = worded(text).commands.filter(({ word }) => word === gate)
  const ran = [...issued, ...runs].map(({ command }) => command)
  const isOf = (command: string): boolean => {
    const words = command
      .split(/\s+/)
      .filter((word) => !word.startsWith("-") && !/^(?:run|npx|exec|bundle)$/.test(word))
    const name = (words[1] ?? words[0] ?? "").replace(/^.*\//, "")
    return ran.some((other) => other.includes(name))
  }
  return own.length > 0 && own.every(({ command }) => !isOf(command))
}

/** What runs whatever a project has put behind it. */
const wraps: ReadonlyArray<RegExp> = [
  /\b(?:make|just|task|tox|nox|pre-commit|prek|rake|lefthook|husky|composer|gradlew?|mvnw?|bazel|nx|turbo|moon|earthly)\b/,
  /\b(?:npm|pnpm|yarn|bun)(?: run)? (?:check|verify|validate|ci|all|qa|preflight|prepush|test)\b/
]

/** A check that does as much, or whose command may do this one as well. */
const ranAnother = (claim: Claim, { evidence }: Seen): boolean => {
  const { gate } = claim
  if (isUnheard(claim, evidence)) return lastPossible(evidence, gate) > 0
  if (
    gate !== "ci" &&
    [...evidence.runs, ...evidence.issued].some(({ command }) =>
      wraps.some((pattern) => pattern.test(command.slice(0, 300)))
    )
  )
    return true
  const others = [...closeTo(gate), ...(gate === "build" ? ["tests"] : []), ...(gate === "lint" ? ["build"] : [])]
  return (
    evidence.runs.some((run) => others.includes(run.gate)) ||
    evidence.issued.some((run) => run.gate === gate || others.includes(run.gate)) ||
    lastPossible(evidence, gate) > 0
  )
}

const ofItsChecks =
  /\bchecks (?:on|of|for|in) (?:it|them|#|!|github|gitlab|the (?:pr|mr|pull|merge|branch))|\b(?:pr|mr|status|required|remote|github|gitlab) checks\b/i

const ofForge =
  /#\d|\b(?:PR|MR|merge|(?:pull|merge) request|platforms?|windows|linux|macos|jobs?|remote|github|gitlab|ci)\b/

/** CI runs elsewhere: what ran here shows nothing of it. */
const mayHaveDone = (claim: Claim, seen: Seen): boolean => {
  const { evidence } = seen
  return claim.gate === "ci" && claim.kind === "check"
    ? deed(evidence, "ci") !== undefined || evidence.issued.some(({ gate }) => gate === "ci") || mayHaveSent(seen)
    : ranAnother(claim, seen) || deed(evidence, "hook") !== undefined || mayHave(seen, 0)
}

const heldCheck = (told: Claim, seen: Seen): Held => {
  const { evidence } = seen
  // "The checks are green, #12 can be merged" speaks of CI.
  const isCi =
    told.kind === "checks" &&
    told.gate === "ci" &&
    (ofItsChecks.test(told.text) || (ofForge.test(told.text) && evidence.runs.some(({ gate }) => gate === "ci")))
  const claim: Claim = isCi ? { ...told, kind: "check" } : told
  const all = evidence.runs.filter(({ gate }) =>
    claim.kind === "checks" ? isCheck(gate) || gate === "ci" : gate === claim.gate
  )
  // What failed without the change says nothing against it.
  const runs = all.filter(({ besides, result }) => besides === undefined || result !== "failed")
  if (runs.length === 0 && all.length > 0) return as(claim, "not_checkable")
  const since = codeEdit(evidence).order
  const fresh = runs.filter(({ order }) => order >= since || claim.gate === "ci")
  if (claim.kind === "checks" && runs.length > 0) return as(claim, "not_checkable")
  if (fresh.length > 0) return heldFresh(claim, fresh, seen)
  if (runs.length > 0) return heldStale(claim, runs, seen)
  if (mayHaveDone(claim, seen)) return as(claim, "not_checkable")
  if (claim.kind === "checks" && evidence.exercised > 0) return as(claim, "not_checkable")
  const name = claim.kind === "checks" ? "any check" : (nameOf(claim.gate) ?? claim.gate)
  const fact = claim.gate === "ci" ? "no look at CI is on record" : `no run of ${name} is on record`
  return as(claim, "unfounded", fact)
}

const byOwnHand = /\b(?:I|we|ich|he|hice|ai|fiz|abri|rodei|executei)\b|了|しました/

/** It gives an opinion, and tells of no deed. */
const asIRead = /\b(?:in|by) my (?:reading|opinion|view)\b|\b(?:I|we) (?:think|believe|see|read|found|can see)\b/i

/** "Added a test" may be somebody else's deed in an answer to a question. */
const isDone = /^(?:\W{0,6})(?:[A-Z][a-z]{2,12}ed|Ran|Wrote)\b/

/** What nobody did anything for and nobody asked about is a report of something else. */
const isOfTask = (claim: Claim, { evidence, task }: Seen): boolean =>
  claim.where !== "final" ||
  byOwnHand.test(claim.text.replace(asIRead, "")) ||
  (task.intent === "act" && isDone.test(claim.text)) ||
  evidence.edits.some(({ kind }) => kind !== "outside") ||
  // An answer may tell what others did.
  (task.intent !== "ask" && evidence.actions > 0) ||
  task.asks.some(({ gate }) => gate === claim.gate) ||
  evidence.runs.some(({ byUser, gate }) => byUser === true && gate === claim.gate) ||
  (evidence.calls === 0 && speaksOf(task.message.slice(0, 4000), claim.gate))

/** The user has said so before. */
const isTold = ({ gate, kind }: Claim, { message }: TaskContext): boolean =>
  !["tests_added", "docs", "search"].includes(kind) &&
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
