/** Lines of the outcome log as what they say. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { type AttemptOutcome, clean, limits } from "../AttemptOutcome.ts"
import * as Internal from "./outcomeSchema.ts"

export type Line =
  | { readonly _tag: "outcome"; readonly outcome: AttemptOutcome }
  | { readonly _tag: "blank" }
  | { readonly _tag: "invalid"; readonly problem: string }

const decode = Schema.decodeUnknownEither(Internal.AttemptOutcome)

const isText = (value: unknown, most: number): value is string => typeof value === "string" && value.length <= most

const isId = (value: unknown): boolean => isText(value, limits.id) && value !== ""

const isCount = (value: unknown): boolean => typeof value === "number" && Number.isSafeInteger(value) && value >= 0

const isLoaded = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "kind" in value &&
  (value.kind === "skill" || value.kind === "file") &&
  "name" in value &&
  isText(value.name, limits.name) &&
  value.name !== "" &&
  Object.keys(value).length === 2

const isList = (value: unknown, most: number, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length <= most && value.every(isOne)

const statuses: ReadonlySet<unknown> = new Set(Internal.Status.literals)

const fields = Object.keys(Internal.AttemptOutcome.fields).length

/**
 * What `Schema` says of an outcome with every field, where nothing is too long, a few times as fast: a log may have a
 * million. The test holds one against the other.
 */
export const isOutcome = (value: object): value is AttemptOutcome => {
  const one: Partial<Record<keyof AttemptOutcome, unknown>> = value
  return (
    isId(one.id) &&
    (one.taskId === null || isId(one.taskId)) &&
    isText(one.sessionId, limits.id) &&
    isText(one.objective, limits.objective) &&
    statuses.has(one.status) &&
    isCount(one.durationMs) &&
    isList(one.tools, limits.tools, (tool) => isText(tool, limits.name)) &&
    isList(one.loaded, limits.loaded, isLoaded) &&
    (one.resultLength === null || isCount(one.resultLength)) &&
    isText(one.backend, limits.name) &&
    typeof one.at === "string" &&
    Internal.isTime(one.at) &&
    Object.keys(value).length === fields
  )
}

/** The first thing that is wrong, by its key. */
const problemOf = (error: ParseResult.ParseError): string => {
  const [first] = ParseResult.ArrayFormatter.formatErrorSync(error)
  return first === undefined ? "it is no outcome" : [first.path.join("."), first.message].filter(Boolean).join(": ")
}

const ofValue = (value: unknown): Line => {
  if (typeof value !== "object" || value === null) return { _tag: "invalid", problem: "it is no JSON object" }
  if (isOutcome(value)) return { _tag: "outcome", outcome: value }
  const outcome = decode(value)
  return Either.isRight(outcome)
    ? { _tag: "outcome", outcome: clean(outcome.right) }
    : { _tag: "invalid", problem: problemOf(outcome.left) }
}

/** What a line says, bounded whoever wrote it; one that cannot be decoded says why. */
export const parse = (text: string): Line => {
  if (text.trim() === "") return { _tag: "blank" }
  try {
    return ofValue(JSON.parse(text))
  } catch (cause) {
    return { _tag: "invalid", problem: `it is no JSON: ${cause instanceof Error ? cause.message : ""}` }
  }
}
