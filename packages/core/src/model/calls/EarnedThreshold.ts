/** The thresholds that models earned in the test cases: how sure "not done" must be before the agent is nudged. */
import * as Context from "effect/Context"

/** The threshold is null if the model may only tell the user. Undefined if it was never tested. */
export interface ModelThresholds {
  readonly of: (model: string) => number | null | undefined
}

export class EarnedThreshold extends Context.Reference<EarnedThreshold>()("@reflexion/core/EarnedThreshold", {
  defaultValue: (): ModelThresholds => ({ of: () => undefined })
}) {}
