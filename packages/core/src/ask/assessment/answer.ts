/** What a model is asked to say of a turn, in two forms, and the one reader of both. */
import * as Schema from "effect/Schema"
import * as Json from "../../base/json/Json.ts"
import * as JsonAnswer from "../../base/json/JsonAnswer.ts"
import { Severity } from "../../judge/verdict/Verdict.ts"

/**
 * Something that is missing. `kind`: a part of the user's order, a check, a file, a step that was announced, or leave asked
 * for it; `event` is the label of the line that shows it, `quote` the words there that do, `name` the check's or the file's.
 */
export const RemainingWork = Schema.Struct({
  what: Schema.String,
  kind: Schema.Literal("order", "check", "file", "step", "other"),
  event: Schema.String,
  quote: Schema.String,
  name: Schema.NullOr(Schema.String)
})

export type RemainingWork = typeof RemainingWork.Type

const Result = Schema.Literal("pass", "fail", "unknown")

/** What the final text claims of a check, in its own words; the facts say whether it is so. */
const FinalClaim = Schema.Struct({
  check: Schema.String,
  outcome: Schema.Literal("passed", "failed", "ran"),
  quote: Schema.String
})

/** What a model says of the checks; null where it does not say whether they ran. */
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
 * The answer that a model is asked for, under the names that it is asked by. `push`: the probability that an automatic "you
 * are not done" would be right now; what follows from it is not the model's to say.
 *
 * @category models
 */
