/**
 * How one attempt at a task ended: a line of the outcome log, from which the reflection cycle learns what a fleet of
 * agents fails at.
 */
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

/** A skill that the agent was given, by its name, or a file that it read, by its path. */
export const LoadedContext = Schema.Struct({ kind: Schema.Literal(...kinds), name: Schema.NonEmptyString })

export type LoadedContext = typeof LoadedContext.Type

const Count = Schema.Finite.pipe(Schema.nonNegative())

/**
 * `id` names the attempt: what is reported twice counts once. `taskId` is null where nobody gave the task an id, and one
 * of more than 200 characters is kept shortened, with a hash at its end: so findings and `TaskControl` name the task.
 * `objective` is what the agent was told to do; `durationMs` is in milliseconds, `resultLength` the characters of its
 * answer, null where nobody knows them; `tools` are the names of the tools that it called, each once; `backend` is what ran it, such as `claude-code`;
 * `at` is when it ended, in ISO 8601 with a zone.
 *
 * @category models
 */
export const AttemptOutcome = Schema.Struct({
  id: Schema.NonEmptyString,
  taskId: Schema.optionalWith(Schema.NullOr(Schema.NonEmptyString), { default: () => null }),
  sessionId: Schema.String,
  objective: Schema.String,
  status: Status,
  durationMs: Count,
  tools: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  loaded: Schema.optionalWith(Schema.Array(LoadedContext), { default: () => [] }),
  resultLength: Schema.NullOr(Count),
  backend: Schema.String,
  at: Schema.String.pipe(
    Schema.filter(isTime, { message: () => "a time with its zone is expected, such as 2026-03-01T10:00:00.000Z" })
  )
})

export type AttemptOutcome = typeof AttemptOutcome.Type

/**
 * The most that an outcome keeps: characters of an id, of the objective and of a name, and how many tools and loaded
 * things.
 *
 * @category limits
 */
export const limits = { id: 200, objective: 2000, name: 300, tools: 50, loaded: 100 } as const

/** Two texts that differ in what is cut out of them stay two. */
const hashOf = (text: string): string => KeyHash.ofText(text).toString(36)

const mostOfHash = 7

/**
 * An id as it is kept: as it is, for it is what others are looked for by; one that is too long keeps its beginning and a hash.
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
 * An objective as it is kept: without secrets, and bounded.
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
 * As it is kept: secrets out of all but its ids, every text and list no longer than `limits`, each tool and loaded thing
 * once.
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
 * One line of JSON with its line break.
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

/** Whether it is as `clean` leaves one: then no secrets are looked for, which takes longer than all else. */
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
 * What a line says, bounded, null for one that is no outcome. Known by its shape alone: a hook loads no schema.
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
 * A timeout is a failure as well.
 *
 * @category predicates
 */
export const isFailure = ({ status }: Pick<AttemptOutcome, "status">): boolean => status !== "completed"

/** An objective of fewer bytes, such as "go on", does not tell the task. */
const leastObjectiveBytes = 16

/**
 * What clean outcomes of the same task share: its id, or else its objective, whatever the spaces; null where neither
 * tells.
 *
 * @category queries
 */
export const subjectOf = ({ objective, taskId }: Pick<AttemptOutcome, "taskId" | "objective">): string | null => {
  if (taskId !== null) return `task:${taskId}`
  const words = objective.trim().replaceAll(/\s+/gu, " ")
  return Buffer.byteLength(words) < leastObjectiveBytes ? null : `objective:${words}`
}
