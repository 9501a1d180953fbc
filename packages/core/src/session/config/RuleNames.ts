/** The rules of the judge by their names, for a configuration to turn up or down; each has a file in `judge/rules`. */

/** The names, by area. */
export const ruleNames = [
  "stop/service-error",
  "stop/empty-answer",
  "stop/cut-off",
  "stop/announced-step",
  "stop/listed-steps",
  "stop/needless-question",
  "gates/failing-after-edit",
  "gates/failing-unordered",
  "gates/ordered-not-run",
  "gates/maybe-not-run",
  "claims/disproved",
  "claims/change-not-made",
  "work/defect-left",
  "work/ordered-not-begun",
  "work/nothing-run",
  "work/handed-over",
  "work/left",
  "work/stopped-short",
  "work/only-tests-changed",
  "todos/open",
  "loops/same-failing-call",
  "policy/direct-push",
  "policy/own-settings"
] as const

export type RuleName = (typeof ruleNames)[number]

/**
 * How far a rule goes: `off` finds nothing; `tell` has the user read a line; `ask` has a model decide, and only tells
 * without one; `push` sends the agent on.
 */
export const levels = ["off", "tell", "ask", "push"] as const

export type Level = (typeof levels)[number]

/** The lower of two levels. */
export const lower = (one: Level, other: Level): Level => (levels.indexOf(one) < levels.indexOf(other) ? one : other)
