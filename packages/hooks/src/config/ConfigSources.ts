/** The configuration that follows from all that has a say: user's file, environment, plugin's options, workspace's file. */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ApprovedFile } from "./TakenFile.ts"
import type { Workspace } from "./Trust.ts"

/** The texts as they were read; null for a file that does not exist, or a workspace that has no say. */
export interface ConfigSources {
  readonly user: { readonly file: string; readonly text: string } | null
  readonly workspace: Workspace | null
  readonly env: Readonly<Record<string, string>>
  readonly host?: ReflexionConfig.PartialConfig
  readonly taken?: ApprovedFile | null
  /** The host's own small model, which is asked where no source says a model; null where it may not be. */
  readonly own?: string | null
}

/** With a problem the configuration is the default one and nothing may be nudged by it. */
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

/** Said of a model in a plugin's options where the user names none: these may be a project's, which chooses no model. */
const notHere = (model: string): string =>
  `the plugin's options: model: ${JSON.stringify(model)} is taken from your own configuration only, for a project can set these options too: name it there or in REFLEXION_MODEL; only "off" may stand here`

export interface SourceConfig {
  readonly config: ReflexionConfig.PartialConfig
  readonly trusted: boolean
}

/** What a workspace says, or what is wrong with it. Throws where its file cannot be read. */
export const saidBy = (workspace: Workspace | null): Either.Either<SourceConfig, string> => {
  const found = workspace?.configuration ?? null
  return Either.map(fromFile(found), (config) => ({ config, trusted: found !== null && found.trusted !== null }))
}

export const over = (
  base: ReflexionConfig.ReflexionConfig,
  { config, trusted }: SourceConfig
): ReflexionConfig.ReflexionConfig =>
  trusted ? ReflexionConfig.mergeTrusted(base, config) : ReflexionConfig.mergeWorkspace(base, config)

/** A configuration with the checks that the user took, or what is wrong with their file. */
export const withTaken = (
  config: ReflexionConfig.ReflexionConfig,
  taken: ApprovedFile | null
): Either.Either<ReflexionConfig.ReflexionConfig, string> => {
  if (taken === null) return Either.right(config)
  const found = TakenChecks.parse(taken.text, taken.root)
  return found === null
    ? Either.left(`${taken.file} is damaged: \`reflexion allow checks --revoke\` takes back what is in it`)
    : Either.right(TakenChecks.over(config, found))
}

/** With the host's own model where nobody says one. What else is to be asked in a model's place was said for that one. */
export const withOwn = (config: ReflexionConfig.ReflexionConfig, own: string | null): ReflexionConfig.ReflexionConfig =>
  own === null ? config : { ...config, model: own, models: { ...config.models, fallback: [] } }

/** The configuration in force, or a line per problem. Throws where the workspace's file cannot be read. */
export const resolve = (sources: ConfigSources): Either.Either<ReflexionConfig.ReflexionConfig, string> =>
  Either.gen(function* () {
    const { host = {} } = sources
    const user = yield* fromFile(sources.user)
    const env = yield* fromEnv(sources.env)
    const own = ReflexionConfig.merge(ReflexionConfig.merge(ReflexionConfig.defaults, user), env)
    const base = ReflexionConfig.mergeWorkspace(own, host)
    const workspace = yield* saidBy(sources.workspace)
    const said = [user, env, ...(workspace.trusted ? [workspace.config] : [])].some(({ model }) => model !== undefined)
    // Nobody has to be trusted to have less asked.
    const isOff = host.model === "off"
    if (host.model !== undefined && !isOff && !said) return yield* Either.left(notHere(host.model))
    const mayOwn = !said && !isOff && workspace.config.model !== "off"
    const merged = withOwn(
      over(isOff ? { ...base, model: "off" } : base, workspace),
      mayOwn ? (sources.own ?? null) : null
    )
    return yield* withTaken(merged, sources.taken ?? null)
  })

/** The same, where a problem goes with the default configuration. A hook loads this only where there is something to read. */
export const settle = (sources: ConfigSources): EffectiveConfig =>
  Either.match(resolve(sources), {
    onLeft: (problem): EffectiveConfig => ({ config: ReflexionConfig.defaults, problem }),
    onRight: (config): EffectiveConfig => ({ config, problem: null })
  })
