import { type Assessed, describeFailure } from "../Gates.ts"
import type { Claim } from "../StopSignal.ts"
import type { Contradiction } from "../Verdict.ts"

const fact = (gate: Assessed): string => {
  const command = gate.run?.command ?? gate.gate
  return `the last run of ${gate.gate} (\`${command.length > 80 ? `${command.slice(0, 79)}…` : command}\`) failed: ${describeFailure(gate)}`
}

/**
 * Claims that the last run of their gate disproves. A failed run before the last edit disproves nothing: it is stale.
 */
export const contradictions = (claims: ReadonlyArray<Claim>, gates: ReadonlyArray<Assessed>): ReadonlyArray<Contradiction> =>
  claims.flatMap((claim) => {
    const gate = gates.find((other) => other.gate === claim.gate)
    const disproved =
      claim.outcome === "passed" && gate?.run?.result === "failed" && (gate.result === "failed" || gate.result === "stale") && !gate.admitted
    return disproved && gate !== undefined ? [{ claim: claim.text, fact: fact(gate), callId: gate.run?.callId ?? null }] : []
  })
