/**
 * What the reflection cycle found in many runs: a line of `.reflection/findings.jsonl`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Text from "./FindingText.ts"

/**
 * What a rule looks for; `analysis` is a model's observations.
 *
 * @since 0.1.0
 * @category models
 */
export const Rule = Schema.Literal(...Text.rules)

/**
 * @since 0.1.0
 * @category models
 */
export type Rule = typeof Rule.Type

/**
 * @since 0.1.0
 * @category models
 */
export const Severity = Schema.Literal(...Text.severities)

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
export const SubjectType = Schema.Literal(...Text.subjectTypes)

/**
 * @since 0.1.0
 * @category models
 */
export type SubjectType = typeof SubjectType.Type

export {
  /**
   * How the ids of those findings begin that a look found, as `reflexion cycle` and the hosts' adapters do: the cycle of a
   * program takes none of them for its own, and so tells what they say, and acts on it, as if nobody had looked.
   *
   * @since 0.1.0
   * @category constants
   */
  byHand,
  /**
   * The most characters of what a finding says.
   *
   * @since 0.1.0
   * @category limits
   */
  limits,
  /**
   * The session of every finding.
   *
   * @since 0.1.0
   * @category constants
   */
  sessionId
} from "./FindingText.ts"

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
  action: Schema.Literal(...Text.actions),
  sessionId: Schema.Literal(Text.sessionId),
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
