/** The names and texts of the files that a review writes to the workspace. Pure, so hooks and hosts share them. */
import type { Judged } from "../tiers/JudgeService.ts"
import { redactJson } from "../../base/redaction/Redaction.ts"
import { hash, safeName } from "../../base/system/FileNames.ts"
import { shortened } from "../../base/text/Shortening.ts"
import type { Kind } from "../machine/Decision.ts"
import type { NoticeKind, ReviewAction } from "../machine/ReviewState.ts"

export { directory, gitignore } from "../../base/system/RecordFolder.ts"

/**
 * One finished review.
 *
 * @category models
 */
export interface Review extends Omit<Judged, "mark" | "nudges" | "wouldContinue"> {
  readonly sessionId: string
  /** In milliseconds since the epoch. */
  readonly timestamp: number
  readonly decision: {
    readonly kind: Kind
    readonly reason: string
    /** Counted from 1. */
    readonly attempt: number | null
    readonly maxAttempts: number
    readonly notice: NoticeKind | null
  }
}

/**
 * Builds the review to write after a decision. Null if nothing was decided.
 *
 * @category constructors
 */
export const reviewOf = (
  judged: Judged | null,
  actions: ReadonlyArray<ReviewAction>,
  given: { readonly sessionId: string; readonly timestamp: number; readonly maxAttempts: number }
): Review | null => {
  const decided = actions.findLast((action) => action._tag === "Record" && action.status !== null)
  if (judged === null || decided?._tag !== "Record") return null
  const { attempt, decision: kind, reason } = decided
  const notice = actions.find((action) => action._tag === "Notify")?.notice ?? null
  const { maxAttempts, sessionId, timestamp } = given
  return { ...judged, sessionId, timestamp, decision: { kind, reason, attempt, maxAttempts, notice } }
}

/**
 * A file of the folder, to be written in one step.
 *
 * @category models
 */
export interface ArtifactFile {
  readonly name: string
  readonly text: string
}

/**
 * The maximum size of a file in bytes. The texts of a longer record are shortened.
 *
 * @category limits
 */
export const maxBytes = 64 * 1024

/** If a session id began like this, its records would have the names of signal files. */
const reserved = /^verdict(?:_|$)/i

const shortLength = 8

/** An id of this length gets a suffix. Otherwise it could equal a shortened id, and share its signal file. */
const stem = (sessionId: string): string => {
  const name = safeName(reserved.test(sessionId) ? `session:${sessionId}` : sessionId)
  return name.length === shortLength ? `${name}-x${hash(sessionId)}` : name
}

const signalName = (part: string): string => `verdict_${part}.json`

const signalNames = (part: string): ReadonlyArray<string> => [
  ...new Set([signalName(part), signalName(part.slice(0, shortLength))])
]

/** Other tools watch and read this file. */
const signal = ({ sessionId, timestamp, verdict: { complete, severity, status } }: Review): unknown => ({
  sessionId,
  status,
  complete,
  severity,
  timestamp
})

const record = ({ asked, checks, crossReview, decision, progress, route, verdict, ...review }: Review): unknown => {
  const { acceptance, contradictions, cost, gates, host, sessionId: _, task, version, ...found } = verdict
  return {
    version,
    sessionId: review.sessionId,
    host,
    timestamp: review.timestamp,
    task,
    evidence: { gates, contradictions, checks: checks ?? [] },
    acceptance: acceptance ?? [],
    selfAssessment: asked ?? null,
    verdict: found,
    progress: progress ?? null,
    decision,
    crossReview: crossReview ?? null,
    routing: route ?? null,
    cost
  }
}

const textOf = (value: unknown): string => `${shortened(redactJson(value), maxBytes - 1)}\n`

/**
 * Returns the files of a review in writing order. The full record comes first, then the signal files that announce it.
 *
 * @category rendering
 */
export const files = (review: Review): ReadonlyArray<ArtifactFile> => {
  const part = stem(review.sessionId)
  const text = textOf(signal(review))
  const timestamp = String(Math.max(0, Math.trunc(review.timestamp) || 0)).padStart(13, "0")
  return [
    { name: `${part}_${timestamp}.json`, text: textOf(record(review)) },
    ...signalNames(part).map((name) => ({ name, text }))
  ]
}

/**
 * How many full records are kept.
 *
 * @category models
 */
export interface Limits {
  readonly perSession: number
  readonly total: number
}

const defaultLimits: Limits = { perSession: 20, total: 200 }

const recordName = /^([A-Za-z0-9_][A-Za-z0-9._-]{0,99})_(\d{13,15})\.json$/

const recordOf = (name: string) => {
  const [, part, timestamp] = recordName.exec(name) ?? []
  return part === undefined || reserved.test(part) ? null : { name, part, timestamp: Number(timestamp) }
}

/**
 * Returns the names to delete: the oldest records beyond the limits, and the signals of a session whose last record is
 * deleted. It never returns any other name.
 *
 * @category pruning
 */
export const prune = (names: ReadonlyArray<string>, limits: Limits = defaultLimits): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  const records = names
    .map(recordOf)
    .filter((record) => record !== null)
    .toSorted((left, right) => right.timestamp - left.timestamp || (left.name < right.name ? -1 : 1))
  const newest = records.filter(({ part }) => {
    const before = counts.get(part) ?? 0
    counts.set(part, before + 1)
    return before < limits.perSession
  })
  const kept = new Set(newest.slice(0, limits.total))
  const dropped = records.filter((record) => !kept.has(record))
  const speaking = new Set([...kept].flatMap(({ part }) => signalNames(part)))
  const silenced = new Set(dropped.flatMap(({ part }) => signalNames(part)).filter((name) => !speaking.has(name)))
  return [...dropped.map(({ name }) => name), ...names.filter((name) => silenced.has(name))]
}
