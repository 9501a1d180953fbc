/**
 * The one configuration tree. It has a default for every key; files, the environment and flags each lay a partial one
 * over it.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { read } from "./internal/configText.ts"
import { matchesGlob, matchesWildcard } from "./internal/wildcard.ts"

/**
 * `strict` also requires tests, build, a pull request and green CI of every coding task; `advisory` never pushes.
 *
 * @since 0.1.0
 * @category models
 */
export const Profile = Schema.Literal("balanced", "strict", "advisory").annotations({
  message: () => ({ message: 'must be "balanced", "strict" or "advisory"', override: true })
})

/**
 * @since 0.1.0
 * @category models
 */
export type Profile = typeof Profile.Type

const Globs = Schema.Array(Schema.String.annotations({ message: () => "must be a string" })).annotations({
  message: () => "must be a list of globs"
})

/**
 * A gate of the project's own, such as one package's tests in a monorepo.
 *
 * @since 0.1.0
 * @category models
 */
export const DeclaredGate = Schema.Struct({
  /** What the gate is called in a verdict: letters, digits, `.`, `_`, `:` and `-`. */
  name: Schema.String.pipe(
    Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$/, {
      message: () => "must be 1 to 40 letters, digits, '.', '_', ':' or '-', beginning with a letter or digit"
    })
  ),
  /** The command that runs it: one simple command's whole text, where `*` stands for any text. */
  command: Schema.String.pipe(
    Schema.filter((command) => command.trim() !== "" && command.length <= 500, {
      message: () => "must be a command of 1 to 500 characters"
    })
  ),
  /** Globs of the files that it covers, relative to the session's directory; none means every source file. */
  paths: Schema.optionalWith(Globs, { default: () => [] }),
  /** Whether a task that edits a covered file must run it. */
  required: Schema.optionalWith(Schema.Boolean.annotations({ message: () => "must be true or false" }), {
    default: () => true
  })
}).annotations({ message: () => "must be an object with a name and a command" })

/**
 * @since 0.1.0
 * @category models
 */
export type DeclaredGate = typeof DeclaredGate.Type

const Gates = Schema.Array(DeclaredGate).annotations({ message: () => "must be a list of gates" })

const MaxAttempts = Schema.Int.pipe(
  Schema.between(1, 3),
  Schema.annotations({ message: () => ({ message: "must be 1, 2 or 3", override: true }) })
)

/**
 * @since 0.1.0
 * @category models
 */
export const ReflexionConfig = Schema.Struct({
  /** Which gates a task must pass, and whether the agent is pushed at all. */
  profile: Profile,
  /** The project's own gates, beside those that every project has. */
  gates: Gates,
  /** Pushes per user message: never more than 3. */
  maxAttempts: MaxAttempts
})

/**
 * @since 0.1.0
 * @category models
 */
export type ReflexionConfig = typeof ReflexionConfig.Type

/**
 * What one source (a file, the environment, the flags) says.
 *
 * @since 0.1.0
 * @category models
 */
export const PartialConfig = Schema.Struct({
  profile: Schema.optionalWith(Profile, { exact: true }),
  gates: Schema.optionalWith(Gates, { exact: true }),
  maxAttempts: Schema.optionalWith(MaxAttempts, { exact: true }),
  $schema: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ message: () => "must be an object" })

/**
 * @since 0.1.0
 * @category models
 */
export type PartialConfig = typeof PartialConfig.Type

/**
 * @since 0.1.0
 * @category models
 */
export const defaults: ReflexionConfig = { profile: "balanced", gates: [], maxAttempts: 3 }

const mergeGates = (base: ReadonlyArray<DeclaredGate>, over: ReadonlyArray<DeclaredGate>) => [
  ...base.filter((gate) => !over.some((other) => other.name === gate.name)),
  ...over
]

/**
 * Lays one source over what is known so far. Gates add up; one of the same name replaces the earlier.
 *
 * @since 0.1.0
 * @category combinators
 */
export const merge = (base: ReflexionConfig, over: PartialConfig): ReflexionConfig => ({
  profile: over.profile ?? base.profile,
  gates: mergeGates(base.gates, over.gates ?? []),
  maxAttempts: over.maxAttempts ?? base.maxAttempts
})

/**
 * Lays an untrusted workspace's file over what is known so far: it may lower `maxAttempts`, never raise it.
 *
 * @since 0.1.0
 * @category combinators
 */
export const mergeWorkspace = (base: ReflexionConfig, workspace: PartialConfig): ReflexionConfig => ({
  ...merge(base, workspace),
  maxAttempts: Math.min(base.maxAttempts, workspace.maxAttempts ?? base.maxAttempts)
})

/**
 * Whether a simple command's text is a run of the gate. Runs of white space count as one space.
 *
 * @since 0.1.0
 * @category predicates
 */
export const matchesCommand = (gate: DeclaredGate, command: string): boolean => matchesWildcard(gate.command, command)

/**
 * Whether the gate covers a file, given by its path relative to the session's directory.
 *
 * @since 0.1.0
 * @category predicates
 */
export const matchesPath = (gate: DeclaredGate, path: string): boolean =>
  gate.paths.length === 0 || gate.paths.some((glob) => matchesGlob(glob, path))

/**
 * One thing that is wrong in a configuration file. `key` is its path, as in `gates[0].command`.
 *
 * @since 0.1.0
 * @category errors
 */
export const ConfigProblem = Schema.Struct({
  line: Schema.Number,
  column: Schema.Number,
  key: Schema.NullOr(Schema.String),
  problem: Schema.String
})

/**
 * @since 0.1.0
 * @category errors
 */
export type ConfigProblem = typeof ConfigProblem.Type

/**
 * @since 0.1.0
 * @category errors
 */
export class InvalidConfig extends Schema.TaggedError<InvalidConfig>("@reflexion/core/InvalidConfig")("InvalidConfig", {
  file: Schema.String,
  problems: Schema.NonEmptyArray(ConfigProblem)
}) {
  override get message() {
    return this.problems
      .map(({ column, key, line, problem }) => `${this.file}:${line}:${column}: ${key ? `${key}: ` : ""}${problem}`)
      .join("\n")
  }
}

/**
 * Reads the text of a configuration file: JSON in which comments and trailing commas are allowed.
 *
 * @since 0.1.0
 * @category decoding
 */
export const parse = (text: string, options: { readonly file: string }): Either.Either<PartialConfig, InvalidConfig> =>
  read(PartialConfig, text, (problems) => new InvalidConfig({ file: options.file, problems }))

/**
 * What the environment says: `REFLEXION_PROFILE` and `REFLEXION_MAX_ATTEMPTS`.
 *
 * @since 0.1.0
 * @category decoding
 */
export const fromEnv: Config.Config<PartialConfig> = Config.all({
  profile: Config.option(Schema.Config("PROFILE", Profile)),
  maxAttempts: Config.option(Schema.Config("MAX_ATTEMPTS", Schema.compose(Schema.NumberFromString, MaxAttempts)))
}).pipe(
  Config.nested("REFLEXION"),
  Config.map(({ maxAttempts, profile }) => ({
    ...(Option.isSome(profile) && { profile: profile.value }),
    ...(Option.isSome(maxAttempts) && { maxAttempts: maxAttempts.value })
  }))
)

/**
 * The configuration in force.
 *
 * @since 0.1.0
 * @category services
 */
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
