/**
 * Lines of the memory as what they say, known by their shape alone: a hook that reads them loads no schema, and it takes a
 * fraction of the time. The test holds it against the schemas.
 */
import * as Json from "../../base/json/Json.ts"
import * as JsonScan from "../../base/json/JsonScan.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { isCategory, isSource } from "../lessons/LessonNames.ts"
import type { Given, Reflection } from "../lessons/Reflection.ts"
import type { MemoryEvent } from "./MemoryEvent.ts"

/**
 * A lesson, or what became of some.
 *
 * @category models
 */
export type Row = Reflection | MemoryEvent

export const isEvent = (row: Row): row is MemoryEvent => "event" in row

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === "string"

type Shape<A> = Partial<Record<A extends unknown ? keyof A : never, unknown>>

const isReflection = (value: object): value is Reflection => {
  const one: Shape<Reflection> = value
  return (
    typeof one.id === "string" &&
    one.id !== "" &&
    typeof one.sessionId === "string" &&
    typeof one.taskId === "string" &&
    typeof one.subtaskId === "string" &&
    isCount(one.attemptNumber) &&
    isCategory(one.category) &&
    typeof one.analysis === "string" &&
    typeof one.suggestion === "string" &&
    isTexts(one.actionItems) &&
    typeof one.confidence === "number" &&
    one.confidence >= 0 &&
    one.confidence <= 1 &&
    typeof one.createdAt === "string" &&
    (one.source === null || isSource(one.source)) &&
    isTextOrNull(one.model) &&
    isTexts(one.tags)
  )
}

const isMemoryEvent = (value: object): value is MemoryEvent => {
  const one: Shape<MemoryEvent> = value
  return (
    (one.event === "use"
      ? one.kind === "injected" || one.kind === "used"
      : one.event === "outcome" && typeof one.success === "boolean") &&
    typeof one.at === "string" &&
    isTexts(one.reflectionIds) &&
    isTextOrNull(one.taskId) &&
    isTextOrNull(one.subtaskId) &&
    (one.attemptNumber === null || isCount(one.attemptNumber))
  )
}

/** In the order of the fields in which they are kept. What other systems' records lack gets its default. */
const filled = (one: Given): Reflection => {
  const { model = null, source = null, tags = [] } = one
  return {
    id: one.id,
    sessionId: one.sessionId,
    taskId: one.taskId,
    subtaskId: one.subtaskId,
    attemptNumber: one.attemptNumber,
    category: one.category,
    analysis: one.analysis,
    suggestion: one.suggestion,
    actionItems: one.actionItems,
    confidence: one.confidence,
    createdAt: one.createdAt,
    source,
    model,
    tags
  }
}

const fields = 14

/**
 * What a line says, null for one that nobody can read.
 *
 * @category decoding
 */
export const read = (line: string): Row | null => {
  const value = JsonScan.parse(line)
  if (!Json.isObject(value)) return null
  if ("event" in value) return isMemoryEvent(value) ? value : null
  if (isReflection(value) && Object.keys(value).length === fields) return value
  const { model = null, source = null, tags = [] } = value
  const one = { ...value, model, source, tags }
  return isReflection(one) ? filled(one) : null
}

/**
 * As it is kept: what it says without secrets, its ids as they are.
 *
 * @category encoding
 */
export const clean = (reflection: Given): Reflection => {
  const one = filled(reflection)
  return {
    ...one,
    analysis: redact(one.analysis),
    suggestion: redact(one.suggestion),
    actionItems: one.actionItems.map(redact),
    model: one.model === null ? null : redact(one.model),
    tags: one.tags.map(redact)
  }
}

/** Of each id the last line counts. */
const newestOf = (all: ReadonlyArray<Row>): ReadonlyMap<string, Reflection> =>
  new Map(all.flatMap((row) => (isEvent(row) ? [] : [[row.id, row] as const])))

/**
 * The lessons that have a later line.
 *
 * @category queries
 */
export const replacedIn = (all: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const newest = newestOf(all)
  return all.filter((row) => !isEvent(row) && newest.get(row.id) !== row)
}

/**
 * What goes with the lessons that are to go: what they replaced, which would be back without them, and events that speak of
 * nothing else or are to go as well. `count`: how many lessons that are.
 *
 * @category queries
 */
export const gone = (
  all: ReadonlyArray<Row>,
  isDoomed: (lesson: Reflection) => boolean,
  isSpent: (event: MemoryEvent) => boolean = () => false
): { readonly rows: ReadonlySet<Row>; readonly count: number } => {
  const ids = new Set([...newestOf(all).values()].filter(isDoomed).map(({ id }) => id))
  const isOver = ({ reflectionIds }: MemoryEvent): boolean =>
    reflectionIds.length > 0 && reflectionIds.every((id) => ids.has(id))
  const rows = all.filter((row) => (isEvent(row) ? isSpent(row) || isOver(row) : ids.has(row.id)))
  return { rows: new Set(rows.length === 0 ? rows : [...rows, ...replacedIn(all)]), count: ids.size }
}

/**
 * What is older than `before`, in ms.
 *
 * @category queries
 */
export const older = (all: ReadonlyArray<Row>, before: number): ReturnType<typeof gone> =>
  gone(
    all,
    ({ createdAt }) => Date.parse(createdAt) < before,
    ({ at }) => Date.parse(at) < before
  )
