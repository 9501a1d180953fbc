/**
 * How one attempt at a task ended: a line of the outcome log, from which the reflection cycle learns what a fleet of
 * agents fails at.
 *
 * @since 0.1.0
 */
import * as KeyHash from "./internal/keyHash.ts"
import * as Internal from "./internal/outcomeSchema.ts"
import { redactedEnds } from "./internal/redactedEnds.ts"
import { redact } from "./Redaction.ts"

/**
 * @since 0.1.0
 * @category models
 */
export const Status = Internal.Status

/**
 * @since 0.1.0
 * @category models
 */
export type Status = typeof Internal.Status.Type

/**
 * A skill that the agent was given, by its name, or a file that it read, by its path.
 *
 * @since 0.1.0
 * @category models
 */
export const Loaded = Internal.Loaded

/**
 * @since 0.1.0
 * @category models
 */
export type Loaded = typeof Internal.Loaded.Type

/**
 * `id` names the attempt: what is reported twice counts once. `taskId` is null where nobody gave the task an id;
 * `objective` is what the agent was told to do; `durationMs` is in milliseconds, `resultLength` the characters of its
 * answer; `tools` are the names of the tools that it called, each once; `backend` is what ran it, such as `claude-code`;
 * `at` is when it ended, in ISO 8601 with a zone.
 *
 * @since 0.1.0
 * @category models
 */
export const AttemptOutcome = Internal.AttemptOutcome

/**
 * @since 0.1.0
 * @category models
 */
export type AttemptOutcome = typeof Internal.AttemptOutcome.Type

/**
 * The most that an outcome keeps: characters of an id, of the objective and of a name, and how many tools and loaded
 * things.
 *
 * @since 0.1.0
 * @category limits
 */
export const limits = { id: 200, objective: 2000, name: 300, tools: 50, loaded: 100 } as const

/** Two texts that differ in what is cut out of them stay two. */
const cutMark = (text: string, left: number): string => ` … ${left} characters #${KeyHash.ofText(text).toString(36)} … `

const mostOfMark = 40

/** As it is, for it is what others are looked for by; one that is too long keeps its beginning and a hash. */
const idOf = (id: string): string =>
  id.length <= limits.id ? id : `${id.slice(0, limits.id - 8)}#${KeyHash.ofText(id).toString(36)}`

const nameOf = (name: string): string => {
  const { head, left, tail } = redactedEnds(name, limits.name / 2 - 1)
  return left === 0 ? head : `${head}…${tail}`
}

const objectiveOf = (text: string): string => {
  if (text.length <= limits.objective) {
    const safe = redact(text)
    if (safe.length <= limits.objective) return safe
  }
  const { head, left, tail } = redactedEnds(text, (limits.objective - mostOfMark) / 2)
  return `${head}${left === 0 ? "" : cutMark(text, left)}${tail}`
}

const wholeOf = (count: number): number => Math.min(Math.round(count), Number.MAX_SAFE_INTEGER)

const loadedKey = ({ kind, name }: Loaded): string => `${kind}:${name}`

/**
 * As it is kept: secrets out of all but its ids, every text and list no longer than `limits`, each tool and loaded thing
 * once.
 *
 * @since 0.1.0
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
    loaded: [...new Map(loaded.map((one) => [loadedKey(one), one])).values()].slice(0, limits.loaded),
    resultLength: wholeOf(outcome.resultLength),
    backend: nameOf(outcome.backend),
    at: outcome.at
  }
}

/**
 * One line of JSON with its line break.
 *
 * @since 0.1.0
 * @category encoding
 */
export const encode = (outcome: AttemptOutcome): string => `${JSON.stringify(clean(outcome))}\n`

/**
 * A timeout is a failure as well.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isFailure = ({ status }: Pick<AttemptOutcome, "status">): boolean => status !== "completed"

/**
 * An objective of fewer bytes, such as "go on", says nothing of which task it is.
 *
 * @since 0.1.0
 * @category limits
 */
export const leastObjectiveBytes = 16

const encoder = new TextEncoder()

/**
 * What outcomes of the same task share: its id, or else its objective, whatever the spaces; null where neither tells.
 *
 * @since 0.1.0
 * @category queries
 */
export const subjectOf = ({ objective, taskId }: Pick<AttemptOutcome, "taskId" | "objective">): string | null => {
  if (taskId !== null) return `task:${idOf(taskId)}`
  const words = objectiveOf(objective).trim().replaceAll(/\s+/gu, " ")
  return encoder.encode(words).length < leastObjectiveBytes ? null : `objective:${words}`
}
