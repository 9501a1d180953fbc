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

/** The session id of every finding. */
export const sessionId = "system:reflection"

/**
 * The rule that made a finding. `analysis` is a model's observations. Older logs may have `regression` and
 * `unhelpful_advice`; no rule makes such findings any more.
 */
export const Rule = Schema.Literal(...rules)

export const Severity = Schema.Literal(...severities)

/** One finding. */
export const ReflectionFinding = Schema.Struct({
  /**
   * The same episode always has the same id, however often it is found. Of two lines with the same id, the later one
   * has more data.
   */
  id: Schema.NonEmptyString,
  /** The end of the last attempt that shows the finding. ISO 8601. */
  at: Schema.String.pipe(Schema.filter((text) => Number.isFinite(Date.parse(text)), { message: () => "not a time" })),
  action: Schema.Literal(...actions),
  sessionId: Schema.Literal(sessionId),
  rule: Rule,
  severity: Severity,
  subjectType: Schema.Literal(...subjectTypes),
  /**
   * The id of a `task`. For a `skill`, the name of the skill or the path of the file. A `sub_session` is used if the
   * task has no id; then this is the id of the session.
   */
  subjectId: Schema.String,
  detail: Schema.String,
  /** The action that was taken because of the finding. Null if there was no action. */
  actionTaken: Schema.NullOr(Schema.String),
  /** How many attempts show the finding. For an analysis, how many findings it covers. */
  count: Schema.optionalWith(Schema.Number, { exact: true })
}).annotations({ identifier: "ReflectionFinding" })

export type ReflectionFinding = typeof ReflectionFinding.Type

/** The maximum lengths of the texts of a finding, in characters. */
const limits = { subjectId: 300, detail: 4000, actionTaken: 300 } as const

/** Returns the stored form of a finding: shortened, and without secrets. */
export const clean = (finding: ReflectionFinding): ReflectionFinding => ({
  ...finding,
  // The id of a task or session is not redacted, because it is used to look up the finding.
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

/** Reads a finding from a line of the log. Returns null if the line is not a finding. */
export const decode = (line: string): ReflectionFinding | null => {
  const value = JsonScan.parse(line)
  return Json.isObject(value) && Shape.is(value, shape) ? value : null
}
