/** The models' thresholds from the test cases: how sure a model must be of "not done" before the agent is nudged. */
import * as Context from "effect/Context"

/** Null: the model may tell the user, but may not nudge the agent. Undefined: the model was never tested. */
export interface ModelThresholds {
  readonly of: (model: string) => number | null | undefined
}

export class EarnedThreshold extends Context.Reference<EarnedThreshold>()("@reflexion/core/EarnedThreshold", {
  defaultValue: (): ModelThresholds => ({ of: () => undefined })
}) {}
