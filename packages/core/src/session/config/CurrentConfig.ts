/** The configuration as a service. */
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { defaults, merge } from "./ConfigMerge.ts"
import { ModelChoice } from "./modelSettings.ts"
import { Attended, MaxAttempts, type PartialConfig, Profile, type ReflexionConfig } from "./model.ts"

const Attendance = Schema.transform(Schema.Literal("auto", "true", "false"), Schema.typeSchema(Attended), {
  strict: true,
  decode: (word) => (word === "auto" ? word : word === "true"),
  encode: (attended) => (attended === "auto" ? attended : attended ? ("true" as const) : ("false" as const))
})

/** What the environment says: `REFLEXION_PROFILE`, `REFLEXION_ATTENDED`, `REFLEXION_MAX_ATTEMPTS` and `REFLEXION_MODEL`. */
export const fromEnv: Config.Config<PartialConfig> = Config.all({
  profile: Config.option(Schema.Config("PROFILE", Profile)),
  attended: Config.option(Schema.Config("ATTENDED", Attendance)),
  maxAttempts: Config.option(Schema.Config("MAX_ATTEMPTS", Schema.compose(Schema.NumberFromString, MaxAttempts))),
  model: Config.option(Schema.Config("MODEL", ModelChoice))
}).pipe(
  Config.nested("REFLEXION"),
  Config.map(({ attended, maxAttempts, model, profile }) => ({
    ...(Option.isSome(profile) && { profile: profile.value }),
    ...(Option.isSome(attended) && { attended: attended.value }),
    ...(Option.isSome(maxAttempts) && { maxAttempts: maxAttempts.value }),
    ...(Option.isSome(model) && { model: model.value })
  }))
)

/** The configuration that every service of this library goes by. */
export class CurrentConfig extends Context.Tag("@reflexion/core/ReflexionConfig/CurrentConfig")<
  CurrentConfig,
  ReflexionConfig
>() {
  static readonly layer = (over: PartialConfig = {}): Layer.Layer<CurrentConfig> =>
    Layer.succeed(CurrentConfig, merge(defaults, over))

  static readonly layerFromEnv: Layer.Layer<CurrentConfig, ConfigError.ConfigError> = Layer.effect(
    CurrentConfig,
    Effect.map(fromEnv, (over) => merge(defaults, over))
  )
}
