/** The answer that a model gives about a turn. */
import * as Schema from "effect/Schema"
import * as Json from "../../base/json/Json.ts"
import * as JsonAnswer from "../../base/json/JsonAnswer.ts"

export const RemainingWork = Schema.Struct({
  what: Schema.String,
  /** `order`: a part of the user's order. `step`: a step that the agent announced. */
  kind: Schema.Literal("order", "check", "file", "step", "other"),
  /** The label of the line that shows what is missing. */
  event: Schema.String,
  quote: Schema.String,
  name: Schema.NullOr(Schema.String)
})

export type RemainingWork = typeof RemainingWork.Type

const Result = Schema.Literal("pass", "fail", "unknown")

/** The facts decide whether the claim is true. */
const FinalClaim = Schema.Struct({
  check: Schema.String,
  outcome: Schema.Literal("passed", "failed", "ran"),
  quote: Schema.String
})

/** `ran` is null if the model does not say whether the check ran. */
const Checks = Schema.Struct({
  tests: Schema.Struct({
    ran: Schema.NullOr(Schema.Boolean),
    results: Result,
    ran_after_changes: Schema.Boolean,
    commands: Schema.Array(Schema.String),
    skipped: Schema.Boolean,
    skip_reason: Schema.NullOr(Schema.String)
  }),
  build: Schema.Struct({ ran: Schema.NullOr(Schema.Boolean), results: Result }),
  pr: Schema.Struct({
    created: Schema.Boolean,
    url: Schema.NullOr(Schema.String),
    ci_status: Result,
    checked: Schema.Boolean
  })
})

/**
 * The answer that a model should give. The field names are the names in the prompt.
 *
 * @category models
 */
export const SelfAssessment = Schema.Struct({
  status: Schema.Literal("complete", "in_progress", "blocked", "stuck", "waiting_for_user"),
  confidence: Schema.Number,
  /** The probability that the nudge "you are not done" would be correct. Our threshold decides whether to send it. */
  push: Schema.Number,
  evidence: Schema.NullOr(Checks),
  claims: Schema.Array(FinalClaim),
  remaining_work: Schema.Array(RemainingWork),
  next_steps: Schema.Array(Schema.String),
  needs_user_action: Schema.Array(Schema.String),
  stuck: Schema.Boolean,
  alternate_approach: Schema.NullOr(Schema.String)
}).annotations({ identifier: "SelfAssessment" })

export type SelfAssessment = typeof SelfAssessment.Type

/**
 * An answer as `read` returns it. The model must give at least a status and a probability.
 *
 * @category models
 */
export interface Answer extends Omit<SelfAssessment, "confidence" | "evidence"> {
  readonly confidence: number | null
  readonly evidence: Json.Json | null
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value.trim() !== "" ? value : null)

/** Ignores case, spaces and hyphens: `In-Progress` is `in_progress`. `others` has synonyms. */
const word =
  <A extends string>(words: ReadonlyArray<A>, others: Readonly<Record<string, A>> = {}) =>
  (value: unknown): A | null => {
    const said = Json.text(value)
      .trim()
      .slice(0, 100)
      .toLowerCase()
      .replaceAll(/[\s-]+/g, "_")
    const other = Object.hasOwn(others, said) ? others[said] : null
    return words.find((one) => one.toLowerCase() === said) ?? other ?? null
  }

const { status } = SelfAssessment.fields

const statusOf = word(status.literals, { incomplete: "in_progress", waiting: "waiting_for_user" })

const outcomeOf = word(FinalClaim.fields.outcome.literals, { pass: "passed", green: "passed", fail: "failed" })

const kindOf = word(RemainingWork.fields.kind.literals)

const shareOf = (value: unknown): number | null => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && number >= 0 && number <= 1 ? number : null
}

const maxItems = 20

const list = <A>(value: unknown, of: (one: unknown) => A | null): ReadonlyArray<A> =>
  [value]
    .flat()
    .slice(0, maxItems)
    .flatMap((one) => of(one) ?? [])

const claimOf = (value: unknown): SelfAssessment["claims"][number] | null => {
  const { check, outcome, quote } = Json.object(value)
  const [name, said] = [textOf(check), outcomeOf(outcome)]
  return name === null || said === null ? null : { check: name, outcome: said, quote: Json.text(quote) }
}

/** A plain text becomes an item without a quotation. */
const workOf = (value: unknown): RemainingWork | null => {
  const { event, id, kind, name, quote, what } = Json.object(value)
  const said = textOf(value) ?? textOf(what)
  if (said === null) return null
  return {
    what: said,
    kind: kindOf(kind) ?? "other",
    event: Json.text(event ?? id),
    quote: Json.text(quote),
    name: textOf(name)
  }
}

const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (!Json.isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]))
}

/**
 * Reads the last JSON object, even with small errors or missing fields. Null if the status or the probability is
 * missing, or if the answer was cut off.
 *
 * If `push` is missing, an open status uses `confidence` instead. Any other status uses 0.
 *
 * @category decoding
 */
export const read = (text: string, change = (words: string): string => words): Answer | null => {
  const given = Json.object(mapTexts(JsonAnswer.lastValue(text), change))
  const status = statusOf(given["status"])
  const confidence = shareOf(given["confidence"])
  const isOpen = status === "in_progress" || status === "stuck"
  const push = shareOf(given["push"] ?? (isOpen || confidence === null ? confidence : 0))
  if (status === null || push === null) return null
  const stuck = given["stuck"] === true
  return {
    status: status === "in_progress" && stuck ? "stuck" : status,
    confidence,
    push,
    evidence: Json.isObject(given["evidence"]) ? given["evidence"] : null,
    claims: list(given["claims"], claimOf),
    remaining_work: list(given["remaining_work"], workOf),
    next_steps: list(given["next_steps"], textOf),
    needs_user_action: list(given["needs_user_action"], textOf),
    stuck,
    alternate_approach: textOf(given["alternate_approach"])
  }
}
