/** Loops by the rules whose names they bear, and what such a rule finds of one. */
import type { Facts } from "../../session/facts/Facts.ts"
import type { RuleName } from "../../session/config/RuleNames.ts"
import type { Loop, LoopPattern } from "../../session/facts/Loop.ts"
import { nextOf, toldOf } from "../loops/Loops.ts"
import { oneLine } from "../../ground/text/Text.ts"
import type { Finding } from "./model.ts"

const named = ({ calls }: Loop): string => {
  const summaries = calls.map(({ summary, tool }) => (summary === "" ? tool : summary).replaceAll("`", "'"))
  return summaries.length === 0 ? "" : oneLine(`: ${summaries.map((text) => `\`${text}\``).join(", ")}`, 240)
}

/** A loop as a rule's finding: the agent's to leave, whatever it says of it. */
export const ofLoop = (loop: Loop): Finding => ({
  severity: "LOW",
  fact: `You ${toldOf(loop)}${named(loop)}`,
  missing: `The agent ${toldOf(loop)}${named(loop)}`,
  action: nextOf(loop).join("\n"),
  stands: true,
  calls: loop.callIds
})

const names = {
  planning: "loops/planning",
  same_result: "loops/same-result",
  failing_call: "loops/same-failing-call",
  cycle: "loops/rounds",
  monologue: "loops/same-words",
  context_error: "stop/service-error"
} as const satisfies Readonly<Record<Exclude<LoopPattern, "action">, RuleName>>

/** The rules that loops bear the names of. */
export type LoopRule = (typeof names)[keyof typeof names]

/** The rule of a loop: one call among others is a repetition, several of them are rounds with something between. */
export const nameOf = ({ pattern, period }: Loop): LoopRule =>
  names[pattern === "action" ? (period === 1 ? "same_result" : "cycle") : pattern]

/** What is found of the loops that bear a rule's name. */
export const inLoop =
  (rule: LoopRule) =>
  ({ loops }: Pick<Facts, "loops">): ReadonlyArray<Finding> =>
    loops.filter((loop) => nameOf(loop) === rule).map(ofLoop)
