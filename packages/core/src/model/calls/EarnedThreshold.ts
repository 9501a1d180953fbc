/** From which probability on a model's "not done" sends the agent on: what it earned on the written cases. */
import * as Context from "effect/Context"

/** A model's threshold by its name. `null`: it tells the user and sends nobody on; `undefined`: nobody has tried it. */
export interface ModelThresholds {
  readonly of: (model: string) => number | null | undefined
}

/** What the user's models earned; nothing is known without a layer. */
export class EarnedThreshold extends Context.Reference<EarnedThreshold>()("@reflexion/core/EarnedThreshold", {
  defaultValue: (): ModelThresholds => ({ of: () => undefined })
}) {}
