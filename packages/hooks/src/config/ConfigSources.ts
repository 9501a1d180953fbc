/**
 * The configuration that follows from everything that has a say, in the order of precedence: the user's file, the
 * environment, what the host's own configuration gives the plugin, the workspace's file; and under all of them the checks that
 * the user took for the project.
 */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Workspace } from "./Trust.ts"

/** The texts as they were read; null for a file that does not exist, or a workspace that has no say. */
export interface ConfigSources {
  readonly user: { readonly file: string; readonly text: string } | null
  readonly workspace: Workspace | null
  readonly env: Readonly<Record<string, string>>
  readonly host?: ReflexionConfig.PartialConfig
  /** The models that the user's own files of the host name in options of plugins: what else is named there may be a project's. */
  readonly hostModels?: ReadonlyArray<string>
  /** What the user took for the project with this root. */
  readonly taken?: Taken | null
  /** The host's own small model, which is asked where no source says a model; null where it may not be. */
  readonly own?: string | null
}

/** With a problem the configuration is the default one and nothing may be pushed by it. */
export interface Settled {
  readonly config: ReflexionConfig.ReflexionConfig
  readonly problem: string | null
}

/** The file in which checks lie that the user took, as it was read. */
export interface Taken {
  readonly file: string
  readonly root: string
  readonly text: string
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

/** What the host would run anyway: its own models. */
const isHosts = (model: string): boolean => model === "off" || model === "auto" || model.startsWith("opencode/")

/** A plugin's options may be a project's, which has no model asked that the user did not name. */
const strange = (
  { host = {}, hostModels = [] }: Pick<ConfigSources, "host" | "hostModels">,
  others: ReadonlyArray<ReflexionConfig.PartialConfig>
): Either.Either<void, string> => {
  const { model } = host
  const isOwn = model === undefined || model === "off" || (isHosts(model) && hostModels.includes(model))
  return isOwn || others.some((other) => other.model !== undefined)
    ? Either.void
    : Either.left(
        `the plugin's options: model: ${JSON.stringify(model)} is taken from your own configuration only, for a project can set these options too: name it there or in REFLEXION_MODEL; "auto" and "opencode/…" also in the plugin's options of your own opencode.json, and "off" anywhere`
      )
}

/**
 * A project can set a plugin's options as well, so they may do no more than its own file. Only the model in them is known to be
 * the user's (`strange`), and holds where their weightier sources say nothing of one.
 */
const mergeHost = (
  base: ReflexionConfig.ReflexionConfig,
  host: ReflexionConfig.PartialConfig,
  own: ReadonlyArray<ReflexionConfig.PartialConfig>
): ReflexionConfig.ReflexionConfig => {
  const isFree = own.every(({ model }) => model === undefined)
  const model = isFree || host.model === "off" ? (host.model ?? base.model) : base.model
  return { ...ReflexionConfig.mergeWorkspace(base, host), model }
}

/** What a workspace's file says, and whether the user trusts it to say so. */
export interface Said {
  readonly config: ReflexionConfig.PartialConfig
  readonly trusted: boolean
}

/** What a workspace says, or what is wrong with it. Throws where its file cannot be read. */
export const saidBy = (workspace: Workspace | null): Either.Either<Said, string> => {
  const found = workspace?.configuration ?? null
  return Either.map(fromFile(found), (config) => ({ config, trusted: found !== null && found.trusted !== null }))
}

/** A configuration with what a workspace says laid over it, as far as the user trusts it. */
export const over = (
  base: ReflexionConfig.ReflexionConfig,
  { config, trusted }: Said
): ReflexionConfig.ReflexionConfig =>
  trusted ? ReflexionConfig.mergeTrusted(base, config) : ReflexionConfig.mergeWorkspace(base, config)

/** A configuration with the checks that the user took, or what is wrong with their file. */
export const withTaken = (
  config: ReflexionConfig.ReflexionConfig,
  taken: Taken | null
): Either.Either<ReflexionConfig.ReflexionConfig, string> => {
  if (taken === null) return Either.right(config)
  const found = TakenChecks.parse(taken.text, taken.root)
  return found === null
    ? Either.left(`${taken.file} is damaged: \`reflexion checks remove\` takes the checks in it back`)
    : Either.right(TakenChecks.over(config, found))
}

/** With the host's own model where nobody says one. What else is to be asked in a model's place was said for that one. */
export const withOwn = (config: ReflexionConfig.ReflexionConfig, own: string | null): ReflexionConfig.ReflexionConfig =>
  own === null ? config : { ...config, model: own, models: { ...config.models, fallback: [] } }

/**
 * The configuration in force, or what is wrong: a line per problem, each with its file, line and column or its variable.
 * Throws where the workspace's file cannot be read.
 */
export const resolve = (sources: ConfigSources): Either.Either<ReflexionConfig.ReflexionConfig, string> =>
  Either.gen(function* () {
    const user = yield* fromFile(sources.user)
    const env = yield* fromEnv(sources.env)
    const own = ReflexionConfig.merge(ReflexionConfig.merge(ReflexionConfig.defaults, user), env)
    const base = mergeHost(own, sources.host ?? {}, [user, env])
    const workspace = yield* saidBy(sources.workspace)
    const said = [user, env, ...(workspace.trusted ? [workspace.config] : [])]
    yield* strange(sources, said)
    // Nobody has to be trusted to have less asked.
    const isSaid =
      workspace.config.model === "off" || [...said, sources.host ?? {}].some(({ model }) => model !== undefined)
    const merged = withOwn(over(base, workspace), isSaid ? null : (sources.own ?? null))
    return yield* withTaken(merged, sources.taken ?? null)
  })
