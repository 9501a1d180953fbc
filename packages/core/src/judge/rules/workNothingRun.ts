/** Code was changed, nothing was run since, and the project has a check. */
import { isDelivered } from "../../session/gates/GateTable.ts"
import { type Facts, untried } from "../../session/facts/Facts.ts"
import type { Finding, Rule } from "./model.ts"
import { finding } from "./shared.ts"

/** The check, in words; null where nothing shows that the project has one. An untrusted workspace names its own commands. */
const checkOf = ({ gates, task }: Facts): string | null => {
  const gate = gates.find(
    ({ advised, denied, required, result, why }) =>
      advised || (required && why === "instructed" && !denied && (result === "missing" || result === "stale"))
  )
  if (gate === undefined || task.forbids.includes(gate.gate)) return null
  return gate.command === null || gate.untrusted ? "the project's check" : `\`${gate.command}\``
}

/** With somebody there it is a fact that the model reads. */
const check = (facts: Facts): ReadonlyArray<Finding> => {
  const command = facts.attended || !untried(facts) ? null : checkOf(facts)
  if (command === null) return []
  return finding({
    fact: `You changed code, and nothing was run since: the project has ${command}.`,
    missing: `a run of ${command} since the last edit`,
    action: `Run ${command.startsWith("`") ? command : "the project's checks"} and report what that shows.`,
    denies: facts.gates.map(({ gate }) => gate).filter((gate) => !isDelivered(gate))
  })
}

export const workNothingRun: Rule = {
  id: "work/nothing-run",
  attended: "ask",
  unattended: "push",
  what: "Nobody is there, code was changed, nothing was run since, and the project has a check.",
  why: "It was looked at and not tried, and nobody else will.",
  pattern: "unverified",
  waits: true,
  check
}
