/** What the reflection cycle found in many runs: a line of `.reflection/findings.jsonl`. */
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
  "analysis"
] as const

const severities = ["warning", "action_taken"] as const

const subjectTypes = ["task", "skill", "sub_session"] as const

const actions = ["reflection_rule", "reflection_analysis"] as const

export const sessionId = "system:reflection"

export interface ReflectionFinding {
  /** An episode always has the same id. Of two lines with the same id, the later line has more data. */
  readonly id: string
  /** When the last attempt with this problem ended. ISO 8601. */
  readonly at: string
  readonly action: (typeof actions)[number]
  readonly sessionId: typeof sessionId
  /** `analysis` is a model's observations. */
  readonly rule: (typeof rules)[number]
  readonly severity: (typeof severities)[number]
  readonly subjectType: (typeof subjectTypes)[number]
  /** The id of a `task`, the name or path of a `skill`, or the session of a `sub_session` (its task has no id). */
  readonly subjectId: string
  readonly detail: string
  readonly actionTaken: string | null
  /** How many attempts show the finding. For an analysis, how many findings it covers. */
  readonly count?: number
}

/** In characters. */
const limits = { subjectId: 300, detail: 4000, actionTaken: 300 } as const

export const clean = (finding: ReflectionFinding): ReflectionFinding => ({
  ...finding,
  // Not redacted for a task or session, because the id is used to look up the finding.
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

export const decode = (line: string): ReflectionFinding | null => {
  const value = JsonScan.parse(line)
  return Json.isObject(value) && Shape.is(value, shape) ? value : null
}
