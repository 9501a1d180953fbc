/** What the reflection cycle found in many runs: a line of `.reflection/findings.jsonl`. */
import * as Schema from "effect/Schema"
import * as Json from "../../base/json/Json.ts"
import * as JsonScan from "../../base/json/JsonScan.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { clip } from "../../base/text/Text.ts"
import * as Shape from "../log/Shape.ts"

const rules = [
  "consecutive_failures",
  "timeout_pattern",
  "stale_task",
  "skill_failure_correlation",
  "regression",
  "unhelpful_advice",
  "analysis"
] as const

const severities = ["warning", "action_taken"] as const

const subjectTypes = ["task", "skill", "sub_session"] as const

const actions = ["reflection_rule", "reflection_analysis"] as const

/** The session of every finding. */
export const sessionId = "system:reflection"

/**
 * What a rule looks for; `analysis` is a model's observations. Logs may have findings of `regression` and
 * `unhelpful_advice`, which nothing looks for any more.
 */
export const Rule = Schema.Literal(...rules)

export const Severity = Schema.Literal(...severities)

/**
 * The same episode has the same `id`, however often it is found; of two lines of one id the later says more. `at` is when
 * the last of the attempts ended that show it, in ISO 8601. `subjectId` of a `task` is its id, of a `skill` the name of the skill or the
 * path of the file, of a `sub_session` the session's id, where no task has an id. `actionTaken` is what was done about it, null
 * where nothing was; `count` is how many attempts show it, or of how many findings an analysis is.
 */
export const ReflectionFinding = Schema.Struct({
  id: Schema.NonEmptyString,
  at: Schema.String.pipe(Schema.filter((text) => Number.isFinite(Date.parse(text)), { message: () => "not a time" })),
  action: Schema.Literal(...actions),
  sessionId: Schema.Literal(sessionId),
  rule: Rule,
  severity: Severity,
  subjectType: Schema.Literal(...subjectTypes),
  subjectId: Schema.String,
  detail: Schema.String,
  actionTaken: Schema.NullOr(Schema.String),
  count: Schema.optionalWith(Schema.Number, { exact: true })
}).annotations({ identifier: "ReflectionFinding" })

export type ReflectionFinding = typeof ReflectionFinding.Type

/** The most characters of what a finding says. */
const limits = { subjectId: 300, detail: 4000, actionTaken: 300 } as const

/** As it is kept: bounded, and without secrets. */
export const clean = (finding: ReflectionFinding): ReflectionFinding => ({
  ...finding,
  // A task's and a session's are what others look them up by.
  subjectId: clip(finding.subjectType === "skill" ? redact(finding.subjectId) : finding.subjectId, limits.subjectId),
  detail: clip(redact(finding.detail), limits.detail),
  actionTaken: finding.actionTaken === null ? null : clip(redact(finding.actionTaken), limits.actionTaken)
})

const { oneOf, orNull, text, word } = Shape

const shape: Shape.Shape<ReflectionFinding> = {
  id: word,
  at: (value) => Number.isFinite(Date.parse(Json.text(value))),
  action: oneOf(actions),
  sessionId: oneOf([sessionId]),
  rule: oneOf(rules),
  severity: oneOf(severities),
  subjectType: oneOf(subjectTypes),
  subjectId: text,
  detail: text,
  actionTaken: orNull(text),
  count: (value) => value === undefined || typeof value === "number"
}

/** What a line of the log says; null for one that is no finding. */
export const decode = (line: string): ReflectionFinding | null => {
  const value = JsonScan.parse(line)
  return Json.isObject(value) && Shape.is(value, shape) ? value : null
}
