/** Reads and writes the lines of the memory. It uses no schema, because a hook loads no schemas. */
import * as Json from "../../base/json/Json.ts"
import * as JsonScan from "../../base/json/JsonScan.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { categories, type EncodedReflection, type Reflection, sources } from "../lessons/Reflection.ts"
import type { Gone } from "../log/Records.ts"
import * as Shape from "../log/Shape.ts"

/** Unknown values are null. `at` is ISO 8601. */
interface OfAttempt {
  /** Only events from other machines have an id. */
  readonly id?: string
  readonly at: string
  readonly reflectionIds: ReadonlyArray<string>
  readonly taskId: string | null
  readonly subtaskId: string | null
  readonly attemptNumber: number | null
}

/** `injected`: put into the prompt. `used`: the agent said that it used the reflections, or did what they say. */
export interface LessonUse extends OfAttempt {
  readonly event: "use"
  readonly kind: "injected" | "used"
}

/** An attempt without reflections is recorded too, for comparison. */
export interface Outcome extends OfAttempt {
  readonly event: "outcome"
  readonly success: boolean
}

/** Each event is recorded separately and never derived from another event. */
export type MemoryEvent = LessonUse | Outcome

export type Row = Reflection | MemoryEvent

export const isEvent = (row: Row): row is MemoryEvent => "event" in row

const { flag, listOf, oneOf, ordinal, orNull, text, word } = Shape

const lesson: Shape.Shape<Reflection> = {
  id: word,
  sessionId: text,
  taskId: text,
  subtaskId: text,
  attemptNumber: ordinal,
  category: oneOf(categories),
  analysis: text,
  suggestion: text,
  actionItems: listOf(text),
  confidence: (value) => typeof value === "number" && value >= 0 && value <= 1,
  createdAt: text,
  source: orNull(oneOf(sources)),
  model: orNull(text),
  tags: listOf(text)
}

const ofAttempt = {
  id: (value: unknown) => value === undefined || word(value),
  at: text,
  reflectionIds: listOf(text),
  taskId: orNull(text),
  subtaskId: orNull(text),
  attemptNumber: orNull(ordinal)
}

const use: Shape.Shape<LessonUse> = { event: oneOf(["use"]), kind: oneOf(["injected", "used"]), ...ofAttempt }

const outcome: Shape.Shape<Outcome> = { event: oneOf(["outcome"]), success: flag, ...ofAttempt }

/** Puts the fields into the stored order. A missing field of another system's record gets its default. */
const filled = (one: EncodedReflection): Reflection => ({
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
  source: one.source ?? null,
  model: one.model ?? null,
  tags: one.tags ?? []
})

export const decode = (line: string): Row | null => {
  const value = JsonScan.parse(line)
  if (!Json.isObject(value)) return null
  if ("event" in value) return Shape.is(value, use) || Shape.is(value, outcome) ? value : null
  const one: Json.Json = { source: null, model: null, tags: [], ...value }
  return Shape.is(one, lesson) ? filled(one) : null
}

/** Secrets are removed from the texts; the ids do not change. */
export const clean = (reflection: EncodedReflection): Reflection => {
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

/**
 * Returns the rows of the lessons for which `isDoomed` is true, and other rows to remove with them. Older versions of
 * lessons are removed, because they would become valid again. An event is removed if it mentions only removed lessons,
 * or if `isSpent` is true for it.
 */
export const gone = (
  all: ReadonlyArray<Row>,
  isDoomed: (lesson: Reflection) => boolean,
  isSpent: (event: MemoryEvent) => boolean = () => false
): Gone<Row> => {
  // Of several lines with the same id, the last one counts.
  const newest = new Map(all.flatMap((row) => (isEvent(row) ? [] : [[row.id, row] as const])))
  const ids = new Set([...newest.values()].filter(isDoomed).map(({ id }) => id))
  const isOver = ({ reflectionIds }: MemoryEvent): boolean =>
    reflectionIds.length > 0 && reflectionIds.every((id) => ids.has(id))
  const rows = all.filter((row) => (isEvent(row) ? isSpent(row) || isOver(row) : ids.has(row.id)))
  const replaced = all.filter((row) => !isEvent(row) && newest.get(row.id) !== row)
  return { rows: new Set(rows.length === 0 ? rows : [...rows, ...replaced]), count: ids.size }
}

/** `before` is in ms. */
export const older = (all: ReadonlyArray<Row>, before: number): Gone<Row> =>
  gone(
    all,
    ({ createdAt }) => Date.parse(createdAt) < before,
    ({ at }) => Date.parse(at) < before
  )
