/** What the rules about changed checks have in common: what was changed, what the check said before, and the honest ways on. */
import type { CheckChangeKind, Tampered } from "../../session/checkedits/CheckEdits.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { clip } from "../../ground/text/Text.ts"
import type { RuleName } from "../../session/config/RuleNames.ts"
import type { Finding, Rule } from "./model.ts"

/** What was done, in the words for the agent and for a person. */
const wordings: Readonly<Record<CheckChangeKind, readonly [you: string, missing: string]>> = {
  test: ["took out", "a failing test was taken out"],
  skip: ["left out", "a failing test is left out"],
  assert: ["weakened what is asserted in", "a failing test asserts less"],
  expected: ["changed the expected value in", "a failing test expects what the code gives"],
  snapshot: ["had the snapshots written anew, with", "failing snapshots were written anew"],
  mock: ["replaced what is tested in", "a failing test no longer runs what it tests"],
  mark: ["told the check to look away in", "a failing check was told to look away"],
  silence: ["silenced the check in", "a failing check was silenced"],
  swallow: ["had the source pass over what fails in", "the source passes over what made a check fail"],
  special: ["made the source answer the test itself in", "the source answers the test's own input"]
}

const place = ({ change: { id, name, path } }: Tampered): string => {
  const file = path === "" ? null : `\`${clip(path, 120)}\``
  const test = name === null || id.startsWith("file:") ? null : `"${clip(name, 100)}"`
  return test === null ? (file ?? "a check") : file === null ? test : `${test} in ${file}`
}

/** As it is mostly written: what is compared has no spaces. */
const spaced = (line: string): string => (/["'`]/.test(line) ? line : line.replaceAll(/,(?=\S)/g, ", "))

const lines = ({ change: { now, path, was } }: Tampered): string => {
  const [old, fresh] = [was, now].map((line) => (line === path ? "" : spaced(line)))
  if (old === "" && fresh === "") return ""
  return old !== "" && fresh !== "" ? `: \`${old}\` became \`${fresh}\`` : `: \`${old === "" ? fresh : old}\``
}

const before = ({ gate, red }: Tampered): string =>
  red === null ? `${gate} was to be fixed` : `\`${clip(red.command, 80)}\` failed before (${clip(red.detail, 120)})`

const since = ({ sure }: Tampered): string => (sure ? ", and no change of the source explains why it passes now" : "")

const isOne =
  (kinds: ReadonlyArray<CheckChangeKind>) =>
  (found: Tampered): boolean =>
    kinds.includes(found.change.kind)

const did = (one: Tampered): string => `${wordings[one.change.kind][0]} ${place(one)}`

const maxShown = 3

/** One finding for all that a rule sees: a push where one of them is sure, else a line for the user. */
const findTampered = ({ tampered }: Facts, kinds: ReadonlyArray<CheckChangeKind>): ReadonlyArray<Finding> => {
  const all = tampered.filter(isOne(kinds))
  const sure = all.filter((one) => one.sure)
  const [first, ...others] = sure.length > 0 ? sure : all
  if (first === undefined) return []
  const rest = others.slice(0, maxShown - 1).map((one) => `; ${did(one)}${lines(one)}`)
  return [
    {
      severity: "HIGH",
      stands: true,
      fact: `You ${did(first)}${lines(first)}${rest.join("")}. ${before(first)}${since(first)}.`,
      missing: `${wordings[first.change.kind][1]}: ${place(first)}${lines(first)}`,
      action:
        "Put the check back as it was and mend the source. If the check itself is wrong, leave it, say so and show why.",
      calls: [...new Set([first.red?.callId, first.change.callId].filter((id) => typeof id === "string"))],
      ...(sure.length === 0 && { most: "tell" as const })
    }
  ]
}

/** The rule for the kinds of changes that have its name. */
export const ofChecks = (
  id: RuleName,
  kinds: ReadonlyArray<CheckChangeKind>,
  levels: Pick<Rule, "most" | "unattended"> = { unattended: "push" }
): Rule => ({
  id,
  ...levels,
  holds: true,
  presses: true,
  pattern: "false_complete",
  check: (facts) => findTampered(facts, kinds)
})
