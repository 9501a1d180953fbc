/** The schemas of what the cycle tells of itself. */
import * as Schema from "effect/Schema"
import { Rule, Severity } from "../rules/ReflectionFinding.ts"

export const FindingEvent = Schema.Struct({
  type: Schema.Literal("reflection.finding"),
  rule: Rule,
  severity: Severity,
  subject_id: Schema.String,
  action_taken: Schema.NullOr(Schema.String)
})

export const AnalysisCompleted = Schema.Struct({
  type: Schema.Literal("reflection.analysis_completed"),
  findings_count: Schema.Number,
  actions_recommended: Schema.Number
})

export const SkillFlagged = Schema.Struct({
  type: Schema.Literal("reflection.skill_flagged"),
  skill_name: Schema.String,
  failure_count: Schema.Number
})

/**
 * What the cycle tells: that a rule found something, that a model looked at what they found, that a skill or file is
 * loaded by attempts that fail.
 *
 * @category models
 */
export const CycleEvent = Schema.Union(FindingEvent, AnalysisCompleted, SkillFlagged)

export type CycleEvent = typeof CycleEvent.Type
