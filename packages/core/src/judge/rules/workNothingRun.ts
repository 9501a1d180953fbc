/** Code was changed, nothing was run since, and the project has a check. */
import { isDelivered } from "../../session/gates/GateTable.ts"
import { type Facts, untried } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
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
  unattended: "push",
  pattern: "unverified",
  waits: true,
  check
}

export const page: Page = {
  what: "Nobody is there, code was changed, nothing was run since, and the project has a check.",
  why: "It was looked at and not tried, and nobody else will.",
  fires: [
    example(
      "the project has tests",
      user("Do the tests pass?"),
      ran("npm test", 0, "Tests:  5 passed, 5 total"),
      agent("They do."),
      user("Fix the rounding in the total."),
      edited("src/total.ts"),
      agent("The rounding is fixed.")
    )
  ],
  spares: [
    example(
      "it was tried",
      user("Add a `list` command."),
      edited("src/list.ts"),
      ran("node src/list.ts"),
      agent("The command is there and lists what it should.")
    ),
    example(
      "the user tries it",
      user("Fix the rounding, I'll make sure it works."),
      ran("ls", 0, "src  test  package.json"),
      edited("src/total.ts"),
      agent("The rounding is fixed.")
    )
  ]
}
