/** What the reflection cycle found in many runs: a line of `.reflection/findings.jsonl`. */
import * as Schema from "effect/Schema"
import { actions, rules, sessionId, severities, subjectTypes } from "./words.ts"

export { sessionId } from "./words.ts"

/**
 * What a rule looks for; `analysis` is a model's observations. Logs may have findings of `regression` and
 * `unhelpful_advice`, which nothing looks for any more.
 */
export const Rule = Schema.Literal(...rules)

export type Rule = typeof Rule.Type

export const Severity = Schema.Literal(...severities)

export type Severity = typeof Severity.Type

/**
 * A finding's subject: a `task`, by its id; a `skill`, by the name of the skill or the path of the file; a `sub_session`, by
 * the session's id, where no task has an id.
 */
export const SubjectType = Schema.Literal(...subjectTypes)

export type SubjectType = typeof SubjectType.Type

/**
 * The same episode has the same `id`, however often it is found; of two lines of one id the later says more. `at` is when
 * the last of the attempts ended that show it, in ISO 8601; `actionTaken` is what was done about it, null where nothing was;
 * `count` is how many attempts show it, or of how many findings an analysis is.
 */
export const ReflectionFinding = Schema.Struct({
  id: Schema.NonEmptyString,
  at: Schema.String.pipe(Schema.filter((text) => Number.isFinite(Date.parse(text)), { message: () => "not a time" })),
  action: Schema.Literal(...actions),
  sessionId: Schema.Literal(sessionId),
  rule: Rule,
  severity: Severity,
  subjectType: SubjectType,
  subjectId: Schema.String,
  detail: Schema.String,
  actionTaken: Schema.NullOr(Schema.String),
  count: Schema.optionalWith(Schema.Number, { exact: true })
}).annotations({ identifier: "ReflectionFinding" })

export type ReflectionFinding = typeof ReflectionFinding.Type
