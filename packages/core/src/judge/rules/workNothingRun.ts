/** The user wants it to work, and nothing was run that could show that it does. */
import * as Evidence from "../../session/evidence/Evidence.ts"
import { matchesAny } from "../../ground/text/Text.ts"
import { isDelivered } from "../../session/gates/GateTable.ts"
import { type Facts, untried as isUntried } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { finding, lastTried, userTries } from "./shared.ts"

/** An order to see to it, whatever the means. */
const wanted: ReadonlyArray<RegExp> = [
  /\b(?:sure|ensure|verify|check|confirm|test) (?:(?:that|if|whether) )?(?:it|they|everything|(?:all|the|your)(?: [\w-]{1,30}){1,3}?) (?:\w{3,8} )?(?:works?|runs?|starts?|compiles?)\b/i,
  /\b(?:sure|ensure|verify|check|confirm|test) (?:(?:that|if|whether) )?(?:it|this|that|everything)(?:'s| is)? (?:\w{3,8} )?work(?:s|ing)\b/i,
  /\b(?:it|this|everything) (?:must|has to|needs to) (?:\w{3,8} )?(?:work|run|start|compile)\b/i,
  /(?:\band|\bthen|,) (?:please )?(?:try|test) (?:it|this|that)(?: out)?(?: yourself| end[- ]to[- ]end)?(?=[.!,;]|$)/i
]

/** A check that the project has, and that nobody ran since code was changed: nobody else will. */
const leftUnrun = ({ attended, gates }: Facts): Facts["gates"][number] | undefined =>
  attended
    ? undefined
    : gates.find(
        ({ advised, denied, required, result, why }) =>
          advised || (required && why === "instructed" && !denied && (result === "missing" || result === "stale"))
      )

/** In words, null where nothing shows that the project has one. A workspace that nobody vouches for names its own commands. */
const checkOf = (facts: Facts): string | null => {
  const gate = leftUnrun(facts)
  if (gate !== undefined && !facts.task.forbids.includes(gate.gate))
    return gate.command === null || gate.untrusted ? "the project's check" : `\`${gate.command}\``
  return facts.attended ? null : (facts.evidence.shown ?? null)
}

const untried = (facts: Facts): ReadonlyArray<Finding> => {
  if (!isUntried(facts)) return []
  const command = checkOf(facts)
  if (command === null) return []
  return finding({
    fact: `You changed code, and nothing was run since: the project has ${command}.`,
    missing: `a run of ${command} since the last edit`,
    action: `Run ${command.startsWith("`") ? command : "the project's checks"} and report what that shows.`
  })
}

/** A check that passed was run. */
const checksOf = ({ gates }: Facts): ReadonlyArray<string> =>
  gates.map(({ gate }) => gate).filter((gate) => !isDelivered(gate))

const check = (facts: Facts): ReadonlyArray<Finding> => {
  const unshown = ordered(facts)
  const found = unshown.length > 0 ? unshown : untried(facts)
  return found.map((one) => ({ ...one, denies: checksOf(facts) }))
}

const ordered = (facts: Facts): ReadonlyArray<Finding> => {
  const { evidence, gates, task } = facts
  const edit = Evidence.lastEdit(evidence, ["source", "test", "script", "conflict"])
  const isNamed = gates.some(({ required, result }) => required && result !== "passed")
  if (edit === 0 || lastTried(facts) > edit || isNamed || task.intent === "ask") return []
  if (!matchesAny(wanted, task.message.slice(0, 4000)) || userTries(task.message)) return []
  return finding({
    fact: "You were asked to make sure that it works, and nothing was run since your last edit.",
    missing: "a run that shows that it works: nothing was run since the last edit",
    action: "Run what shows that it works, and report what it prints."
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
  what: "The user asked to make sure that it works, and nothing at all was run after the last edit of code.",
  why: "It was looked at and not tried.",
  fires: [
    example(
      "make sure it works",
      user("Fix the rounding in the total and make sure it works."),
      edited("src/total.ts"),
      agent("The rounding is fixed.")
    ),
    example(
      "tried before the last edit only",
      user("Add a `list` command and check that it runs."),
      edited("src/list.ts"),
      ran("node src/list.ts"),
      edited("src/list.ts"),
      agent("The command is there.")
    ),
    example(
      "the server",
      user("Move the port into the configuration, and verify that the server still starts."),
      edited("src/server.ts"),
      agent("The port is in the configuration now.")
    )
  ],
  spares: [
    example(
      "it was tried",
      user("Add a `list` command and check that it runs."),
      edited("src/list.ts"),
      ran("node src/list.ts"),
      agent("The command is there and lists what it should.")
    ),
    example(
      "the user tries it",
      user("Fix the rounding, I'll make sure it works."),
      edited("src/total.ts"),
      agent("The rounding is fixed.")
    ),
    example(
      "nobody asked for that",
      user("Fix the rounding in the total."),
      edited("src/total.ts"),
      agent("The rounding is fixed.")
    )
  ]
}
