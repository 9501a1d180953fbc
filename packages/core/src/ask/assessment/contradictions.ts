/**
 * Statements of a model's that a fact contradicts: whoever is wrong about what stands on record is not believed in what does
 * not. Only what is certain counts: that nothing bears a statement out contradicts none.
 */
import type { Held } from "../../session/facts/Held.ts"
import { heldClaims } from "../../session/facts/Facts.ts"
import { oneLine } from "../../base/text/Text.ts"
import * as Evidence from "../../session/evidence/Evidence.ts"
import * as GateTable from "../../session/vocabulary/GateTable.ts"
import * as Commits from "./commits.ts"
import type { Unproved } from "./claimCheck.ts"
import { gateNamed, gateOf, kindOf, type Shown } from "./citations.ts"
import type { FinalClaim, RemainingWork, SelfAssessment } from "./model.ts"
import type { Opinion } from "./modelOpinion.ts"
import * as Quotations from "./quotations.ts"
import { hasFailed, type Turn } from "./TurnRecord.ts"

const code = ["source", "test", "script", "conflict", "unknown"] as const

/** Another suite, that nobody here knows for one, may have failed. */
const failedSince = ({ entries }: Turn, at: number): boolean =>
  entries.some((entry) => entry.at >= at && entry.event.type === "tool_call" && hasFailed(entry.event))

const folded = (command: string): string => command.replaceAll(/\s+/g, " ").trim()

/** A command of it that failed in this task never passed after that: it may have been the whole that was meant. */
const leftFailing = ({ known: { evidence, task } }: Turn, gate: string): boolean => {
  const runs = evidence.runs.filter((run) => run.gate === gate && run.turn >= task.since)
  return runs.some(
    ({ command, order, result }) =>
      result !== "passed" &&
      !runs.some(
        (later) => later.order > order && later.result === "passed" && folded(later.command) === folded(command)
      )
  )
}

/** The whole of it ran after the last edit, all of its runs passed, and nothing else is left failing. */
const passed = (turn: Turn, gate: string): boolean => {
  const { evidence, task } = turn.known
  const found = gateOf(turn, gate)
  if (found === undefined || found.result !== "passed") return false
  const edit = Evidence.lastEdit(evidence, code)
  const runs = evidence.runs.filter((run) => run.gate === gate && run.turn >= task.since && run.order >= edit)
  const first = runs[0]
  return (
    (first === undefined || !failedSince(turn, Commits.placeOf(turn, first.callId))) &&
    runs.every(({ partial, result }) => result === "passed" && !partial) &&
    !leftFailing(turn, gate)
  )
}

const failed = (turn: Turn, gate: string): boolean => gateOf(turn, gate)?.result === "failed"

const green = (gate: string, claim: string): Unproved => ({
  gate,
  claim,
  fact: `by the record ${GateTable.said({ gate, result: "passed" })}`
})

/** Whether everything that was edited on record was committed after it. */
const isCommitted = (turn: Turn): boolean => Commits.last(turn) >= 0 && Commits.uncommitted(turn).size === 0

const ofCheck = (turn: Turn, { name }: RemainingWork): ReadonlyArray<Unproved> => {
  const gate = gateNamed(turn, name)
  if (gate === null) return []
  const claim = `${gate} is missing`
  if (passed(turn, gate)) return [green(gate, claim)]
  if (gate === "commit" && isCommitted(turn)) return [{ gate, claim, fact: "by the record the change is committed" }]
  return turn.known.task.forbids.includes(gate)
    ? [{ gate, claim, fact: "the user said that it should not be done" }]
    : []
}

const ofItem = (turn: Turn, item: RemainingWork): ReadonlyArray<Unproved> => {
  const kind = kindOf(turn, item)
  if (kind === "check") return ofCheck(turn, item)
  if (kind !== "order" || !Quotations.isQuoted(item.quote) || Quotations.isUsers(turn, item.quote)) return []
  return [{ gate: "order", claim: "the user ordered something", fact: "no message of the user's has the quoted words" }]
}

type Said = NonNullable<SelfAssessment["evidence"]>

const ofResult = (
  turn: Turn,
  gate: "tests" | "build",
  { ran, results }: Said["tests"] | Said["build"]
): ReadonlyArray<Unproved> => {
  if (passed(turn, gate) && ran === false) return [green(gate, `${gate} never ran`)]
  if (passed(turn, gate) && results === "fail") return [green(gate, `${gate} failed`)]
  return failed(turn, gate) && ran === true && results === "pass"
    ? [{ gate, claim: `${gate} passed`, fact: `by the record ${GateTable.said({ gate, result: "failed" })}` }]
    : []
}

/** The statements of an opinion that the record contradicts. */
export const contradicted = (turn: Turn, { assessment, work }: Opinion): ReadonlyArray<Unproved> => [
  ...work.flatMap((item) => ofItem(turn, item)),
  ...(assessment === null || assessment.evidence === null
    ? []
    : [...ofResult(turn, "tests", assessment.evidence.tests), ...ofResult(turn, "build", assessment.evidence.build)])
]

const held = (turn: Turn, { check, outcome, quote }: FinalClaim): Held | null => {
  const { evidence, gates, stop, task } = turn.known
  const gate = gateNamed(turn, check)
  const text = Quotations.found(stop.text, quote)
  if (gate === null || text === null || !stop.spokeLast || !GateTable.isGate(gate)) return null
  const claim = { gate, outcome, scope: "unsaid", count: null, text } as const
  return heldClaims([claim], gates, { evidence, task })[0] ?? null
}

/** Claims of the final text that a model reads in it and the record disproves, in whatever language. */
export const overclaimed = (turn: Turn, { claims }: Opinion): ReadonlyArray<Shown> =>
  claims.flatMap((one): ReadonlyArray<Shown> => {
    const found = held(turn, one)
    if (found === null || found.standing !== "contradicted") return []
    const { gate, outcome } = found.claim
    const what = `${GateTable.nameOf(gate) ?? oneLine(gate, 40)} ${outcome === "ran" ? "ran" : "passed"}`
    return [
      {
        key: `say of ${what}`,
        missing: `a claim that the record disproves (${what})`,
        fact: `Your last words say of ${what} what the record disproves.`,
        action: "Make it so, or correct what you said.",
        severity: "MEDIUM"
      }
    ]
  })
