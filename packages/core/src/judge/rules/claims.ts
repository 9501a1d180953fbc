/** What the agent says was done that the record does not bear out, and a check that it made pass by changing the check. */
import { clip, oneLine } from "../../base/text/Text.ts"
import type { CheckEdit } from "../../session/checkedits/CheckEdits.ts"
import type { Claim } from "../../session/claims/Claims.ts"
import type { Held } from "../../session/facts/Held.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { commandOf, openCalls, openGates } from "./gateFindings.ts"
import type { Finding, Rule } from "./model.ts"
import { orCorrect } from "./ReportWords.ts"

/** Others see these: nobody is to do them only because they were reported. */
const outward: Readonly<Record<string, string>> = {
  commit: "commit",
  push: "push",
  pr: "open the pull request"
}

const each = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

const withAnd = (texts: ReadonlyArray<string>): string =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1) ?? ""}`

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** A check by its command; of all there are, by no name. */
const toRun = (gate: string, { gates }: Pick<Facts, "gates">): string => {
  const found = gates.find((one) => one.gate === gate)
  return found === undefined ? "the checks" : commandOf(found)
}

/** What to do about the claims of one sentence: what to run, or to take them back. */
const actionFor = (claims: ReadonlyArray<Claim>, facts: Pick<Facts, "gates">): string => {
  const gates = each(claims.map(({ gate }) => gate))
  const checks = each(
    gates.filter((gate) => gate !== "ci" && !Object.hasOwn(outward, gate)).map((gate) => toRun(gate, facts))
  )
  const trial = [
    ...(checks.length === 0 ? [] : [`run ${withAnd(checks)}`]),
    ...(gates.includes("ci") ? ["look at CI"] : [])
  ]
  const deeds = gates.flatMap((gate) => (Object.hasOwn(outward, gate) ? (outward[gate] ?? []) : []))
  const parts = [
    ...(trial.length === 0 ? [] : [`${withAnd(trial)} and report what that shows`]),
    ...(deeds.length === 0 ? [] : [`${withAnd(deeds)} if that was asked for`])
  ]
  return `${capital(parts.join(", "))}, ${orCorrect}`
}

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

const contradicted = (facts: Facts): ReadonlyArray<Finding> => {
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
  check: contradicted
}

const most = 4

/** One finding for every sentence: "the tests pass and CI is green" is said once. */
const unfounded = (facts: Facts): ReadonlyArray<Finding> => {
  const claimed = facts.held.filter(({ standing }) => standing === "unfounded")
  const open = new Set(openGates(facts).map(({ gate }) => gate))
  return [...new Set(claimed.map(({ claim }) => claim.text))].slice(0, most).map((text) => {
    const own = claimed.filter(({ claim }) => claim.text === text)
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
  check: unfounded
}

/** What was done, in the words for the agent and for a person. */
const wordings: Readonly<Record<CheckEdit["kind"], readonly [you: string, missing: string]>> = {
  test: ["took a test out of", "a failing test was taken out"],
  skip: ["left a test out in", "a failing test is left out"],
  assertion: ["changed what is asserted in", "a failing test asserts something else"],
  literal: ["changed the expected value in", "a failing test expects something else"],
  snapshot: ["had the snapshots written again, with", "failing snapshots were written again"],
  silenced: ["silenced the check in", "a failing check was silenced"],
  threshold: ["changed what the check demands in", "a failing check demands something else"],
  other: ["changed", "a failing check was changed"]
}

const where = ({ now, path, was }: CheckEdit): string => {
  const texts = [was, now].filter((text) => text !== "" && text !== path)
  const quoted = texts.map((text) => `\`${clip(oneLine(text, 400), 160)}\``).join(" became ")
  return [path === "" ? "" : `\`${clip(path, 120)}\``, quoted].filter((text) => text !== "").join(": ")
}

const weakenedChecks = ({ weakened }: Facts): ReadonlyArray<Finding> => {
  const [first] = weakened
  if (first === undefined) return []
  const { edit, red } = first
  const did = weakened.slice(0, 3).map((one) => `${wordings[one.edit.kind][0]} ${where(one.edit)}`)
  return [
    {
      severity: "HIGH",
      stands: true,
      fact: `You ${did.join("; ")}. \`${clip(red.command, 80)}\` failed before (${clip(red.detail, 120)}), and no change of the source explains why it passes now.`,
      missing: `${wordings[edit.kind][1]}: ${where(edit)}`,
      action:
        "Put the check back as it was and fix the source. If the check itself is wrong, leave it, say so and show why.",
      calls: [...new Set([red.callId, ...weakened.map((one) => one.edit.callId)])].filter((id) => id !== null)
    }
  ]
}

export const checksWeakened: Rule = {
  id: "checks/weakened",
  attended: "ask",
  unattended: "push",
  what: "A check failed, then one of its tests was taken out, skipped or made to expect something else, or it was silenced; no source was changed, and it passes.",
  why: "What the check showed is as wrong as before, and nothing shows it any more.",
  holds: true,
  presses: true,
  pattern: "false_complete",
  check: weakenedChecks
}
