/** Every claim of the final text held against the record. */
import { redact } from "../../ground/redaction/Redaction.ts"
import type { Claim } from "../claims/Claims.ts"
import { type Held, hold } from "../claims/Held.ts"
import type { Assessed } from "../gates/Gates.ts"
import type { Contradiction, Facts } from "./model.ts"

/** A check that passed, where the agent says more than that shows: whether that holds cannot be seen. */
export const claimedBeyond = <A extends Assessed>(
  gates: ReadonlyArray<A>,
  held: ReadonlyArray<Held>
): ReadonlyArray<A> =>
  gates.map((gate) =>
    gate.result === "passed" && held.some(({ beyond, claim }) => beyond && claim.gate === gate.gate)
      ? { ...gate, result: "unknown", detail: `${gate.detail}; the agent says more than that` }
      : gate
  )

/** How all claims stand. */
export const heldClaims = (
  claims: ReadonlyArray<Claim>,
  gates: ReadonlyArray<Assessed>,
  { evidence, task }: Pick<Facts, "evidence" | "task">
): ReadonlyArray<Held> =>
  claims
    .map((claim) => hold(claim, { evidence, task, gates }))
    .map((one) => ({ ...one, claim: { ...one.claim, text: redact(one.claim.text) } }))

/** Those that the record disproves. */
export const contradictionsOf = (held: ReadonlyArray<Held>): ReadonlyArray<Contradiction> =>
  held.flatMap(({ calls, claim, fact, standing }) =>
    standing === "contradicted" ? [{ claim: claim.text, fact, callId: calls[0] ?? null }] : []
  )

/** Whether the agent says that a gate passed, over the run that failed. */
export const isOverclaimed = ({ run }: Assessed, disproved: ReadonlyArray<Contradiction>): boolean =>
  run?.result === "failed" && disproved.some(({ callId }) => callId !== null && callId === run.callId)
