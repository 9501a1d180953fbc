/** The questions that a memory answers, over its rows. */
import * as Effectiveness from "./Effectiveness.ts"
import type * as Reflection from "../lessons/Reflection.ts"
import type { MemoryView, RowKey } from "./view.ts"
import { type Said, saidIn, saysTheSame } from "../lessons/LessonWords.ts"
import * as Lexical from "./lexicalIndex.ts"
import * as Line from "./reflectionLine.ts"

const isOf = (
  reflection: Reflection.Reflection | null,
  key: RowKey,
  value: string
): reflection is Reflection.Reflection => reflection !== null && reflection[key] === value

const read = (view: MemoryView, row: number, key: RowKey, value: string): Reflection.Reflection | null => {
  if (!view.isAlive(row)) return null
  const reflection = view.reflection(row)
  return isOf(reflection, key, value) ? reflection : null
}

export const byId = (view: MemoryView, id: string): Reflection.Reflection | null => {
  for (const row of view.rowsOf("id", id)) {
    const found = read(view, row, "id", id)
    if (found !== null) return found
  }
  return null
}

/** Newest attempt first; of one attempt's, the one that was added last. */
export const recent = (view: MemoryView, subtaskId: string, limit: number): ReadonlyArray<Reflection.Reflection> => {
  const rows = view.rowsOf("subtaskId", subtaskId)
  const isLater = (row: number, than: number): boolean => view.attemptOf(row) > view.attemptOf(than)
  // They come newest first, and attempts are numbered as they come: mostly nothing is to be done.
  if (rows.some((row, at) => at > 0 && isLater(row, rows[at - 1] ?? row)))
    rows.sort((one, other) => view.attemptOf(other) - view.attemptOf(one) || other - one)
  const found: Array<Reflection.Reflection> = []
  const alive = rows.filter(view.isAlive)
  const wanted = Math.ceil(limit)
  for (let at = 0; at < alive.length && found.length < wanted;) {
    const some = alive.slice(at, at + wanted - found.length)
    for (const one of view.reflections(some)) if (isOf(one, "subtaskId", subtaskId)) found.push(one)
    at += some.length
  }
  return found
}

/** In the order in which they were added. */
export const ofTask = (view: MemoryView, taskId: string): ReadonlyArray<Reflection.Reflection> =>
  view
    .reflections(view.rowsOf("taskId", taskId).filter(view.isAlive).toReversed())
    .filter((one) => isOf(one, "taskId", taskId))

/** What a reflection is found by. */
export const textOf = ({ actionItems, analysis, suggestion, tags }: Reflection.Reflection): string =>
  [analysis, suggestion, ...actionItems, ...tags].join("\n")

export interface Filters {
  readonly taskId?: string
  readonly subtaskId?: string
  readonly exceptTaskId?: string
  readonly categories?: ReadonlyArray<Reflection.Category>
  readonly sources?: ReadonlyArray<Reflection.Source>
}

export interface Recalled {
  readonly reflection: Reflection.Reflection
  readonly score: number
  readonly similarity: number
  readonly helpfulness: number
  readonly recency: number
  readonly terms: ReadonlyArray<string>
  readonly alike: ReadonlyArray<string>
}

const day = 86_400_000
const halfLife = 60 * day

/** Of the natural exponential, which takes half the time of a power of two: a search asks for thousands. */
const decay = Math.LN2 / halfLife

/** What is old still counts for half: a lesson does not rot, it only fits less often. */
const recencyOf = (createdAt: number, now: number): number =>
  Number.isNaN(createdAt) ? 0.5 : 0.5 + 0.5 * Math.exp(-Math.max(0, now - createdAt) * decay)

/** What a row's mark and keys already decide. */
const acceptor = (
  view: MemoryView,
  { categories, exceptTaskId, sources, ...keys }: Filters
): ((row: number) => boolean) => {
  const within = (["taskId", "subtaskId"] as const).flatMap((key) => {
    const value = keys[key]
    return value === undefined ? [] : [new Set(view.rowsOf(key, value))]
  })
  const [own] = exceptTaskId === undefined ? [] : view.rowsOf("taskId", exceptTaskId)
  const except = own === undefined ? null : view.taskOf(own)
  return (row) => {
    const mark = view.markOf(row)
    const category = Line.categoryOf(mark)
    const source = Line.sourceOf(mark)
    return (
      view.isAlive(row) &&
      (except === null || view.taskOf(row) !== except) &&
      within.every((rows) => rows.has(row)) &&
      (categories === undefined || (category !== null && categories.includes(category))) &&
      (sources === undefined || (source !== null && sources.includes(source)))
    )
  }
}

