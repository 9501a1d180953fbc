/**
 * What became of reflections, as lines in the same log: that they were put into a prompt, that the agent went by them, and
 * how the attempt ended. Each is a fact of its own, and none is drawn from another.
 */

/** `at` is ISO 8601; what is not known of the attempt is null. */
interface OfAttempt {
  readonly at: string
  readonly reflectionIds: ReadonlyArray<string>
  readonly taskId: string | null
  readonly subtaskId: string | null
  readonly attemptNumber: number | null
}

/** Reflections were `injected` into an attempt's prompt, or the agent `used` them: said so, or did what they say. */
export interface Use extends OfAttempt {
  readonly event: "use"
  readonly kind: "injected" | "used"
}

/**
 * An attempt that had these reflections ended. One that had none is worth recording as well: it is what the others are
 * compared with.
 */
export interface Outcome extends OfAttempt {
  readonly event: "outcome"
  readonly success: boolean
}

export type MemoryEvent = Use | Outcome
