/** The questions that a memory answers, over what is known of it. */
import { termsOf } from "../../base/text/Terms.ts"
import { type Said, saidIn, saysTheSame } from "../lessons/LessonWords.ts"
import type * as Reflection from "../lessons/Reflection.ts"
import * as Effectiveness from "./Effectiveness.ts"
import { ranked } from "./ranking.ts"

type Lesson = Reflection.Reflection

/** Of each id the newest, in the order in which they were added, and what came of them. */
export interface Known {
  readonly lessons: ReadonlyMap<string, Lesson>
  readonly outcomes: Effectiveness.Fold
}

/** Newest attempt first; of one attempt's, the one that was added last. */
export const recent = ({ lessons }: Known, subtaskId: string, limit: number): ReadonlyArray<Lesson> =>
  [...lessons.values()]
    .filter((one) => one.subtaskId === subtaskId)
    .toReversed()
    .toSorted((one, other) => other.attemptNumber - one.attemptNumber)
    .slice(0, Math.max(0, Math.ceil(limit)))

/** What a reflection is found by. */
const textOf = ({ actionItems, analysis, suggestion, tags }: Lesson): string =>
  [analysis, suggestion, ...actionItems, ...tags].join("\n")

const known = new WeakMap<Lesson, ReadonlyArray<string>>()

/** A search asks for those of every lesson. */
const termsIn = (lesson: Lesson): ReadonlyArray<string> => {
  const terms = known.get(lesson) ?? termsOf(textOf(lesson))
  known.set(lesson, terms)
  return terms
}

export interface Filters {
  readonly taskId?: string
  readonly subtaskId?: string
  readonly exceptTaskId?: string
  readonly categories?: ReadonlyArray<Reflection.Category>
  readonly sources?: ReadonlyArray<Reflection.Source>
}

export interface Recalled {
  readonly reflection: Lesson
  readonly score: number
  readonly similarity: number
  readonly helpfulness: number
  readonly recency: number
  readonly terms: ReadonlyArray<string>
  readonly alike: ReadonlyArray<string>
}

const day = 86_400_000
const halfLife = 60 * day

/** What is old still counts for half: a lesson does not rot, it only fits less often. */
const recencyOf = ({ createdAt }: Lesson, now: number): number => {
  const age = now - Date.parse(createdAt)
  return Number.isNaN(age) ? 0.5 : 0.5 + 0.5 * 2 ** (-Math.max(0, age) / halfLife)
}

const fits = (lesson: Lesson, { categories, exceptTaskId, sources, subtaskId, taskId }: Filters): boolean =>
  (taskId === undefined || lesson.taskId === taskId) &&
  (subtaskId === undefined || lesson.subtaskId === subtaskId) &&
  lesson.taskId !== exceptTaskId &&
  (categories === undefined || categories.includes(lesson.category)) &&
  (sources === undefined || (lesson.source !== null && sources.includes(lesson.source)))

export interface SimilarOptions extends Filters {
  readonly limit: number
  readonly now: number
}

interface Found {
  readonly hit: Omit<Recalled, "alike">
  readonly said: Said
  readonly alike: Array<string>
}

/** What is said more than once takes the place of one; behind so many that say what others do, nobody looks for more. */
const distinct = (hits: ReadonlyArray<Found["hit"]>, limit: number): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  for (const [index, hit] of hits.slice(0, 4096).entries()) {
    if (found.length >= limit && index >= Math.max(limit * 8, 32)) break
    const said = saidIn(textOf(hit.reflection))
    const same = found.find((other) => saysTheSame([other.hit.reflection, other.said], [hit.reflection, said]))
    if (same !== undefined) same.alike.push(hit.reflection.id)
    else if (found.length < limit) found.push({ hit, said, alike: [] })
  }
  return found
}

/** Best first; of equal ones the newer. */
export const similar = (
  { lessons, outcomes }: Known,
  query: string,
  options: SimilarOptions
): ReadonlyArray<Recalled> => {
  const { limit, now } = options
  const hits = ranked([...lessons.values()], query, termsIn)
    .filter(({ of }) => fits(of, options))
    .map(({ of: reflection, similarity, terms }) => {
      const helpfulness = Effectiveness.helpfulness(outcomes.byId.get(reflection.id), now)
      const recency = recencyOf(reflection, now)
      return { reflection, score: similarity * 2 * helpfulness * recency, similarity, helpfulness, recency, terms }
    })
    .toReversed()
    .toSorted((one, other) => other.score - one.score)
  return limit > 0 ? distinct(hits, limit).map(({ alike, hit }) => ({ ...hit, alike })) : []
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

export interface Stats {
  readonly reflections: number
  readonly tasks: number
  /** In the sessions of agents, where a task's id is the project's, these are what was asked for. */
  readonly subtasks: number
  readonly categories: Readonly<Record<string, Tally>>
  readonly sources: Readonly<Record<string, Tally>>
  readonly all: Tally
  /** Attempts that had no reflection. */
  readonly without: Pick<Tally, "succeeded" | "failed" | "rate">
}

const nothing: Tally = { of: 0, injected: 0, used: 0, succeeded: 0, failed: 0, rate: null }

const plus = (tally: Tally, record: Effectiveness.Record | undefined): Tally => ({
  of: tally.of + 1,
  injected: tally.injected + (record?.injected ?? 0),
  used: tally.used + (record?.used ?? 0),
  succeeded: tally.succeeded + (record?.succeeded ?? 0),
  failed: tally.failed + (record?.failed ?? 0),
  rate: null
})

const rated = <A extends Pick<Tally, "succeeded" | "failed">>(tally: A): A & Pick<Tally, "rate"> => ({
  ...tally,
  rate: Effectiveness.rateOf(tally.succeeded, tally.failed)
})

export const stats = ({ lessons, outcomes }: Known): Stats => {
  const categories = new Map<string, Tally>()
  const sources = new Map<string, Tally>()
  let all = nothing
  for (const { category, id, source } of lessons.values()) {
    const record = outcomes.byId.get(id)
    categories.set(category, plus(categories.get(category) ?? nothing, record))
    sources.set(source ?? "unknown", plus(sources.get(source ?? "unknown") ?? nothing, record))
    all = plus(all, record)
  }
  const named = (tallies: ReadonlyMap<string, Tally>): Readonly<Record<string, Tally>> =>
    Object.fromEntries([...tallies].map(([name, tally]) => [name, rated(tally)]))
  const count = (key: "taskId" | "subtaskId"): number => new Set([...lessons.values()].map((one) => one[key])).size
  return {
    reflections: all.of,
    tasks: count("taskId"),
    subtasks: count("subtaskId"),
    categories: named(categories),
    sources: named(sources),
    all: rated(all),
    without: rated(outcomes.without)
  }
}
