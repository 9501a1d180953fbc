/** Whether advice helps: a fold over what became of reflections, and what it says of each of them. */
import type { MemoryEvent } from "./MemoryEvent.ts"

/**
 * What is known of one reflection. `succeeded` and `failed` count attempts that had it; `helped` and `harmed` are the same
 * as weights that fade, as they were at `at`, in ms since the epoch; `usedIn` is the attempt in which it was used last.
 */
export interface Record {
  readonly injected: number
  readonly used: number
  readonly succeeded: number
  readonly failed: number
  readonly helped: number
  readonly harmed: number
  readonly at: number
  readonly usedIn: string | null
}

const none: Record = { injected: 0, used: 0, succeeded: 0, failed: 0, helped: 0, harmed: 0, at: 0, usedIn: null }

/** After so long an outcome says half as much: code and tools change. */
const halfLife = 90 * 86_400_000

const faded = (weight: number, from: number, to: number): number =>
  weight === 0 || to <= from ? weight : weight * 2 ** ((from - to) / halfLife)

const attemptOf = ({ attemptNumber, subtaskId, taskId }: MemoryEvent): string | null =>
  attemptNumber === null ? null : JSON.stringify([taskId, subtaskId, attemptNumber])

/** Advice that stood in the prompt had a part in what came of it; advice that was followed, all of it. */
const [partly, wholly] = [0.5, 1]

const onEvent = (record: Record, event: MemoryEvent, at: number): Record => {
  const attempt = attemptOf(event)
  if (event.event === "use")
    return event.kind === "used"
      ? { ...record, used: record.used + 1, usedIn: attempt }
      : { ...record, injected: record.injected + 1 }
  const weight = attempt !== null && attempt === record.usedIn ? wholly : partly
  const now = Math.max(at, record.at)
  const helped = faded(record.helped, record.at, now)
  const harmed = faded(record.harmed, record.at, now)
  return event.success
    ? { ...record, succeeded: record.succeeded + 1, helped: helped + weight, harmed, at: now }
    : { ...record, failed: record.failed + 1, helped, harmed: harmed + weight, at: now }
}

/** A fold that is read as it grows. `without` counts the attempts that had no reflection. */
export interface Fold {
  readonly byId: Map<string, Record>
  readonly without: { succeeded: number; failed: number }
}

export const initial = (): Fold => ({ byId: new Map(), without: { succeeded: 0, failed: 0 } })

/** Folds one event in. */
export const step = ({ byId, without }: Fold, event: MemoryEvent): void => {
  const at = Date.parse(event.at)
  for (const id of new Set(event.reflectionIds))
    byId.set(id, onEvent(byId.get(id) ?? none, event, Number.isNaN(at) ? 0 : at))
  if (event.event === "outcome" && event.reflectionIds.length === 0)
    without[event.success ? "succeeded" : "failed"] += 1
}

/** Bad advice costs an attempt, and good advice that is left out only a chance. */
const harmWeight = 2

/** Two attempts on either side are believed beforehand: one outcome moves the estimate, and does not settle it. */
const prior = 1

/**
 * How much a reflection is to be trusted by what came of it, between 0 and 1: the mean of a Beta posterior over faded
 * outcomes, in which harm weighs twice. 0.5 where nothing is known.
 */
export const helpfulness = (record: Record = none, now: number): number => {
  const good = prior + faded(record.helped, record.at, now)
  const bad = prior + harmWeight * faded(record.harmed, record.at, now)
  return good / (good + bad)
}

/** A share with the bounds between which it lies with 95 % confidence; null of nothing. */
export interface Rate {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Wilson's score interval (1927). */
export const rateOf = (successes: number, failures: number): Rate | null => {
  const trials = successes + failures
  if (trials === 0) return null
  const z = 1.96
  const share = successes / trials
  const scale = 1 + (z * z) / trials
  const middle = (share + (z * z) / (2 * trials)) / scale
  const reach = (z / scale) * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials))
  return { value: share, low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) }
}
