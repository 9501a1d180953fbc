/** How one attempt at a task ended: a line of the log from which the reflection cycle learns. */
import * as Schema from "effect/Schema"
import * as Json from "../../base/json/Json.ts"
import * as JsonScan from "../../base/json/JsonScan.ts"
import { redactedEnds } from "../../base/redaction/RedactedHead.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import * as Shape from "../log/Shape.ts"

const statuses = ["completed", "failed", "timeout"] as const

const kinds = ["skill", "file"] as const

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/u

const isTime = (text: string): boolean => iso.test(text) && Number.isFinite(Date.parse(text))

export const Status = Schema.Literal(...statuses)

export type Status = typeof Status.Type

/** The name of a skill that the agent received, or the path of a file that the agent read. */
export const LoadedContext = Schema.Struct({ kind: Schema.Literal(...kinds), name: Schema.NonEmptyString })

export type LoadedContext = typeof LoadedContext.Type

const Count = Schema.Finite.pipe(Schema.nonNegative())

/** @category models */
export const AttemptOutcome = Schema.Struct({
  /** Several reports with the same id count once. */
  id: Schema.NonEmptyString,
  /**
   * Null if the task has no id. An id of more than 200 characters is stored shortened, with a hash. Findings and
   * `TaskControl` use the stored id.
   */
  taskId: Schema.optionalWith(Schema.NullOr(Schema.NonEmptyString), { default: () => null }),
  sessionId: Schema.String,
  objective: Schema.String,
  status: Status,
  /** In milliseconds. */
  durationMs: Count,
  /** The names of the tools that the agent called, each once. */
  tools: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  loaded: Schema.optionalWith(Schema.Array(LoadedContext), { default: () => [] }),
  /** In characters. Null if unknown. */
  resultLength: Schema.NullOr(Count),
  /** What ran the agent, for example `claude-code`. */
  backend: Schema.String,
  /** In ISO 8601 with a time zone. */
  at: Schema.String.pipe(
    Schema.filter(isTime, { message: () => "a time with its zone is expected, such as 2026-03-01T10:00:00.000Z" })
  )
})

export type AttemptOutcome = typeof AttemptOutcome.Type

/**
 * `id`, `objective` and `name` are in characters. `tools` and `loaded` are numbers of entries.
 *
 * @category limits
 */
export const limits = { id: 200, objective: 2000, name: 300, tools: 50, loaded: 100 } as const

/** Hashes the whole text, because two texts may differ only in the parts that are cut out. */
const hashOf = (text: string): string => KeyHash.ofText(text).toString(36)

const mostOfHash = 7

/**
 * Changes an id only if the id is too long, because records are looked up by id.
 *
 * @category encoding
 */
export const idOf = (id: string): string =>
  id.length <= limits.id ? id : `${id.slice(0, limits.id - mostOfHash - 1)}#${hashOf(id)}`

const nameOf = (name: string): string => {
  const { head, left, tail } = redactedEnds(name, limits.name / 2 - 1)
  return left === 0 ? head : `${head}…${tail}`
}

const mostOfMark = 50

/**
 * Returns the objective without secrets, and shortened if it is long.
 *
 * @category encoding
 */
export const objectiveOf = (text: string): string => {
  if (text.length <= limits.objective) {
    const safe = redact(text)
    if (safe.length <= limits.objective) return safe
  }
  const { head, left, tail } = redactedEnds(text, (limits.objective - mostOfMark) / 2)
  return left === 0 ? head : `${head} … ${left} characters #${hashOf(text)} … ${tail}`
}

const wholeOf = (count: number): number => Math.min(Math.round(count), Number.MAX_SAFE_INTEGER)

/**
 * Removes secrets from all fields except the ids, applies `limits`, and keeps each tool and each loaded thing once.
 *
 * @category encoding
 */
export const clean = (outcome: AttemptOutcome): AttemptOutcome => {
  const loaded = outcome.loaded.slice(0, 4 * limits.loaded).map(({ kind, name }) => ({ kind, name: nameOf(name) }))
  return {
    id: idOf(outcome.id),
    taskId: outcome.taskId === null ? null : idOf(outcome.taskId),
    sessionId: idOf(outcome.sessionId),
    objective: objectiveOf(outcome.objective),
    status: outcome.status,
    durationMs: wholeOf(outcome.durationMs),
    tools: [...new Set(outcome.tools.slice(0, 4 * limits.tools).map(nameOf))].slice(0, limits.tools),
    loaded: [...new Map(loaded.map((one) => [`${one.kind}:${one.name}`, one])).values()].slice(0, limits.loaded),
    resultLength: outcome.resultLength === null ? null : wholeOf(outcome.resultLength),
    backend: nameOf(outcome.backend),
    at: outcome.at
  }
}

/**
 * Returns one line of JSON with its line break.
 *
 * @category encoding
 */
export const encode = (outcome: AttemptOutcome): string => `${JSON.stringify(clean(outcome))}\n`

const { amount, listOf, oneOf, orNull, text, word } = Shape

const loaded: Shape.Shape<LoadedContext> = { kind: oneOf(kinds), name: word }

const shape: Shape.Shape<AttemptOutcome> = {
  id: word,
  taskId: orNull(word),
  sessionId: text,
  objective: text,
  status: oneOf(statuses),
  durationMs: amount,
  tools: listOf(text),
  loaded: listOf((value) => Json.isObject(value) && Shape.is(value, loaded)),
  resultLength: orNull(amount),
  backend: text,
  at: (value) => typeof value === "string" && isTime(value)
}

const fields = Object.keys(shape).length

/** True if the outcome already has the form that `clean` returns. Then the slow search for secrets is not needed. */
const isKept = (one: AttemptOutcome): boolean =>
  Object.keys(one).length === fields &&
  [one.durationMs, one.resultLength ?? 0].every(Number.isSafeInteger) &&
  one.objective.length <= limits.objective &&
  [one.id, one.taskId ?? "", one.sessionId].every(({ length }) => length <= limits.id) &&
  one.tools.length <= limits.tools &&
  one.loaded.length <= limits.loaded &&
  one.loaded.every((of) => Object.keys(of).length === 2) &&
  [one.backend, ...one.tools, ...one.loaded.map(({ name }) => name)].every(({ length }) => length <= limits.name)

/**
 * Reads an outcome from a line, within `limits`. Returns null if the line is not an outcome. It checks the shape
 * without a schema, because a hook loads no schemas.
 *
 * @category decoding
 */
export const decode = (line: string): AttemptOutcome | null => {
  const value = JsonScan.parse(line)
  if (!Json.isObject(value)) return null
  const one: Json.Json = { tools: [], loaded: [], taskId: null, ...value }
  if (!Shape.is(one, shape)) return null
  return isKept(one) ? one : clean(one)
}

/**
 * A timeout is a failure too.
 *
 * @category predicates
 */
export const isFailure = ({ status }: Pick<AttemptOutcome, "status">): boolean => status !== "completed"

/** In bytes. A shorter objective, for example "go on", does not identify a task. */
const leastObjectiveBytes = 16

/**
 * Returns the same key for all outcomes of a task: the task's id, or its objective without extra spaces. Expects an
 * outcome from `clean`. Null if there is no id and the objective is too short.
 *
 * @category queries
 */
export const subjectOf = ({ objective, taskId }: Pick<AttemptOutcome, "taskId" | "objective">): string | null => {
  if (taskId !== null) return `task:${taskId}`
  const words = objective.trim().replaceAll(/\s+/gu, " ")
  return Buffer.byteLength(words) < leastObjectiveBytes ? null : `objective:${words}`
}