export const SelfAssessment = Schema.Struct({
  status: Schema.Literal("complete", "in_progress", "blocked", "stuck", "waiting_for_user"),
  confidence: Schema.Number,
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
 * What the judge is asked for, where an answer fits no other form.
 *
 * @category models
 */
export const JudgeAnswer = Schema.Struct({
  complete: Schema.Boolean,
  severity: Severity,
  push: Schema.Number,
  feedback: Schema.String,
  missing: Schema.Array(RemainingWork),
  next_actions: Schema.Array(Schema.String),
  requires_human_action: Schema.Boolean
}).annotations({ identifier: "JudgeAnswer" })

export type JudgeAnswer = typeof JudgeAnswer.Type

/**
 * An answer in either form as it was read: only a status and a probability have to be in it. `evidence` is as it was given;
 * `severity` and `feedback` are the judge's.
 *
 * @category models
 */
export interface Answer extends Omit<SelfAssessment, "confidence" | "evidence"> {
  readonly confidence: number | null
  readonly evidence: Json.Json | null
  readonly severity: Severity | null
  readonly feedback: string | null
}

const spelled = (value: unknown): string =>
  typeof value === "string"
    ? value
        .trim()
        .slice(0, 100)
        .toLowerCase()
        .replaceAll(/[\s-]+/g, "_")
    : ""

/** The word of a table that stands for what was said. */
const oneOf =
  <A extends string>(table: Readonly<Record<string, A>>) =>
  (value: unknown): A | null => {
    const word = spelled(value)
    return Object.hasOwn(table, word) ? (table[word] ?? null) : null
  }

const statusOf = oneOf({
  complete: "complete",
  in_progress: "in_progress",
  incomplete: "in_progress",
  blocked: "blocked",
  stuck: "stuck",
  waiting_for_user: "waiting_for_user",
  waiting: "waiting_for_user"
})

const outcomeOf = oneOf({
  pass: "passed",
  passed: "passed",
  green: "passed",
  fail: "failed",
  failed: "failed",
  ran: "ran"
})

const kindOf = oneOf({ order: "order", check: "check", file: "file", step: "step" })

const severityOf = oneOf({ none: "NONE", low: "LOW", medium: "MEDIUM", high: "HIGH", blocker: "BLOCKER" })

const maybe = oneOf({ true: "true", false: "false" })

/** What is not said is not known. */
const known = (value: unknown): boolean | null => {
  const word = maybe(String(value))
  return word === null ? null : word === "true"
}

const flag = (value: unknown): boolean => known(value) === true

const textOf = (value: unknown): string | null => (typeof value === "string" && value.trim() !== "" ? value : null)

/** A probability; null for what is none. */
const shareOf = (value: unknown): number | null => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && number >= 0 && number <= 1 ? number : null
}

const maxItems = 20

const list = (value: unknown): ReadonlyArray<unknown> =>
  (Array.isArray(value) ? value : [value]).slice(0, maxItems).filter((item) => item !== null && item !== undefined)

const texts = (value: unknown): ReadonlyArray<string> =>
  list(value).flatMap((item) => textOf(item) ?? textOf(Json.object(item)["what"]) ?? [])

const claimsOf = (value: unknown): SelfAssessment["claims"] =>
  list(value).flatMap((item) => {
    const { check, outcome, quote } = Json.object(item)
    const [name, said] = [textOf(check), outcomeOf(outcome)]
    return name === null || said === null ? [] : [{ check: name, outcome: said, quote: textOf(quote) ?? "" }]
  })

/** A bare sentence cites nothing. */
const workOf = (value: unknown): ReadonlyArray<RemainingWork> =>
  list(value).flatMap((item) => {
    const { event, id, kind, name, quote, what } = Json.object(item)
    const said = textOf(item) ?? textOf(what)
    const cited = { event: textOf(event ?? id) ?? "", quote: textOf(quote) ?? "", name: textOf(name) }
    return said === null ? [] : [{ what: said, kind: kindOf(kind) ?? "other", ...cited }]
  })

/** The judge's form has no probability of its own: how grave it is says how sure the judge is that something is missing. */
const shareOfJudge = (complete: boolean, severity: unknown): number =>
  complete ? 0 : severity === "HIGH" || severity === "BLOCKER" ? 0.65 : 0.5

/** The judge's form in the names of the other; a yes that finds something is none. */
const asAssessment = (given: Json.Json): Json.Json => {
  const { complete, feedback, missing, next_actions: next, requires_human_action: human, severity } = given
  if (typeof complete !== "boolean" || severityOf(severity) === null) return given
  const isHuman = flag(human)
  const open = isHuman ? "blocked" : "in_progress"
  return {
    ...given,
    status: complete && severityOf(severity) === "NONE" ? "complete" : open,
    push: given["push"] ?? given["confidence"] ?? shareOfJudge(complete, severityOf(severity)),
    remaining_work: missing,
    next_steps: next,
    needs_user_action: isHuman ? [...list(next), feedback] : []
  }
}

/** A value with each of its texts changed alike. */
const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (!Json.isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]))
}

/**
 * The answer in a text: its last object, also where that is nearly JSON or leaves fields out. Null without a status and a
 * probability, and where it was cut off. Who leaves the probability out has still said how sure it is that the work is not done.
 * `change` is what becomes of each of its texts.
 *
 * @category decoding
 */
export const read = (text: string, change = (words: string): string => words): Answer | null => {
  const given = asAssessment(Json.object(mapTexts(JsonAnswer.lastValue(text), change)))
  const status = statusOf(given["status"])
  const confidence = shareOf(given["confidence"])
  const isSaid = given["push"] !== undefined && given["push"] !== null
  const isOpen = status === "in_progress" || status === "stuck"
  const push = isSaid ? shareOf(given["push"]) : confidence === null || isOpen ? confidence : 0
  if (status === null || push === null) return null
  return {
    status: status === "in_progress" && flag(given["stuck"]) ? "stuck" : status,
    confidence,
    push,
    severity: severityOf(given["severity"]),
    feedback: textOf(given["feedback"]),
    evidence: Json.isObject(given["evidence"]) ? given["evidence"] : null,
    claims: claimsOf(given["claims"]),
    remaining_work: workOf(given["remaining_work"]),
    next_steps: texts(given["next_steps"]),
    needs_user_action: texts(given["needs_user_action"]),
    stuck: flag(given["stuck"]),
    alternate_approach: textOf(given["alternate_approach"])
  }
}
