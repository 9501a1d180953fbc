/** Findings as lines of their log, without a schema. */
import * as Json from "../../base/json/Json.ts"
import * as JsonScan from "../../base/json/JsonScan.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { clip } from "../../base/text/Text.ts"
import * as Shape from "../log/Shape.ts"
import type { ReflectionFinding } from "./ReflectionFinding.ts"
import { actions, rules, sessionId, severities, subjectTypes } from "./words.ts"

export { byHand } from "./words.ts"

/** The most characters of what a finding says. */
export const limits = { subjectId: 300, detail: 4000, actionTaken: 300 } as const

/** As it is kept: bounded, and without secrets. */
export const clean = (finding: ReflectionFinding): ReflectionFinding => ({
  id: finding.id,
  at: finding.at,
  action: finding.action,
  sessionId: finding.sessionId,
  rule: finding.rule,
  severity: finding.severity,
  subjectType: finding.subjectType,
  // A task's and a session's are what others look them up by.
  subjectId: clip(finding.subjectType === "skill" ? redact(finding.subjectId) : finding.subjectId, limits.subjectId),
  detail: clip(redact(finding.detail), limits.detail),
  actionTaken: finding.actionTaken === null ? null : clip(redact(finding.actionTaken), limits.actionTaken),
  ...(finding.count !== undefined && { count: finding.count })
})

const { oneOf, orLeftOut, orNull, text, word } = Shape

const shape: Shape.Shape<ReflectionFinding> = {
  id: word,
  at: { is: (value) => Number.isFinite(Date.parse(Json.text(value))), wanted: "a time is expected" },
  action: oneOf(actions),
  sessionId: oneOf([sessionId]),
  rule: oneOf(rules),
  severity: oneOf(severities),
  subjectType: oneOf(subjectTypes),
  subjectId: text,
  detail: text,
  actionTaken: orNull(text),
  count: orLeftOut({ is: (value) => typeof value === "number", wanted: "a number is expected" })
}

export const problemIn = (value: Json.Json): string | null => Shape.problemIn(value, shape)

/** What a line of the log says; null for one that is no finding. */
export const read = (line: string): ReflectionFinding | null => {
  const value = JsonScan.parse(line)
  return Json.isObject(value) && Shape.is(value, shape) ? value : null
}

/** A line of the log, with its break. */
export const encode = (finding: ReflectionFinding): string => `${JSON.stringify(clean(finding))}\n`
