/** A claim that nothing on record can have borne out. */
import { oneLine } from "../../ground/text/Text.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { actionFor } from "./claimActions.ts"
import { openGates } from "./gateFindings.ts"
import type { Finding, Rule } from "./model.ts"

const most = 4

/** One finding for every sentence: "the tests pass and CI is green" is said once. */
const check = (facts: Facts): ReadonlyArray<Finding> => {
  const unfounded = facts.held.filter(({ standing }) => standing === "unfounded")
  const open = new Set(openGates(facts).map(({ gate }) => gate))
  return [...new Set(unfounded.map(({ claim }) => claim.text))].slice(0, most).map((text) => {
    const own = unfounded.filter(({ claim }) => claim.text === text)
    const record = [...new Set(own.map(({ fact }) => fact))].join(", and ")
    const said = oneLine(text, 160)
    return {
      severity: "HIGH",
      fact: `You wrote "${said}", but ${record}.`,
      missing: `"${said}" is unfounded: ${record}`,
      // Of a check that is open, its own rule says what to do.
      action: own.every(({ claim }) => open.has(claim.gate))
        ? null
        : actionFor(
            own.map(({ claim }) => claim),
            facts
          ),
      stands: true,
      denies: own.map(({ claim }) => claim.gate)
    }
  })
}

export const claimsUnfounded: Rule = {
  id: "claims/unfounded",
  attended: "off",
  unattended: "push",
  what: "The final text says that a check passed, or that something was committed, pushed or opened, and no call of the session can have done it.",
  why: "A reader who believes it does not run the tests again.",
  holds: true,
  pattern: "false_complete",
  presses: true,
  check
}
