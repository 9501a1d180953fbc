/** Combines all sources of configuration: the user's file, the environment, a plugin's options, the workspace. */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ApprovedFile } from "./TakenFile.ts"
import type { Workspace } from "./Trust.ts"

/** A source is null if its file is missing or if it does not apply. */
export interface ConfigSources {
  readonly user: { readonly file: string; readonly text: string } | null
  readonly workspace: Workspace | null
  readonly env: Readonly<Record<string, string>>
  readonly host?: ReflexionConfig.PartialConfig
  readonly taken?: ApprovedFile | null
  /** The host's own small model. It is asked if no source names a model. Null if reflexion may not ask it. */
  readonly own?: string | null
}

/** If there is a problem, `config` has the default values, and no nudge may be sent. */
export interface EffectiveConfig {
  readonly config: ReflexionConfig.ReflexionConfig
  readonly problem: string | null
}

const allowed: Readonly<Record<string, string>> = {
  REFLEXION_PROFILE: "balanced, strict or advisory",
  REFLEXION_ATTENDED: "auto, true or false",
  REFLEXION_MAX_ATTEMPTS: "1, 2 or 3",
  REFLEXION_MODEL: "off, auto or provider/model"
}

const fromEnv = (env: ConfigSources["env"]): Either.Either<ReflexionConfig.PartialConfig, string> => {
  const set = new Map(Object.entries(env).filter(([, value]) => value !== ""))
  const provider = ConfigProvider.fromMap(set, { pathDelim: "_" })
  return ReflexionConfig.fromEnv.pipe(
    Effect.withConfigProvider(provider),
    Effect.mapError((error) => {
      const text = String(error)
      const names = Object.keys(allowed)
      const name = names.find((one) => text.includes(one.slice("REFLEXION_".length))) ?? "REFLEXION_PROFILE"
      return `${name}: must be ${allowed[name] ?? "set otherwise"}`
    }),
    Effect.either,
    Effect.runSync
  )
}

const fromFile = (
  source: { readonly file: string; readonly text: string } | null
): Either.Either<ReflexionConfig.PartialConfig, string> =>
  source === null
    ? Either.right({})
    : Either.mapLeft(ReflexionConfig.parse(source.text, { file: source.file }), (error) => error.message)

/** A project can set a plugin's options, but must not choose a model. */
const notHere = (model: string): string =>
  `the plugin's options: model: ${JSON.stringify(model)} is not used, because a project can set these options too: name the model in your own configuration or in REFLEXION_MODEL; only "off" is allowed here`

export interface SourceConfig {
  readonly config: ReflexionConfig.PartialConfig
  readonly trusted: boolean
}

/** Throws if the workspace's file cannot be read. */
export const saidBy = (workspace: Workspace | null): Either.Either<SourceConfig, string> => {
  const found = workspace?.configuration ?? null
  return Either.map(fromFile(found), (config) => ({ config, trusted: found !== null && found.trusted !== null }))
}

export const over = (
  base: ReflexionConfig.ReflexionConfig,
  { config, trusted }: SourceConfig
): ReflexionConfig.ReflexionConfig =>
  trusted ? ReflexionConfig.mergeTrusted(base, config) : ReflexionConfig.mergeWorkspace(base, config)

/** Returns an error message if the file of approved checks is damaged. */
export const withTaken = (
  config: ReflexionConfig.ReflexionConfig,
  taken: ApprovedFile | null
): Either.Either<ReflexionConfig.ReflexionConfig, string> => {
  if (taken === null) return Either.right(config)
  const found = TakenChecks.parse(taken.text, taken.root)
  return found === null
    ? Either.left(`${taken.file} is damaged: \`reflexion allow checks --revoke\` removes the checks in it`)
    : Either.right(TakenChecks.over(config, found))
}

/** Sets the host's own model. The fallback models are removed, because they were chosen for another model. */
export const withOwn = (config: ReflexionConfig.ReflexionConfig, own: string | null): ReflexionConfig.ReflexionConfig =>
  own === null ? config : { ...config, model: own, models: { ...config.models, fallback: [] } }

/** Returns one line for each problem. Throws if the workspace's file cannot be read. */
export const resolve = (sources: ConfigSources): Either.Either<ReflexionConfig.ReflexionConfig, string> =>
  Either.gen(function* () {
    const { host = {} } = sources
    const user = yield* fromFile(sources.user)
    const env = yield* fromEnv(sources.env)
    const own = ReflexionConfig.merge(ReflexionConfig.merge(ReflexionConfig.defaults, user), env)
    const base = ReflexionConfig.mergeWorkspace(own, host)
    const workspace = yield* saidBy(sources.workspace)
    const said = [user, env, ...(workspace.trusted ? [workspace.config] : [])].some(({ model }) => model !== undefined)
    // Any source may turn the model off, even if the user does not trust it.
    const isOff = host.model === "off"
    if (host.model !== undefined && !isOff && !said) return yield* Either.left(notHere(host.model))
    const mayOwn = !said && !isOff && workspace.config.model !== "off"
    const merged = withOwn(
      over(isOff ? { ...base, model: "off" } : base, workspace),
      mayOwn ? (sources.own ?? null) : null
    )
    return yield* withTaken(merged, sources.taken ?? null)
  })

/** Gives the default values if there is a problem. A hook loads this module only if a source exists. */
export const settle = (sources: ConfigSources): EffectiveConfig =>
  Either.match(resolve(sources), {
    onLeft: (problem): EffectiveConfig => ({ config: ReflexionConfig.defaults, problem }),
    onRight: (config): EffectiveConfig => ({ config, problem: null })
  })
