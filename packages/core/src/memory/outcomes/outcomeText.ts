/** The texts of an outcome as they are kept: without secrets, and bounded. */
import { redact } from "../../base/redaction/Redaction.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import { redactedEnds } from "../../base/redaction/RedactedHead.ts"

export const limits = { id: 200, objective: 2000, name: 300, tools: 50, loaded: 100 } as const

export const statuses = ["completed", "failed", "timeout"] as const

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/u

export const isTime = (text: string): boolean => iso.test(text) && Number.isFinite(Date.parse(text))

export const timeWanted = "a time with its zone is expected, such as 2026-03-01T10:00:00.000Z"

/** Two texts that differ in what is cut out of them stay two. */
const hashOf = (text: string): string => KeyHash.ofText(text).toString(36)

const mostOfHash = 7

/** As it is, for it is what others are looked for by; one that is too long keeps its beginning and a hash. */
export const idOf = (id: string): string =>
  id.length <= limits.id ? id : `${id.slice(0, limits.id - mostOfHash - 1)}#${hashOf(id)}`

export const nameOf = (name: string): string => {
  const { head, left, tail } = redactedEnds(name, limits.name / 2 - 1)
  return left === 0 ? head : `${head}…${tail}`
}

const mostOfMark = 50

export const objectiveOf = (text: string): string => {
  if (text.length <= limits.objective) {
    const safe = redact(text)
    if (safe.length <= limits.objective) return safe
  }
  const { head, left, tail } = redactedEnds(text, (limits.objective - mostOfMark) / 2)
  return left === 0 ? head : `${head} … ${left} characters #${hashOf(text)} … ${tail}`
}
