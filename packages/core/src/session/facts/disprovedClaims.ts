/** What the final text claims and the record disproves. */
import { type Evidence, lastPossible, type Run } from "../evidence/Evidence.ts"
import { type Assessed, describeFailure } from "../gates/Gates.ts"
import type { Claim } from "../claims/Claims.ts"
import { countsPassed, namesAnother, worded } from "../claims/Held.ts"
import { absence } from "../gates/GateTable.ts"
import { hasSurelyNotRun } from "./gateFacts.ts"
import type { Contradiction, Facts } from "./model.ts"
import { clip } from "../../ground/text/Text.ts"

/** What failed, or that the run did: a gate's own words may say so already. */
const failure = (gate: Assessed): string => {
  const described = describeFailure(gate, 50).replace(", not run since", "")
  return /^failed\b/.test(described) ? described : `failed: ${described}`
}

const fact = (gate: Assessed): string => {
  if (gate.run?.verified === true) return `\`${clip(gate.run.command, 80)}\` failed after you stopped`
  const command = gate.untrusted || gate.run === null ? "" : ` (\`${clip(gate.run.command, 80)}\`)`
  return `the last run of ${gate.gate}${command} ${failure(gate)}`
}

/** Nothing that ran in this turn after the failure speaks for the claim. */
const isLastWord = (run: Run, evidence: Evidence): boolean =>
  (run.turn === evidence.turn || run.byUser === true) &&
  evidence.delegated <= run.order &&
  lastPossible(evidence, run.gate) <= run.order &&
  !evidence.runs.some((other) => other.gate === run.gate && other.order > run.order && other.result !== "failed") &&
  (run.gate === "tests" || !evidence.runs.some((other) => other.order > run.order && other.result !== "failed"))

/** It was ordered, nothing that ran could have been it, and no run of it is on record. */
const neverRan = (gate: Assessed, { evidence, task }: Pick<Facts, "evidence" | "task">): boolean =>
  gate.why === "asked" &&
  gate.result === "missing" &&
  gate.gate !== "push" &&
  gate.gate !== "ci" &&
  gate.gate !== "commit" &&
  !evidence.opaque &&
  hasSurelyNotRun(gate.gate, { evidence, task })

/** Of a command that failed in something else: "the 128 tests pass", and not that the command does. */
const tellsOfTests = (claim: Claim, run: Run): boolean =>
  countsPassed(claim, run) && !/^\W{0,4}`[^`]{2,160}`\W{0,3} (?:goes|passes|succeeds|is|runs|ran)\b/.test(claim.text)

/** It names the command of a part, and another one failed. */
const isOfOther = (claim: Claim, run: Run): boolean => {
  const { commands, part } = worded(claim.text)
  if (namesAnother(claim, run.command)) return true
  return (
    part &&
    !commands.some(
      ({ command }) => `${run.command} `.includes(`${command} `) && run.command.length < command.length + 40
    )
  )
}

/** What disproves a claim that a check passed: it was ordered and never run, or its last run failed and it was not run again. */
export const contradicted = (
  claim: Claim,
  gates: ReadonlyArray<Assessed>,
  seen: Pick<Facts, "evidence" | "task">
): Contradiction | null => {
  const gate = gates.find((other) => other.gate === claim.gate)
  if (claim.outcome === "failed" || claim.where !== "final" || gate === undefined) return null
  if (neverRan(gate, seen)) return { claim: claim.text, fact: absence(gate.gate), callId: null }
  const disproved =
    claim.outcome === "passed" &&
    gate.run?.result === "failed" &&
    !gate.admitted &&
    !tellsOfTests(claim, gate.run) &&
    !isOfOther(claim, gate.run) &&
    isLastWord(gate.run, seen.evidence)
  return disproved ? { claim: claim.text, fact: fact(gate), callId: gate.run?.callId ?? null } : null
}

/** Whether the agent says that it passed, over the run that failed. */
export const isOverclaimed = ({ run }: Assessed, disproved: ReadonlyArray<Contradiction>): boolean =>
  run?.result === "failed" && disproved.some(({ callId }) => callId !== null && callId === run.callId)
