/** Lines of the memory's log as what they say, and back. */
import * as JsonScan from "../../base/json/JsonScan.ts"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as MemoryEvent from "./MemoryEvent.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as Reflection from "../lessons/Reflection.ts"

export type Line =
  | { readonly _tag: "reflection"; readonly reflection: Reflection.Reflection }
  | { readonly _tag: "event"; readonly event: MemoryEvent.MemoryEvent }
  | { readonly _tag: "blank" }
  | { readonly _tag: "invalid"; readonly problem: string }

const decodeReflection = Schema.decodeUnknownEither(Reflection.Reflection)
const decodeEvent = Schema.decodeUnknownEither(MemoryEvent.MemoryEvent)

const categories: ReadonlySet<unknown> = new Set(Reflection.Category.literals)
const sources: ReadonlySet<unknown> = new Set([null, ...Reflection.Source.literals])

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

/**
 * What `Schema` says of a reflection with every field, a few times as fast: three are decoded for every prompt. The test
 * holds one against the other.
 */
export const isReflection = (value: object): value is Reflection.Reflection => {
  const one: Partial<Record<keyof Reflection.Reflection, unknown>> = value
  const { attemptNumber, confidence } = one
  return (
    typeof one.id === "string" &&
    one.id !== "" &&
    typeof one.sessionId === "string" &&
    typeof one.taskId === "string" &&
    typeof one.subtaskId === "string" &&
    typeof attemptNumber === "number" &&
    Number.isSafeInteger(attemptNumber) &&
    attemptNumber > 0 &&
    categories.has(one.category) &&
    typeof one.analysis === "string" &&
    typeof one.suggestion === "string" &&
    isTexts(one.actionItems) &&
    typeof confidence === "number" &&
    confidence >= 0 &&
    confidence <= 1 &&
    typeof one.createdAt === "string" &&
    sources.has(one.source) &&
    (one.model === null || typeof one.model === "string") &&
    isTexts(one.tags)
  )
}

/** The first thing that is wrong, by its key. */
const problemOf = (error: ParseResult.ParseError): string => {
  const [first] = ParseResult.ArrayFormatter.formatErrorSync(error)
  return first === undefined ? "it is no reflection" : [first.path.join("."), first.message].filter(Boolean).join(": ")
}

const fields = Object.keys(Reflection.Reflection.fields).length

const isWhole = (value: object): value is Reflection.Reflection =>
  isReflection(value) && Object.keys(value).length === fields

const ofValue = (value: unknown): Line => {
  if (typeof value !== "object" || value === null) return { _tag: "invalid", problem: "it is no JSON object" }
  if (isWhole(value)) return { _tag: "reflection", reflection: value }
  if ("event" in value) {
    const event = decodeEvent(value)
    return Either.isRight(event)
      ? { _tag: "event", event: event.right }
      : { _tag: "invalid", problem: problemOf(event.left) }
  }
  const reflection = decodeReflection(value)
  return Either.isRight(reflection)
    ? { _tag: "reflection", reflection: reflection.right }
    : { _tag: "invalid", problem: problemOf(reflection.left) }
}

/** What a line says; one that cannot be decoded says why. */
export const parse = (text: string): Line => {
  if (text.trim() === "") return { _tag: "blank" }
  try {
    return ofValue(JsonScan.strict(text))
  } catch (cause) {
    return { _tag: "invalid", problem: `it is no JSON: ${cause instanceof Error ? cause.message : ""}` }
  }
}

/**
 * So many lines as one JSON list; null unless each is a reflection with every field and no other, for a line that is no
 * JSON may be some together with the next.
 */
export const parseList = (text: string, count: number): ReadonlyArray<Reflection.Reflection> | null => {
  try {
    const values: unknown = JsonScan.strict(text)
    const isList = Array.isArray(values) && values.length === count
    return isList && values.every((value) => typeof value === "object" && value !== null && isWhole(value))
      ? values
      : null
  } catch {
    return null
  }
}

/**
 * As it is kept: what it says without secrets, its ids as they are, its fields in the order by which it is indexed. Those that
 * other systems' records lack get their defaults.
 */
export const clean = (reflection: Reflection.Given): Reflection.Reflection => {
  const { actionItems, analysis, model = null, source = null, suggestion, tags = [] } = reflection
  return {
    id: reflection.id,
    sessionId: reflection.sessionId,
    taskId: reflection.taskId,
    subtaskId: reflection.subtaskId,
    attemptNumber: reflection.attemptNumber,
    category: reflection.category,
    analysis: redact(analysis),
    suggestion: redact(suggestion),
    actionItems: actionItems.map(redact),
    confidence: reflection.confidence,
    createdAt: reflection.createdAt,
    source,
    model: model === null ? null : redact(model),
    tags: tags.map(redact)
  }
}

/** A line with its break. */
export const print = (value: Reflection.Reflection | MemoryEvent.MemoryEvent): string => `${JSON.stringify(value)}\n`
