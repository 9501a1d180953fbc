/** The rules of the judge by their names, for a configuration to turn up or down; `judge/rules/Rules.ts` has the rules themselves. */

/** The names, by area. */
export const ruleNames = [
  "stop/service-error",
  "stop/empty-answer",
  "stop/cut-off",
  "stop/asks-nobody",
  "gates/failing-after-edit",
  "gates/failing-unordered",
  "gates/ordered-not-run",
  "gates/stale",
  "gates/not-delivered",
  "gates/maybe-not-run",
  "gates/ci-pending",
  "claims/contradicted",
  "claims/unfounded",
  "work/nothing-run",
  "todos/open",
  "loops/same-failing-call",
  "loops/planning",
  "loops/same-result",
  "loops/rounds",
  "loops/same-words",
  "policy/direct-push",
  "policy/own-settings",
  "checks/weakened"
] as const

export type RuleName = (typeof ruleNames)[number]

/**
 * What others than a rule find has a name of the same form. No level turns it up or down: whether a model or a reviewer is
 * asked at all is said elsewhere in a configuration, and a silence is not judged.
 */
export const otherNames = ["model/unfinished", "model/needs-user", "review/comment", "session/silent"] as const

/** By whom something may have been found. */
export type FoundName = RuleName | (typeof otherNames)[number]

/** Whether a name is a rule's, which a configuration can turn off. */
export const isRuleName = (name: string): name is RuleName => ruleNames.some((rule) => rule === name)

/**
 * How far a rule goes: `off` names nothing (what must not be called done still is not, and the verdict's reason says
 * why); `tell` has the user read a line; `ask` has a model decide, and only tells
 * without one; `push` sends the agent on.
 */
export const levels = ["off", "tell", "ask", "push"] as const

export type Level = (typeof levels)[number]

/** The lower of two levels. */
export const lower = (one: Level, other: Level): Level => (levels.indexOf(one) < levels.indexOf(other) ? one : other)
