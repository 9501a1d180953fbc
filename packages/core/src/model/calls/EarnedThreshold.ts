/**
 * The thresholds that models have earned in the test cases. From this probability on, a model's "not done" sends the
 * agent on.
 */
import * as Context from "effect/Context"

/**
 * Returns a model's threshold by its name. Null if the model may only tell the user. Undefined if it was never tested.
 */
export interface ModelThresholds {
  readonly of: (model: string) => number | null | undefined
}

/** The thresholds of the user's models. Without a layer none is known. */
export class EarnedThreshold extends Context.Reference<EarnedThreshold>()("@reflexion/core/EarnedThreshold", {
  defaultValue: (): ModelThresholds => ({ of: () => undefined })
}) {}
