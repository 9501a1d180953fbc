/**
 * How one attempt at a task ended: a line of the outcome log, from which the reflection cycle learns what a fleet of
 * agents fails at.
 */
import { idOf, limits, nameOf, objectiveOf } from "./outcomeText.ts"
import { type Loaded, type AttemptOutcome } from "./model.ts"

export { Status, Loaded, AttemptOutcome } from "./model.ts"

export {
  /**
   * The most that an outcome keeps: characters of an id, of the objective and of a name, and how many tools and loaded
   * things.
   *
   * @category limits
   */
  limits
} from "./outcomeText.ts"

const wholeOf = (count: number): number => Math.min(Math.round(count), Number.MAX_SAFE_INTEGER)

const loadedKey = ({ kind, name }: Loaded): string => `${kind}:${name}`

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
    loaded: [...new Map(loaded.map((one) => [loadedKey(one), one])).values()].slice(0, limits.loaded),
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

/**
 * A timeout is a failure as well.
 *
 * @category predicates
 */
export const isFailure = ({ status }: Pick<AttemptOutcome, "status">): boolean => status !== "completed"

/**
 * An objective of fewer bytes, such as "go on", says nothing of which task it is.
 *
 * @category limits
 */
export const leastObjectiveBytes = 16

const encoder = new TextEncoder()

/**
 * What clean outcomes of the same task share: its id, or else its objective, whatever the spaces; null where neither
 * tells.
 *
 * @category queries
 */
export const subjectOf = ({ objective, taskId }: Pick<AttemptOutcome, "taskId" | "objective">): string | null => {
  if (taskId !== null) return `task:${taskId}`
  const words = objective.trim().replaceAll(/\s+/gu, " ")
  return encoder.encode(words).length < leastObjectiveBytes ? null : `objective:${words}`
}
