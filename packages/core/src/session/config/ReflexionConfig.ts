/** The configuration. Every key has a default. Files, the environment and flags are merged over the defaults. */
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { matchesGlob, matchesWildcard } from "../../base/text/Wildcard.ts"
import { merge } from "./ConfigMerge.ts"
import { defaults } from "./Defaults.ts"
import * as Model from "./model.ts"
import { read } from "./parse.ts"

export type { ActiveCheck, ActiveGate, ReflexionConfig } from "./model.ts"
export {
  Attendance as Attended,
  Check,
  ConfigProblem,
  DeclaredGate,
  InvalidConfig,
  PartialConfig,
  Profile,
  Provider
} from "./model.ts"
export { defaults } from "./Defaults.ts"
export { merge, mergeTrusted, mergeWorkspace } from "./ConfigMerge.ts"

/**
 * True if a simple command runs the gate. Several spaces count as one space.
 *
 * @category predicates
 */
export const matchesCommand = (gate: Model.DeclaredGate, command: string): boolean =>
  matchesWildcard(gate.command, command)

/**
 * True if the gate covers a file. The path is relative to the session's directory.
 *
 * @category predicates
 */
export const matchesPath = (gate: Model.DeclaredGate, path: string): boolean =>
  gate.paths.length === 0 || gate.paths.some((glob) => matchesGlob(glob, path))

/**
 * The longest allowed configuration file, in characters. A file has at most 50 gates, and a gate has at most 100 globs.
 *
 * @category limits
 */
export const maxLength = 64 * 1024

/**
 * Reads the text of a configuration file: JSON in which comments and trailing commas are allowed.
 *
 * @example
 * ```ts
 * import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
 * import { Either } from "effect"
 *
 * const text = '{ "profile": "strict", "maxAttempts": 2 } // for agents on their own'
 * const given = Either.getOrThrow(ReflexionConfig.parse(text, { file: "/repo/config.json" }))
 * const { maxAttempts, profile } = ReflexionConfig.merge(ReflexionConfig.defaults, given)
 * console.log(profile, maxAttempts) // => strict 2
 *
 * const wrong = ReflexionConfig.parse('{ "profil": "strict" }', { file: "/repo/config.json" })
 * if (Either.isLeft(wrong)) console.log(wrong.left.message)
 * // => /repo/config.json:1:3: profil: unknown key; did you mean "profile"?
 * ```
 *
 * @category decoding
 */
export const parse = (
  text: string,
  { file }: { readonly file: string }
): Either.Either<Model.PartialConfig, Model.InvalidConfig> =>
  read(Model.PartialConfig, text, {
    maxLength,
    fail: (found) => new Model.InvalidConfig({ file, ...found })
  })

const Attendance = Schema.transform(Schema.Literal("auto", "true", "false"), Schema.typeSchema(Model.Attendance), {
  strict: true,
  decode: (word) => (word === "auto" ? word : word === "true"),
  encode: (attended) => (attended === "auto" ? attended : attended ? ("true" as const) : ("false" as const))
})

const Attempts = Schema.compose(Schema.NumberFromString, Model.MaxAttempts)

/** Reads the environment: `REFLEXION_PROFILE`, `REFLEXION_ATTENDED`, `REFLEXION_MAX_ATTEMPTS` and `REFLEXION_MODEL`. */
export const fromEnv: Config.Config<Model.PartialConfig> = Config.all({
  profile: Config.option(Schema.Config("PROFILE", Model.Profile)),
  attended: Config.option(Schema.Config("ATTENDED", Attendance)),
  maxAttempts: Config.option(Schema.Config("MAX_ATTEMPTS", Attempts)),
  model: Config.option(Schema.Config("MODEL", Model.ModelChoice))
}).pipe(
  Config.nested("REFLEXION"),
  Config.map(({ attended, maxAttempts, model, profile }) => ({
    ...(Option.isSome(profile) && { profile: profile.value }),
    ...(Option.isSome(attended) && { attended: attended.value }),
    ...(Option.isSome(maxAttempts) && { maxAttempts: maxAttempts.value }),
    ...(Option.isSome(model) && { model: model.value })
  }))
)

/** The configuration that all services of this library use. */
export class CurrentConfig extends Context.Tag("@reflexion/core/ReflexionConfig/CurrentConfig")<
  CurrentConfig,
  Model.ReflexionConfig
>() {
  static readonly layer = (over: Model.PartialConfig = {}): Layer.Layer<CurrentConfig> =>
    Layer.succeed(CurrentConfig, merge(defaults, over))

  static readonly layerFromEnv: Layer.Layer<CurrentConfig, ConfigError.ConfigError> = Layer.effect(
    CurrentConfig,
    Effect.map(fromEnv, (over) => merge(defaults, over))
  )
}
