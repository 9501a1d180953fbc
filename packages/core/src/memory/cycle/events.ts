/** The schemas of what the cycle tells of itself. */
import * as Schema from "effect/Schema"
import { Rule, Severity, type ReflectionFinding } from "../rules/ReflectionFinding.ts"

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

/** How an analysis says what it recommends, behind what it observed: one change a line. */
export const recommended = "\n\nRecommended:\n"

/** What is told of a finding, now or after a restart. */
export const eventsOf = (finding: ReflectionFinding): ReadonlyArray<CycleEvent> => {
  const { actionTaken, count = 0, detail, rule, severity, subjectId } = finding
  if (rule === "analysis") {
    const [, list = ""] = detail.split(recommended)
    const actions = list.split("\n").filter((line) => line.startsWith("- ")).length
    return [{ type: "reflection.analysis_completed", findings_count: count, actions_recommended: actions }]
  }
  const found: CycleEvent = {
    type: "reflection.finding",
    rule,
    severity,
    subject_id: subjectId,
    action_taken: actionTaken
  }
  return rule === "skill_failure_correlation"
    ? [found, { type: "reflection.skill_flagged", skill_name: subjectId, failure_count: count }]
    : [found]
}
