/**
 * The files that a review leaves in the workspace: their names and their texts. Pure, so that a hook process and a
 * long-running host write the same.
 */
import type { CheckResult } from "../../ask/checks/CheckResult.ts"
import type { Reviewed } from "../../ask/crossreview/CrossReview.ts"
import type { Kind } from "../machine/Decision.ts"
import { hash, safeName } from "../../base/system/FileNames.ts"
import { shortened } from "../../base/text/Shortening.ts"
import { redactJson } from "../../base/redaction/Redaction.ts"
import type { NoticeKind } from "../machine/ReviewState.ts"
import type { Progress } from "../../ask/tiers/Progress.ts"
import type { Route } from "../../ask/models/ModelRouting.ts"
import type { Asked } from "../../ask/assessment/SelfAssessment.ts"
import type { Verdict } from "../../judge/verdict/Verdict.ts"

/**
 * The folder below the session's first project root.
 *
 * @category constants
 */
export const directory = ".reflection"

/**
 * What the folder's `.gitignore` says: git keeps the configuration, and neither the records nor this file itself.
 *
 * @category constants
 */
export const gitignore = `# Records of reflexion. Only the project's configuration belongs in the repository.
*
!config.json
`

/**
 * One finished review. `timestamp` is epoch ms; `attempt` the number of the push that was decided, counted from 1;
 * `notice` what the user was told; `route` who was to go on, where it was not the session's own model; `asked` what a model
 * said; `checks` how the checks went that were run for it; `crossReview` what others think of the change; `progress` what came of
 * the last reminder.
 *
 * @category models
 */
export interface Review {
  readonly sessionId: string
  readonly timestamp: number
  readonly verdict: Verdict
  readonly decision: {
    readonly kind: Kind
    readonly reason: string
    readonly attempt: number | null
    readonly maxAttempts: number
    readonly notice: NoticeKind | null
  }
  readonly route?: Route
  readonly asked?: Asked
  readonly checks?: ReadonlyArray<CheckResult>
  readonly crossReview?: Reviewed
  readonly progress?: Progress
}

/**
 * A file of the folder, to be put in place in one step.
 *
 * @category models
 */
export interface ArtifactFile {
  readonly name: string
  readonly text: string
}

/**
 * Most bytes that a file has; where a record would be longer, its texts are shortened.
 *
 * @category limits
 */
export const maxBytes = 64 * 1024

/** A session of that name would give its records the names of signals. */
const reserved = /^verdict(?:_|$)/i

const shortLength = 8

/** A name as long as the short one would be that of every session which begins so. */
const stem = (sessionId: string): string => {
  const name = safeName(reserved.test(sessionId) ? `session:${sessionId}` : sessionId)
  return name.length === shortLength ? `${name}-x${hash(sessionId)}` : name
}

const signalName = (part: string): string => `verdict_${part}.json`

const signalNames = (part: string): ReadonlyArray<string> => [
  ...new Set([signalName(part), signalName(part.slice(0, shortLength))])
]

/** What other tools watch for and read. */
const signal = ({ sessionId, timestamp, verdict }: Review): unknown => ({
  sessionId,
  status: verdict.status,
  complete: verdict.complete,
  severity: verdict.severity,
  timestamp
})

const record = ({
  asked,
  checks,
  crossReview,
  decision,
  progress,
  route,
  sessionId,
  timestamp,
  verdict
}: Review): unknown => ({
  version: 1,
  sessionId,
  host: verdict.host,
  timestamp,
  task: verdict.task,
  evidence: {
    gates: verdict.gates,
    contradictions: verdict.contradictions,
    checks: checks ?? []
  },
  acceptance: verdict.acceptance ?? [],
  selfAssessment: asked ?? null,
  verdict: {
    turn: verdict.turn,
    status: verdict.status,
    complete: verdict.complete,
    shouldContinue: verdict.shouldContinue,
    requiresHumanAction: verdict.requiresHumanAction,
    severity: verdict.severity,
    reason: verdict.reason,
    feedback: verdict.feedback,
    findings: verdict.findings,
    missing: verdict.missing,
    nextActions: verdict.nextActions,
    confidence: verdict.confidence,
    source: verdict.source,
    stop: verdict.stop
  },
  progress: progress ?? null,
  decision,
  crossReview: crossReview ?? null,
  routing: route ?? null,
  cost: verdict.cost
})

const textOf = (value: unknown): string => `${shortened(redactJson(value), maxBytes - 1)}\n`

/**
 * The files of a review, in the order in which they are to be written: the full record first, then the signals that say
 * that there is one.
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
 * How many full records are kept, and how many are deleted at most at once, for a person waits meanwhile.
 *
 * @category models
 */
export interface Limits {
  readonly perSession: number
  readonly total: number
  readonly atOnce: number
}

export const defaultLimits: Limits = { perSession: 20, total: 200, atOnce: 200 }

interface Record {
  readonly name: string
  readonly part: string
  readonly timestamp: number
}

const recordName = /^([A-Za-z0-9_][A-Za-z0-9._-]{0,99})_(\d{13,15})\.json$/

const recordOf = (name: string): ReadonlyArray<Record> => {
  const [, part, timestamp] = recordName.exec(name) ?? []
  if (part === undefined || reserved.test(part)) return []
  return [{ name, part, timestamp: Number(timestamp) }]
}

const newest = (records: ReadonlyArray<Record>, { perSession, total }: Limits): ReadonlyArray<Record> => {
  const counts = new Map<string, number>()
  const kept = records.filter(({ part }) => {
    const before = counts.get(part) ?? 0
    counts.set(part, before + 1)
    return before < perSession
  })
  return kept.slice(0, total)
}

/** Of more names no more are looked at: what has so many newer ones among these has them among all. */
const mostLooked = 5000

/**
 * Which of a folder's names are to be deleted: the oldest records beyond the limits, and the signals of a session whose
 * last record goes with them; of many, the oldest first. A name that is not of a record or of such a signal is never among them.
 *
 * @category pruning
 */
export const prune = (names: ReadonlyArray<string>, limits: Limits = defaultLimits): ReadonlyArray<string> => {
  const records = names
    .slice(0, mostLooked)
    .flatMap(recordOf)
    .toSorted((left, right) => right.timestamp - left.timestamp || (left.name < right.name ? -1 : 1))
  const worth = new Set(newest(records, limits))
  const dropped = records.filter((record) => !worth.has(record)).slice(-limits.atOnce)
  // Another record may be among those that were not looked at.
  if (names.length > mostLooked) return dropped.map(({ name }) => name)
  const going = new Set(dropped)
  const kept = records.filter((record) => !going.has(record))
  const speaking = new Set(kept.flatMap(({ part }) => signalNames(part)))
  const silenced = new Set(dropped.flatMap(({ part }) => signalNames(part)).filter((name) => !speaking.has(name)))
  return [...dropped.map(({ name }) => name), ...names.filter((name) => silenced.has(name))]
}
