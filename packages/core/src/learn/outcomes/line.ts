/** Lines of the outcome log as what they say. */
import * as JsonScan from "../../base/json/JsonScan.ts"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { AttemptOutcome } from "./model.ts"
import { clean } from "./AttemptOutcome.ts"
import { isOutcome } from "./PlainOutcome.ts"
import * as Internal from "./model.ts"

export type Line =
  | { readonly _tag: "outcome"; readonly outcome: AttemptOutcome }
  | { readonly _tag: "blank" }
  | { readonly _tag: "invalid"; readonly problem: string }

const decode = Schema.decodeUnknownEither(Internal.AttemptOutcome)

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
    return ofValue(JsonScan.strict(text))
  } catch (cause) {
    return { _tag: "invalid", problem: `it is no JSON: ${cause instanceof Error ? cause.message : ""}` }
  }
}
