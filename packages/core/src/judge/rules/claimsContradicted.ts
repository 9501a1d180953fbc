/** A claim that the record disproves: it has another result, or less than was said. */
import type { Held } from "../../session/claims/Held.ts"
import { oneLine } from "../../ground/text/Text.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { actionFor } from "./claimActions.ts"
import { openCalls } from "./gateFindings.ts"
import type { Finding, Rule } from "./model.ts"

/** The claim itself tells the agent of a failing run, next to the other findings. */
const failed = ({ calls, claim, fact }: Held): Finding => ({
  severity: "HIGH",
  fact: "",
  missing: `"${claim.text}" is contradicted: ${fact}`,
  // What never ran is not to be run "again".
  action: calls.length === 0 ? null : "Fix what fails and run it again, or report the failure as it is.",
  stands: true,
  denies: [claim.gate],
  calls
})

const overstated = ({ calls, claim, fact }: Held, facts: Facts): Finding => ({
  severity: "HIGH",
  fact: `You wrote "${oneLine(claim.text, 160)}", but ${fact}.`,
  missing: `"${claim.text}" says too much: ${fact}`,
  action: actionFor([claim], facts),
  stands: true,
  denies: [claim.gate],
  calls,
  // It may be meant otherwise than it reads.
  ...(facts.attended && { most: "ask" })
})

const check = (facts: Facts): ReadonlyArray<Finding> => {
  const open = openCalls(facts)
  return (
    facts.held
      .filter(({ standing }) => standing === "contradicted")
      .map((held) => (held.failing ? failed(held) : overstated(held, facts)))
      // Of a check that is open, its own rule says what to do.
      .map((found) => (found.calls?.some((call) => open.has(call)) === true ? { ...found, action: null } : found))
  )
}

export const claimsContradicted: Rule = {
  id: "claims/contradicted",
  attended: "push",
  unattended: "push",
  what: "The final text says that a check passed, and the record has another result: it failed, or was ordered and never run; or (with somebody there this only asks) it ran before the last edit or in part.",
  why: "A reader who believes it does not run the tests again.",
  fact: true,
  holds: true,
  pattern: "false_complete",
  presses: true,
  check
}
