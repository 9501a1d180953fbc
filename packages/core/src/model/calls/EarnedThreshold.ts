/**
 * The thresholds of models, from their results in the test cases. If a model says "not done" with at least this
 * probability, the agent is told to continue.
 */
import * as Context from "effect/Context"

/**
 * Returns a model's threshold by name. Null if the model may only tell the user. Undefined if it was never tested.
 */
export interface ModelThresholds {
  readonly of: (model: string) => number | null | undefined
}

/** The thresholds of the user's models. Without a layer, no threshold is known. */
export class EarnedThreshold extends Context.Reference<EarnedThreshold>()("@reflexion/core/EarnedThreshold", {
  defaultValue: (): ModelThresholds => ({ of: () => undefined })
}) {}
