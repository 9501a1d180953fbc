/** How much memory an attempt gets. The configuration's section `reflexion` has the same names. */
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * `maxReflectionsPerRetry`: how many reflections a prompt has at most. `retentionDays`: how long they are kept.
 * `crossTask`: how similar (0 to 1) a reflection of another task must be to be given too, false for none. By 0.3, of what
 * the description says about a third has to be in it; one shared word is never enough.
 *
 * @category models
 */
export interface Settings {
  readonly enabled: boolean
  readonly maxReflectionsPerRetry: number
  readonly retentionDays: number
  readonly crossTask: number | false
}

export const defaults: Settings = { enabled: true, maxReflectionsPerRetry: 3, retentionDays: 30, crossTask: 0.3 }

/**
 * The settings in force.
 *
 * @category references
 */
export class RetrySettings extends Context.Reference<RetrySettings>()("@reflexion/retry/RetrySettings", {
  defaultValue: (): Settings => defaults
}) {
  /** What the configuration says. */
  static readonly Configured: Layer.Layer<RetrySettings, never, CurrentConfig> = Layer.effect(
    RetrySettings,
    Effect.map(CurrentConfig, ({ memory }) => memory)
  )
}
