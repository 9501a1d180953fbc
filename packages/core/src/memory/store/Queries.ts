/** The questions that a memory can answer from its content. */
import { termsOf } from "../../base/text/Terms.ts"
import type { Reflection } from "../lessons/Reflection.ts"
import { keyOf } from "../lessons/RetryPrompt.ts"
import type { MemoryEvent } from "./MemoryLine.ts"
import { type Corpus, ranked } from "./ranking.ts"

export type { Corpus } from "./ranking.ts"

/** `succeeded` and `failed` count the attempts that had the reflection. */
export interface Results {
  readonly injected: number
  readonly used: number
  readonly succeeded: number
  readonly failed: number
}

export const none: Results = { injected: 0, used: 0, succeeded: 0, failed: 0 }

const added = (known: Results, event: MemoryEvent): Results => {
  const what = event.event === "use" ? event.kind : event.success ? "succeeded" : "failed"
  return { ...known, [what]: known[what] + 1 }
}

/** The newest version of each lesson, in the order of adding. `without` counts attempts without reflections. */
export interface MemoryContent {
  readonly lessons: Map<string, Reflection>
  readonly effects: Map<string, Results>
  without: Results
}

export const empty = (): MemoryContent => ({ lessons: new Map(), effects: new Map(), without: none })

export const note = (known: MemoryContent, event: MemoryEvent): void => {
  const ids = new Set(event.reflectionIds)
  for (const id of ids) known.effects.set(id, added(known.effects.get(id) ?? none, event))
  if (ids.size === 0) known.without = added(known.without, event)
}

/**
 * How much a reflection is trusted, between 0 and 1. It is 0.5 if nothing is known. A failure counts twice, because bad
 * advice costs an attempt. The formula starts with two successes and one failure.
 */
export const helpfulness = ({ failed, succeeded }: Results = none): number =>
  (2 + succeeded) / (4 + succeeded + 2 * failed)

/** The newest attempt first. Of several lessons from one attempt, the last added comes first. */
export const recent = ({ lessons }: MemoryContent, subtaskId: string, limit: number): ReadonlyArray<Reflection> =>
  [...lessons.values()]
    .filter((one) => one.subtaskId === subtaskId)
    .toReversed()
    .toSorted((one, other) => other.attemptNumber - one.attemptNumber)
    .slice(0, Math.max(0, Math.ceil(limit)))

const terms = new WeakMap<Reflection, ReadonlyArray<string>>()

/** Cached, because each search needs the terms of all lessons. */
export const termsIn = (lesson: Reflection): ReadonlyArray<string> => {
  const { actionItems, analysis, suggestion, tags } = lesson
  const found = terms.get(lesson) ?? termsOf([analysis, suggestion, ...actionItems, ...tags].join("\n"))
  terms.set(lesson, found)
  return found
}

export interface Filters {
  readonly taskId?: string
  readonly subtaskId?: string
  readonly exceptTaskId?: string
}

export interface RecalledLesson {
  readonly reflection: Reflection
  /** `similarity` × 2 × `helpfulness`. */
  readonly score: number
  /** From 0 to 1: the weight of the matching words, divided by the maximum weight of all words in the query. */
  readonly similarity: number
  /** From 0 to 1. The value is 0.5 if nothing is known. */
  readonly helpfulness: number
  /** The words that the reflection shares with the query, the rarest first. */
  readonly terms: ReadonlyArray<string>
}

const fits = (lesson: Reflection, { exceptTaskId, subtaskId, taskId }: Filters): boolean =>
  (taskId === undefined || lesson.taskId === taskId) &&
  (subtaskId === undefined || lesson.subtaskId === subtaskId) &&
  lesson.taskId !== exceptTaskId

/**
 * Returns the best lesson first. If two lessons have the same score, the newer comes first. If lessons have the same
 * content, only the first is returned. `corpus` is needed if the content is only a part of a memory.
 */
export const similar = (
  { effects, lessons }: MemoryContent,
  query: string,
  { limit, ...filters }: Filters & { readonly limit: number },
  corpus?: Corpus
): ReadonlyArray<RecalledLesson> => {
  const hits = ranked([...lessons.values()], query, termsIn, corpus)
    .filter(({ of }) => fits(of, filters))
    .map(({ of: reflection, similarity, terms }): RecalledLesson => {
      const helps = helpfulness(effects.get(reflection.id))
      return { reflection, score: similarity * 2 * helps, similarity, helpfulness: helps, terms }
    })
    .toReversed()
    .toSorted((one, other) => other.score - one.score)
  const found = new Map<string, RecalledLesson>()
  for (const hit of hits) {
    if (found.size >= limit) break
    const key = keyOf(hit.reflection)
    if (!found.has(key)) found.set(key, hit)
  }
  return [...found.values()]
}

/** Counts for one category or source. `of` is the number of reflections. `rate` is null if there are no attempts. */
export interface Tally extends Results {
  readonly of: number
  readonly rate: number | null
}

export interface Stats {
  readonly reflections: number
  readonly tasks: number
  /** In sessions of agents, the task is the project, and each subtask is an order of the user. */
  readonly subtasks: number
  readonly categories: Readonly<Record<string, Tally>>
  /** The key is `unknown` if the source is null. */
  readonly sources: Readonly<Record<string, Tally>>
  readonly all: Tally
  /** The attempts that had no reflections. */
  readonly without: Pick<Tally, "succeeded" | "failed" | "rate">
}

export const rateOf = ({ failed, succeeded }: Pick<Results, "succeeded" | "failed">): number | null =>
  succeeded + failed === 0 ? null : succeeded / (succeeded + failed)

export const stats = ({ effects, lessons, without: { failed, succeeded } }: MemoryContent): Stats => {
  const all = [...lessons.values()]
  const tally = (some: ReadonlyArray<Reflection>): Tally => {
    const sum = (key: keyof Results) => some.reduce((total, { id }) => total + (effects.get(id) ?? none)[key], 0)
    const counts = { injected: sum("injected"), used: sum("used"), succeeded: sum("succeeded"), failed: sum("failed") }
    return { of: some.length, ...counts, rate: rateOf(counts) }
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
    without: { succeeded, failed, rate: rateOf({ succeeded, failed }) }
  }
}
