/** A task of the orchestrator, the prompt prepared for it, and how its attempt ran. */
import type { Loaded } from "@reflexion/core/AttemptOutcome"
import type { Reflection } from "@reflexion/core/Reflection"

/**
 * What is attempted. `description` is what the agent is told to do, by which lessons of other tasks are found; `attempt`
 * counts from 1, and is the one after the last known where it is left out.
 *
 * @category models
 */
export interface Task {
  readonly taskId: string
  readonly subtaskId: string
  readonly description: string
  readonly sessionId?: string
  readonly attempt?: number
  /** The number of the attempt is no lower than this, whatever is remembered. */
  readonly atLeast?: number
}

/**
 * What an attempt gets. `promptSection` is empty where nothing is known, and ends with no line break; `startedAt` is in
 * ms since the epoch.
 *
 * @category models
 */
export interface Prepared {
  readonly attempt: number
  readonly reflections: ReadonlyArray<Reflection>
  readonly promptSection: string
  readonly startedAt?: number
}

/**
 * What else the outcome log is told of an attempt that ended, as far as it is known: the names of the tools that it
 * called, the skills and files that it loaded, the characters of its result, and what ran it, such as `codex`.
 *
 * @category models
 */
export interface Ran {
  readonly sessionId?: string
  readonly tools?: ReadonlyArray<string>
  readonly loaded?: ReadonlyArray<Loaded>
  readonly resultLength?: number
  readonly backend?: string
}
