/** The memory in a report: what was learned, what helped, what might go. */
import { safeText } from "@reflexion/core/internal/base/redaction/SafeText"
import * as Queries from "@reflexion/core/internal/memory/store/Queries"
import type { Reflection } from "@reflexion/core/Reflection"
import type { Stats } from "@reflexion/core/ReflexionStore"
import * as RetryPrompt from "@reflexion/core/RetryPrompt"
import { type Lesson, limits, type Memory } from "./model.ts"

/**
 * What a store says of itself, read once.
 *
 * @category models
 */
export interface Remembered {
  readonly reflections: ReadonlyArray<Reflection>
  readonly effectiveness: ReadonlyMap<string, Queries.Results>
  readonly stats: Stats | null
}

export const nothing: Remembered = { reflections: [], effectiveness: new Map(), stats: null }

const day = 86_400_000

/** Advice that nobody was given for so long waits for a task that does not come. */
const idle = 90 * day

const text = (given: string): string => safeText(given.slice(0, limits.text))

const pruneOf = (
  reflection: Reflection,
  record: Queries.Results | undefined,
  { helpfulness, now }: { readonly now: number; readonly helpfulness: number }
): string | null => {
  if (RetryPrompt.isResolved(reflection)) return null
  const { createdAt } = reflection
  const failed = record?.failed ?? 0
  const tried = failed + (record?.succeeded ?? 0)
  if (failed >= 2 && helpfulness < 0.35) return `${failed} of ${tried} attempts that had it failed`
  const age = now - Date.parse(createdAt)
  return tried + (record?.injected ?? 0) + (record?.used ?? 0) === 0 && age > idle
    ? `nobody was given it in ${Math.floor(age / day)} days`
    : null
}

const lessonOf = (
  reflection: Reflection,
  record: Queries.Results | undefined,
  { now, since }: { readonly now: number; readonly since: number }
): Lesson => {
  const helpfulness = Queries.helpfulness(record)
  return {
    id: text(reflection.id),
    createdAt: text(reflection.createdAt),
    category: reflection.category,
    source: reflection.source ?? "unknown",
    analysis: text(reflection.analysis),
    suggestion: text(reflection.suggestion),
    given: (record?.injected ?? 0) + (record?.used ?? 0),
    succeeded: record?.succeeded ?? 0,
    failed: record?.failed ?? 0,
    helpfulness,
    isNew: Date.parse(reflection.createdAt) >= since,
    isResolved: RetryPrompt.isResolved(reflection),
    prune: pruneOf(reflection, record, { now, helpfulness })
  }
}

const helps = ({ helpfulness, succeeded }: Lesson): boolean => succeeded > 0 && helpfulness > 0.5

/** What there is most to say of comes first. */
const weight = (lesson: Lesson): number =>
  (lesson.isNew ? 4 : 0) + (lesson.prune === null ? 0 : 2) + Math.abs(lesson.helpfulness - 0.5)

const rates = (found: { readonly succeeded: number; readonly failed: number } | undefined) => {
  const { failed = 0, succeeded = 0 } = found ?? {}
  return { succeeded, failed, rate: Queries.rateOf({ succeeded, failed }) }
}

/**
 * `now` and `since` are epoch ms.
 *
 * @category constructors
 */
export const make = (
  { effectiveness, reflections, stats }: Remembered,
  options: { readonly now: number; readonly since: number }
): Memory => {
  const lessons = reflections.map((one) => lessonOf(one, effectiveness.get(one.id), options))
  const shown = lessons
    .toReversed()
    .toSorted((one, other) => weight(other) - weight(one))
    .slice(0, limits.reflections)
  return {
    reflections: lessons.length,
    tasks: new Set(reflections.map(({ subtaskId }) => subtaskId)).size,
    learned: lessons.filter(({ isNew }) => isNew).length,
    helped: lessons.filter(helps).length,
    toPrune: lessons.filter(({ prune }) => prune !== null).length,
    withLessons: rates(stats?.all),
    without: rates(stats?.without),
    lessons: shown,
    leftOut: lessons.length - shown.length
  }
}
