/** A failing check was changed, and nothing else was; it passes. */
import { clip, oneLine } from "../../ground/text/Text.ts"
import type { CheckEdit } from "../../session/checkedits/CheckEdits.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import type { Finding, Rule } from "./model.ts"

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

const check = ({ weakened }: Facts): ReadonlyArray<Finding> => {
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
  check
}
