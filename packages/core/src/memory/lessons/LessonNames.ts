/** The names that a lesson may have in it, without a schema. */

export const categories = [
  "root_cause",
  "misconception",
  "approach_flaw",
  "missing_context",
  "tool_misuse",
  "test_gap",
  "verification",
  "environment",
  "approach_error",
  "edge_case"
] as const

export const sources = ["model", "heuristic", "human"] as const
