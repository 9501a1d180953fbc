/** The questions that a memory answers, over what is known of it. */
import { termsOf } from "../../base/text/Terms.ts"
import type { Reflection } from "../lessons/Reflection.ts"
import { keyOf } from "../lessons/RetryPrompt.ts"
import type { MemoryEvent } from "./MemoryLine.ts"
import { ranked } from "./ranking.ts"

/** What is known of one reflection. `succeeded` and `failed` count attempts that had it. */
export interface Results {
  readonly injected: number
  readonly used: number
  readonly succeeded: number
  readonly failed: number
}

const none: Results = { injected: 0, used: 0, succeeded: 0, failed: 0 }

/** What one event adds to what is known; of an outcome without reflections `without` is counted, what the others are compared with. */
const added = (known: Results, event: MemoryEvent): Results => {
  const what = event.event === "use" ? event.kind : event.success ? "succeeded" : "failed"
  return { ...known, [what]: known[what] + 1 }
}

/** Of each id the newest, in the order in which they were added, and what came of them. */
export interface MemoryContent {
  readonly lessons: Map<string, Reflection>
  readonly effects: Map<string, Results>
  without: Results
}

export const empty = (): MemoryContent => ({ lessons: new Map(), effects: new Map(), without: none })

/** Takes one event in. */
export const note = (known: MemoryContent, event: MemoryEvent): void => {
  const ids = new Set(event.reflectionIds)
  for (const id of ids) known.effects.set(id, added(known.effects.get(id) ?? none, event))
  if (ids.size === 0) known.without = added(known.without, event)
}

/**
 * How much a reflection is to be trusted by what came of it, between 0 and 1, and 0.5 where nothing is known: harm weighs
 * twice, for bad advice costs an attempt, and two attempts on either side are believed beforehand.
 */
export const helpfulness = ({ failed, succeeded }: Results = none): number =>
  (2 + succeeded) / (4 + succeeded + 2 * failed)

/** Newest attempt first; of one attempt's, the one that was added last. */
export const recent = ({ lessons }: MemoryContent, subtaskId: string, limit: number): ReadonlyArray<Reflection> =>
  [...lessons.values()]
    .filter((one) => one.subtaskId === subtaskId)
    .toReversed()
    .toSorted((one, other) => other.attemptNumber - one.attemptNumber)
    .slice(0, Math.max(0, Math.ceil(limit)))

const terms = new WeakMap<Reflection, ReadonlyArray<string>>()

/** What a reflection is found by. A search asks for that of every lesson. */
const termsIn = (lesson: Reflection): ReadonlyArray<string> => {
  const { actionItems, analysis, suggestion, tags } = lesson
  const found = terms.get(lesson) ?? termsOf([analysis, suggestion, ...actionItems, ...tags].join("\n"))
  terms.set(lesson, found)
  return found
}

/** Which reflections a search is for: of a task or subtask, or of every other task. */
export interface Filters {
  readonly taskId?: string
  readonly subtaskId?: string
  readonly exceptTaskId?: string
}

/**
 * A reflection that was found, and why. `score` is `similarity` (0 to 1: of what the query's words could weigh, how much
 * they do) times twice `helpfulness` (0 to 1, 0.5 where nothing is known). `terms` are the words that it shares with the query, the
 * rarest first.
 */
export interface RecalledLesson {
  readonly reflection: Reflection
  readonly score: number
  readonly similarity: number
  readonly helpfulness: number
  readonly terms: ReadonlyArray<string>
}

const fits = (lesson: Reflection, { exceptTaskId, subtaskId, taskId }: Filters): boolean =>
  (taskId === undefined || lesson.taskId === taskId) &&
  (subtaskId === undefined || lesson.subtaskId === subtaskId) &&
  lesson.taskId !== exceptTaskId

/** Best first, of equal ones the newer; what is said more than once is found once. */
export const similar = (
  { effects, lessons }: MemoryContent,
  query: string,
  { limit, ...filters }: Filters & { readonly limit: number }
): ReadonlyArray<RecalledLesson> => {
  const hits = ranked([...lessons.values()], query, termsIn)
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

/** What came of the reflections of one category or one source. `of` is how many there are; `rate` the share that succeeded. */
export interface Tally extends Results {
  readonly of: number
  readonly rate: number | null
}

/**
 * What came of reflections, by category and by source (`unknown` where nobody knows it). In the sessions
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

/** Null of nothing. */
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
