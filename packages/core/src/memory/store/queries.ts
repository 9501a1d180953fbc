/** The questions that a memory answers, over what is known of it. */
import { termsOf } from "../../base/text/Terms.ts"
import { keyOf } from "../lessons/LessonWords.ts"
import type { Category, Reflection, Source } from "../lessons/Reflection.ts"
import * as Effectiveness from "./Effectiveness.ts"
import { ranked } from "./ranking.ts"

/** Of each id the newest, in the order in which they were added, and what came of them. */
export interface Known {
  readonly lessons: ReadonlyMap<string, Reflection>
  readonly outcomes: Effectiveness.Fold
}

/** Newest attempt first; of one attempt's, the one that was added last. */
export const recent = ({ lessons }: Known, subtaskId: string, limit: number): ReadonlyArray<Reflection> =>
  [...lessons.values()]
    .filter((one) => one.subtaskId === subtaskId)
    .toReversed()
    .toSorted((one, other) => other.attemptNumber - one.attemptNumber)
    .slice(0, Math.max(0, Math.ceil(limit)))

/** What a reflection is found by. */
const textOf = ({ actionItems, analysis, suggestion, tags }: Reflection): string =>
  [analysis, suggestion, ...actionItems, ...tags].join("\n")

const known = new WeakMap<Reflection, ReadonlyArray<string>>()

/** A search asks for those of every lesson. */
const termsIn = (lesson: Reflection): ReadonlyArray<string> => {
  const terms = known.get(lesson) ?? termsOf(textOf(lesson))
  known.set(lesson, terms)
  return terms
}

/** Which reflections a search is for: of a task or subtask, of every other task, of some categories or sources. */
export interface Filters {
  readonly taskId?: string
  readonly subtaskId?: string
  readonly exceptTaskId?: string
  readonly categories?: ReadonlyArray<Category>
  readonly sources?: ReadonlyArray<Source>
}

/**
 * A reflection that was found, and why. `score` is `similarity` (0 to 1: of what the query's words could weigh, how much
 * they do) times twice `helpfulness` (0 to 1, 0.5 where nothing is known) times `recency` (0.5 to 1). `terms` are the words
 * that it shares with the query, the rarest first; `alike` the ids of others that say the same.
 */
export interface Recalled {
  readonly reflection: Reflection
  readonly score: number
  readonly similarity: number
  readonly helpfulness: number
  readonly recency: number
  readonly terms: ReadonlyArray<string>
  readonly alike: ReadonlyArray<string>
}

const halfLife = 60 * 86_400_000

/** What is old still counts for half: a lesson does not rot, it only fits less often. */
const recencyOf = ({ createdAt }: Reflection, now: number): number => {
  const age = now - Date.parse(createdAt)
  return Number.isNaN(age) ? 0.5 : 0.5 + 0.5 * 2 ** (-Math.max(0, age) / halfLife)
}

const fits = (lesson: Reflection, { categories, exceptTaskId, sources, subtaskId, taskId }: Filters): boolean =>
  (taskId === undefined || lesson.taskId === taskId) &&
  (subtaskId === undefined || lesson.subtaskId === subtaskId) &&
  lesson.taskId !== exceptTaskId &&
  (categories === undefined || categories.includes(lesson.category)) &&
  (sources === undefined || (lesson.source !== null && sources.includes(lesson.source)))

/** What is said more than once takes the place of one; behind so many that say what others do, nobody looks for more. */
const distinct = (hits: ReadonlyArray<Omit<Recalled, "alike">>, limit: number): ReadonlyArray<Recalled> => {
  const found = new Map<string, Recalled>()
  for (const [index, hit] of hits.entries()) {
    if (found.size >= limit && index >= Math.max(limit * 8, 32)) break
    const key = keyOf(hit.reflection)
    const same = found.get(key)
    if (same !== undefined) found.set(key, { ...same, alike: [...same.alike, hit.reflection.id] })
    else if (found.size < limit) found.set(key, { ...hit, alike: [] })
  }
  return [...found.values()]
}

/** Best first; of equal ones the newer. */
export const similar = (
  { lessons, outcomes }: Known,
  query: string,
  { limit, now, ...filters }: Filters & { readonly limit: number; readonly now: number }
): ReadonlyArray<Recalled> => {
  const hits = ranked([...lessons.values()], query, termsIn)
    .filter(({ of }) => fits(of, filters))
    .map(({ of: reflection, similarity, terms }) => {
      const helpfulness = Effectiveness.helpfulness(outcomes.byId.get(reflection.id), now)
      const recency = recencyOf(reflection, now)
      return { reflection, score: similarity * 2 * helpfulness * recency, similarity, helpfulness, recency, terms }
    })
    .toReversed()
    .toSorted((one, other) => other.score - one.score)
  return distinct(hits, limit)
}

/** What came of the reflections of one category or one source. `of` is how many there are. */
export interface Tally {
  readonly of: number
  readonly injected: number
  readonly used: number
  readonly succeeded: number
  readonly failed: number
  readonly rate: Effectiveness.Rate | null
}

/**
 * What came of reflections, by category and by source (`unknown` where nobody knows it), with 95 % intervals. In the sessions
 * of agents, where a task's id is the project's, `subtasks` are what was asked for. `without` counts the attempts that had none.
 */
export interface Stats {
  readonly reflections: number
  readonly tasks: number
  readonly subtasks: number
  readonly categories: Readonly<Record<string, Tally>>
  readonly sources: Readonly<Record<string, Tally>>
  readonly all: Tally
  readonly without: Pick<Tally, "succeeded" | "failed" | "rate">
}

const rated = <A extends { readonly succeeded: number; readonly failed: number }>(tally: A) => ({
  ...tally,
  rate: Effectiveness.rateOf(tally.succeeded, tally.failed)
})

export const stats = ({ lessons, outcomes }: Known): Stats => {
  const all = [...lessons.values()]
  const tally = (some: ReadonlyArray<Reflection>): Tally => {
    const records = some.flatMap(({ id }) => outcomes.byId.get(id) ?? [])
    const sum = (key: "injected" | "used" | "succeeded" | "failed") =>
      records.reduce((total, record) => total + record[key], 0)
    const counts = { injected: sum("injected"), used: sum("used"), succeeded: sum("succeeded"), failed: sum("failed") }
    return rated({ of: some.length, ...counts })
  }
  const by = (keyOf: (one: Reflection) => string): Readonly<Record<string, Tally>> =>
    Object.fromEntries([...new Set(all.map(keyOf))].map((key) => [key, tally(all.filter((one) => keyOf(one) === key))]))
  const count = (key: "taskId" | "subtaskId"): number => new Set(all.map((one) => one[key])).size
  return {
    reflections: all.length,
    tasks: count("taskId"),
    subtasks: count("subtaskId"),
    categories: by(({ category }) => category),
    sources: by(({ source }) => source ?? "unknown"),
    all: tally(all),
    without: rated(outcomes.without)
  }
}
