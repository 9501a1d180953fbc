/**
 * What the reflection cycle found in many runs: a line of `.reflection/findings.jsonl`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * What a rule looks for; `analysis` is a model's observations.
 *
 * @since 0.1.0
 * @category models
 */
export const Rule = Schema.Literal(
  "consecutive_failures",
  "timeout_pattern",
  "stale_task",
  "skill_failure_correlation",
  "regression",
  "unhelpful_advice",
  "analysis"
)

/**
 * @since 0.1.0
 * @category models
 */
export type Rule = typeof Rule.Type

/**
 * @since 0.1.0
 * @category models
 */
export const Severity = Schema.Literal("warning", "action_taken")

/**
 * @since 0.1.0
 * @category models
 */
export type Severity = typeof Severity.Type

/**
 * A finding's subject: a `task`, by its id; a `skill`, by the name of the skill, the path of the file, or the id of the
 * advice that agents were given; a `sub_session`, by the session's id, where no task has an id.
 *
 * @since 0.1.0
 * @category models
 */
export const SubjectType = Schema.Literal("task", "skill", "sub_session")

/**
 * @since 0.1.0
 * @category models
 */
export type SubjectType = typeof SubjectType.Type

/**
 * The session of every finding.
 *
 * @since 0.1.0
 * @category constants
 */
export const sessionId = "system:reflection"

/**
 * How the ids of those findings begin that a person looked for, as `reflexion cycle` does: the cycle of a program takes
 * none of them for its own, and so tells what they say, and acts on it, as if nobody had looked.
 *
 * @since 0.1.0
 * @category constants
 */
export const byHand = "look-"

/**
 * The most characters of what a finding says.
 *
 * @since 0.1.0
 * @category limits
 */
export const limits = { subjectId: 300, detail: 4000, actionTaken: 300 } as const

/**
 * The same episode has the same `id`, however often it is found; of two lines of one id the later says more. `at` is when
 * the last of the attempts ended that show it, in ISO 8601; `actionTaken` is what was done about it, null where nothing was.
 *
 * @since 0.1.0
 * @category models
 */
export const ReflectionFinding = Schema.Struct({
  id: Schema.NonEmptyString,
  at: Schema.String.pipe(Schema.filter((text) => Number.isFinite(Date.parse(text)), { message: () => "not a time" })),
  action: Schema.Literal("reflection_rule", "reflection_analysis"),
  sessionId: Schema.Literal(sessionId),
  rule: Rule,
  severity: Severity,
  subjectType: SubjectType,
  subjectId: Schema.String,
  detail: Schema.String,
  actionTaken: Schema.NullOr(Schema.String)
}).annotations({ identifier: "ReflectionFinding" })

/**
 * @since 0.1.0
 * @category models
 */
export type ReflectionFinding = typeof ReflectionFinding.Type
