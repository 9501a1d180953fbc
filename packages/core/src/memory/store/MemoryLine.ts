/** Lines of the memory as what they say, known by their shape alone: a hook that reads them loads no schema. */
import * as Json from "../../base/json/Json.ts"
import * as JsonScan from "../../base/json/JsonScan.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { categories, type EncodedReflection, type Reflection, sources } from "../lessons/Reflection.ts"
import type { Gone } from "../log/Records.ts"
import * as Shape from "../log/Shape.ts"

/** `at` is ISO 8601; what is not known of the attempt is null. */
interface OfAttempt {
  readonly at: string
  readonly reflectionIds: ReadonlyArray<string>
  readonly taskId: string | null
  readonly subtaskId: string | null
  readonly attemptNumber: number | null
}

/** Reflections were `injected` into an attempt's prompt, or the agent `used` them: said so, or did what they say. */
export interface LessonUse extends OfAttempt {
  readonly event: "use"
  readonly kind: "injected" | "used"
}

/**
 * An attempt that had these reflections ended. One that had none is worth recording as well: it is what the others are
 * compared with.
 */
export interface Outcome extends OfAttempt {
  readonly event: "outcome"
  readonly success: boolean
}

/** What became of reflections. Each is a fact of its own, and none is drawn from another. */
export type MemoryEvent = LessonUse | Outcome

/** A lesson, or what became of some. */
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
  at: text,
  reflectionIds: listOf(text),
  taskId: orNull(text),
  subtaskId: orNull(text),
  attemptNumber: orNull(ordinal)
}

const use: Shape.Shape<LessonUse> = { event: oneOf(["use"]), kind: oneOf(["injected", "used"]), ...ofAttempt }

const outcome: Shape.Shape<Outcome> = { event: oneOf(["outcome"]), success: flag, ...ofAttempt }

/** In the order of the fields in which they are kept. What other systems' records lack gets its default. */
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

/** What a line says, null for one that nobody can read. */
export const decode = (line: string): Row | null => {
  const value = JsonScan.parse(line)
  if (!Json.isObject(value)) return null
  if ("event" in value) return Shape.is(value, use) || Shape.is(value, outcome) ? value : null
  const one: Json.Json = { source: null, model: null, tags: [], ...value }
  return Shape.is(one, lesson) ? filled(one) : null
}

/** As it is kept: what it says without secrets, its ids as they are. */
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
 * What goes with the lessons that are to go: what they replaced, which would be back without them, and events that speak of
 * nothing else or are to go as well.
 */
export const gone = (
  all: ReadonlyArray<Row>,
  isDoomed: (lesson: Reflection) => boolean,
  isSpent: (event: MemoryEvent) => boolean = () => false
): Gone<Row> => {
  // Of each id the last line counts.
  const newest = new Map(all.flatMap((row) => (isEvent(row) ? [] : [[row.id, row] as const])))
  const ids = new Set([...newest.values()].filter(isDoomed).map(({ id }) => id))
  const isOver = ({ reflectionIds }: MemoryEvent): boolean =>
    reflectionIds.length > 0 && reflectionIds.every((id) => ids.has(id))
  const rows = all.filter((row) => (isEvent(row) ? isSpent(row) || isOver(row) : ids.has(row.id)))
  const replaced = all.filter((row) => !isEvent(row) && newest.get(row.id) !== row)
  return { rows: new Set(rows.length === 0 ? rows : [...rows, ...replaced]), count: ids.size }
}

/** What is older than `before`, in ms. */
export const older = (all: ReadonlyArray<Row>, before: number): Gone<Row> =>
  gone(
    all,
    ({ createdAt }) => Date.parse(createdAt) < before,
    ({ at }) => Date.parse(at) < before
  )
