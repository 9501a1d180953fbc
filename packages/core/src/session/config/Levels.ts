/** How far rules go. Their names are the judge's: a configuration may name what a later version knows. */

/**
 * How far a rule goes: `off` names nothing (what it would find is still not called done); `tell` has the user read a line;
 * `nudge` sends the agent on.
 */
export const levels = ["off", "tell", "nudge"] as const

export type Level = (typeof levels)[number]

/** The lower of two levels. */
export const lower = (one: Level, other: Level): Level => (levels.indexOf(one) < levels.indexOf(other) ? one : other)
