/** Levels of rules. The rules' names are in the judge, because a configuration may name a rule of a later version. */

/**
 * The level of a rule:
 * - `off`: the rule reports nothing. But a turn with a finding of this rule does not count as done.
 * - `tell`: the user reads a line.
 * - `nudge`: the agent is told to continue.
 */
export const levels = ["off", "tell", "nudge"] as const

export type Level = (typeof levels)[number]

export const lower = (one: Level, other: Level): Level => (levels.indexOf(one) < levels.indexOf(other) ? one : other)
