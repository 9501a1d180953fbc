/** The words of findings, which a hook needs without their schema. */

export const rules = [
  "consecutive_failures",
  "timeout_pattern",
  "stale_task",
  "skill_failure_correlation",
  "regression",
  "unhelpful_advice",
  "analysis"
] as const

export const severities = ["warning", "action_taken"] as const

export const subjectTypes = ["task", "skill", "sub_session"] as const

export const actions = ["reflection_rule", "reflection_analysis"] as const

/** The session of every finding. */
export const sessionId = "system:reflection"

/**
 * How the ids of those findings begin that a look found, as `reflexion cycle` and the hosts' adapters do: the cycle of a
 * program takes no such finding for its own, and so tells what they say, and acts on it, as if nobody had looked.
 */
export const byHand = "look-"
