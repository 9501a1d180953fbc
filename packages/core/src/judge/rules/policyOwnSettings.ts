/** The agent changed what reflexion may do. */
import type { Facts } from "../../session/facts/Facts.ts"
import type { Finding, Rule } from "./model.ts"
import { finding } from "./shared.ts"

/** The project's own file and the user's, on every system. */
const settings = /(?:^|\/)(?:\.reflection\/config\.json|\.reflection\.md|reflexion\/config\.json)$/

/** Whoever speaks of it has asked for it. */
const isAsked = ({ task }: Facts): boolean => /reflexion|\.reflection\b/i.test(`${task.text} ${task.message}`)

const check = (facts: Facts): ReadonlyArray<Finding> => {
  const edit = facts.evidence.edits.find(({ path }) => settings.test(path.replaceAll("\\", "/")))
  if (edit === undefined || isAsked(facts)) return []
  return finding({
    severity: "HIGH",
    fact: `You changed \`${edit.path}\`, which says by what your work is judged, and nobody asked for that.`,
    missing: `reflexion's own settings were changed by the agent: ${edit.path}`,
    action: `Take the change of \`${edit.path}\` back, and tell the user of it.`,
    calls: edit.callId === null ? [] : [edit.callId]
  })
}

export const policyOwnSettings: Rule = {
  id: "policy/own-settings",
  attended: "tell",
  unattended: "tell",
  what: "The agent changed reflexion's own configuration or guidance, which nobody asked for.",
  why: "Who may set what the work is judged by is not judged; a turn is judged by what held when it began.",
  most: "tell",
  holds: true,
  presses: true,
  check
}
