/** Every claim of the final text, and of what was written into commits and pull requests, held against the record. */
import type { Claim } from "../claims/Claims.ts"
import { writtenClaims } from "../claims/Claims.ts"
import { type Held, hold } from "../claims/Held.ts"
import { redact } from "../../ground/redaction/Redaction.ts"
import type { Assessed } from "../gates/Gates.ts"
import { contradicted } from "./disprovedClaims.ts"
import type { Contradiction, Facts } from "./model.ts"

type Seen = Pick<Facts, "evidence" | "task">

const heldOf =
  (gates: ReadonlyArray<Assessed>, seen: Seen) =>
  (claim: Claim): Held => {
    const failing = contradicted(claim, gates, seen)
    return failing === null
      ? hold(claim, seen.evidence, seen.task, gates)
      : {
          claim,
          standing: "contradicted",
          fact: failing.fact,
          calls: failing.callId === null ? [] : [failing.callId],
          failing: true
        }
  }

/** What is said both in a commit and in the last words is held against once. */
const isSaid = ({ claim }: Held, all: ReadonlyArray<Held>): boolean =>
  claim.where !== "final" &&
  all.some(
    (other) => other.claim.where === "final" && other.claim.kind === claim.kind && other.claim.gate === claim.gate
  )

/** What passed is not denied: nothing on record can speak against a claim that it did. */
const isOfPassed = ({ beyond, claim, standing }: Held, gates: ReadonlyArray<Assessed>): boolean =>
  beyond !== true &&
  (standing === "contradicted" || standing === "unfounded") &&
  gates.some(({ gate, result }) => gate === claim.gate && result === "passed")

/** A check that passed, where the agent says more than that shows: whether that holds cannot be seen. */
export const claimedBeyond = <A extends Assessed>(
  gates: ReadonlyArray<A>,
  held: ReadonlyArray<Held>
): ReadonlyArray<A> =>
  gates.map((gate) => {
    const more = held.find(({ beyond, claim }) => beyond === true && claim.gate === gate.gate)
    return gate.result === "passed" && more !== undefined
      ? { ...gate, result: "unknown", detail: `${gate.detail}; the agent says more than that` }
      : gate
  })

/** How all claims stand, those of the last words first. */
export const heldClaims = (
  claims: ReadonlyArray<Claim>,
  gates: ReadonlyArray<Assessed>,
  seen: Seen
): ReadonlyArray<Held> => {
  const all = [...claims, ...writtenClaims(seen.evidence.writings)].map(heldOf(gates, seen))
  return all
    .filter((one) => !isSaid(one, all))
    .map((one) => ({
      ...one,
      ...(isOfPassed(one, gates) && { standing: "not_checkable" as const, failing: false }),
      claim: { ...one.claim, text: redact(one.claim.text) }
    }))
}

/** Those that the record disproves. */
export const contradictionsOf = (held: ReadonlyArray<Held>): ReadonlyArray<Contradiction> =>
  held.flatMap(({ calls, claim, fact, standing }) =>
    standing === "contradicted" ? [{ claim: claim.text, fact, callId: calls[0] ?? null }] : []
  )
