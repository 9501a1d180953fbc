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

/** The session id of every finding. */
export const sessionId = "system:reflection"

/** One finding. */
export interface ReflectionFinding {
  /**
   * The same episode always has the same id, however often it is found. Of two lines with the same id, the later one
   * has more data.
   */
  readonly id: string
  /** When the last attempt with this problem ended. ISO 8601. */
  readonly at: string
  readonly action: (typeof actions)[number]
  readonly sessionId: typeof sessionId
  /** The rule that made the finding. `analysis` is a model's observations. */
  readonly rule: (typeof rules)[number]
  readonly severity: (typeof severities)[number]
  readonly subjectType: (typeof subjectTypes)[number]
  /**
   * The id of a `task`. For a `skill`, the name of the skill or the path of the file. For a `sub_session`, the id of
   * the session, because the task has no id.
   */
  readonly subjectId: string
  readonly detail: string
  /** The action that was taken because of the finding. Null if there was no action. */
  readonly actionTaken: string | null
  /** How many attempts show the finding. For an analysis, how many findings it covers. */
  readonly count?: number
}

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