const fits = (reflection: Reflection.Reflection, { exceptTaskId, subtaskId, taskId }: Filters): boolean =>
  (taskId === undefined || reflection.taskId === taskId) &&
  (subtaskId === undefined || reflection.subtaskId === subtaskId) &&
  reflection.taskId !== exceptTaskId

const manyOutcomes = 5000

/** No row's helpfulness is greater. */
const mostHelpful = ({ outcomes: { byId } }: MemoryView, now: number): number => {
  if (byId.size > manyOutcomes) return 1
  let most = Effectiveness.helpfulness(undefined, now)
  for (const record of byId.values()) most = Math.max(most, Effectiveness.helpfulness(record, now))
  return most
}

export interface SimilarOptions extends Filters {
  readonly limit: number
  readonly now: number
}

interface Found {
  readonly hit: Lexical.Hit
  readonly reflection: Reflection.Reflection
  readonly said: Said
  readonly alike: Array<string>
}

/** What is said more than once takes the place of one. */
const distinct = (
  view: MemoryView,
  hits: ReadonlyArray<Lexical.Hit>,
  options: SimilarOptions
): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  for (const hit of hits) {
    const reflection = view.reflection(hit.document)
    if (reflection === null || !fits(reflection, options)) continue
    const said = saidIn(textOf(reflection))
    const same = found.find((other) => saysTheSame([other.reflection, other.said], [reflection, said]))
    if (same !== undefined) same.alike.push(reflection.id)
    else if (found.length < options.limit) found.push({ hit, reflection, said, alike: [] })
  }
  return found
}

/** Behind so many that say what others do, nobody looks for more. */
const mostHits = 4096

/** The best that differ, looked for among more as long as too many of them say the same. */
const foundAmong = (
  view: MemoryView,
  search: (limit: number) => ReadonlyArray<Lexical.Hit>,
  options: SimilarOptions
): ReadonlyArray<Found> => {
  for (let among = Math.max(options.limit * 8, 32); ; among *= 4) {
    const hits = search(among)
    const found = distinct(view, hits, options)
    if (found.length >= options.limit || !(hits.length >= among) || among >= mostHits) return found
  }
}

export const similar = (
  view: MemoryView,
  index: Lexical.LexicalIndex,
  query: string,
  options: SimilarOptions
): ReadonlyArray<Recalled> => {
  const { now } = options
  const helpfulnessOf = (row: number): number => Effectiveness.helpfulness(view.recordOf(row), now)
  const accepts = acceptor(view, options)
  const maxFactor = 2 * mostHelpful(view, now)
  const factor = (row: number): number => 2 * helpfulnessOf(row) * recencyOf(view.createdAtOf(row), now)
  const search = (limit: number) => Lexical.search(index, query, { limit, accepts, factor, maxFactor })
  return foundAmong(view, search, options).map(({ alike, hit: { document, score, similarity }, reflection }) => ({
    reflection,
    score,
    similarity,
    helpfulness: helpfulnessOf(document),
    recency: recencyOf(view.createdAtOf(document), now),
    terms: Lexical.shared(index, query, textOf(reflection)),
    alike
  }))
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

const plus = (tally: Tally, record: Effectiveness.Record | undefined, of = 1): Tally => ({
  of: tally.of + of,
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

export const stats = (view: MemoryView): Stats => {
  const tasks = new Set<number | string>()
  const subtasks = new Set<number | string>()
  const categories = new Map<string, Tally>()
  const sources = new Map<string, Tally>()
  let all = nothing
  const count = (row: number, record: Effectiveness.Record | undefined, of: number): void => {
    const mark = view.markOf(row)
    const category = Line.categoryOf(mark) ?? "unknown"
    const source = Line.sourceOf(mark) ?? "unknown"
    categories.set(category, plus(categories.get(category) ?? nothing, record, of))
    sources.set(source, plus(sources.get(source) ?? nothing, record, of))
    all = plus(all, record, of)
  }
  for (let row = 0; row < view.count; row += 1) {
    if (!view.isAlive(row)) continue
    tasks.add(view.taskOf(row))
    subtasks.add(view.subtaskOf(row))
    count(row, undefined, 1)
  }
  for (const [id, record] of view.outcomes.byId) {
    const row = view.rowsOf("id", id).find((one) => read(view, one, "id", id) !== null)
    if (row !== undefined) count(row, record, 0)
  }
  const named = (tallies: ReadonlyMap<string, Tally>): Readonly<Record<string, Tally>> =>
    Object.fromEntries([...tallies].map(([name, tally]) => [name, rated(tally)]))
  return {
    reflections: all.of,
    tasks: tasks.size,
    subtasks: subtasks.size,
    categories: named(categories),
    sources: named(sources),
    all: rated(all),
    without: rated(view.outcomes.without)
  }
}
