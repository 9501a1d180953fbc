/**
 * The configuration of the OpenCode plugin: what a hook's is, and before the workspace's say the plugin's own options in
 * the host's configuration.
 */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as Either from "effect/Either"
import * as OpenCodeOwn from "./OpenCodeOwn.ts"
import * as OwnModels from "./OwnModels.ts"
import * as Settings from "./Settings.ts"
import * as SettingsReader from "./SettingsReader.ts"

export interface Options extends Omit<Settings.Options, "settle"> {
  readonly options: unknown
}

/**
 * `byConsent`: no configuration names a model, so the host's own small one may be asked only where the user agreed to it.
 *
 * @category models
 */
export interface Found extends Settings.Settled {
  readonly byConsent: boolean
}

const own = OwnModels.nameOf("opencode")

const withOwn = (options: Settings.Options): Found => {
  const named = Settings.load(options)
  if (named.problem !== null || named.config.model !== "off") return { ...named, byConsent: false }
  // "off" is somebody's word where it stays although there is one to ask.
  const offered = Settings.load({ ...options, own })
  return { ...offered, byConsent: offered.config.model === own }
}

const source = "the plugin's options in OpenCode's configuration"

/** Without places: the options are somewhere in a file of the host's. */
const explain = ({ more, problems }: ReflexionConfig.InvalidConfig): string => {
  const shown = problems.map(({ key, problem }) => `${source}: ${key ? `${key}: ` : ""}${problem}`)
  return [...shown, ...(more === 0 ? [] : [`(and ${more} more)`])].join("\n")
}

const parsed = (options: unknown) =>
  Either.mapLeft(ReflexionConfig.parse(JSON.stringify(options ?? {}), { file: source }), explain)

/**
 * Never throws: what cannot be read or understood is a problem, and then nothing may be pushed.
 *
 * @category configuration
 */
export const load = ({ options, ...rest }: Options): Found =>
  Either.match(parsed(options), {
    onLeft: (problem) => ({ config: ReflexionConfig.defaults, problem, byConsent: false }),
    onRight: (host) =>
      withOwn({
        ...rest,
        host,
        hostModels: host.model === undefined ? [] : OpenCodeOwn.pluginModels(rest.env),
        settle: SettingsReader.settle
      })
  })
