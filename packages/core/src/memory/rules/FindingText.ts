/** Findings as lines of their log, written without decoding any. */
import * as JsonScan from "../../base/json/JsonScan.ts"
import * as Json from "../../base/json/Json.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { clip } from "../../base/text/Text.ts"
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

const isAmong = (all: ReadonlyArray<unknown>, value: unknown): boolean => all.includes(value)

/** What the schema says of a finding. The test holds one against the other. */
const isFinding = (value: object): value is ReflectionFinding => {
  const one: Partial<Record<keyof ReflectionFinding, unknown>> = value
  return (
    typeof one.id === "string" &&
    one.id !== "" &&
    typeof one.at === "string" &&
    Number.isFinite(Date.parse(one.at)) &&
    isAmong(actions, one.action) &&
    one.sessionId === sessionId &&
    isAmong(rules, one.rule) &&
    isAmong(severities, one.severity) &&
    isAmong(subjectTypes, one.subjectType) &&
    typeof one.subjectId === "string" &&
    typeof one.detail === "string" &&
    (one.actionTaken === null || typeof one.actionTaken === "string") &&
    (one.count === undefined || typeof one.count === "number")
  )
}

/** What a line of the log says; null for one that is no finding. */
export const read = (line: string): ReflectionFinding | null => {
  try {
    const value: unknown = JsonScan.strict(line)
    return Json.isObject(value) && isFinding(value) ? value : null
  } catch {
    return null
  }
}

/** A line of the log, with its break. */
export const encode = (finding: ReflectionFinding): string => `${JSON.stringify(clean(finding))}\n`
