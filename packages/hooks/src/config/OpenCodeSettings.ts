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
export const load = ({ options, ...rest }: Options): Settings.Settled =>
  Either.match(parsed(options), {
    onLeft: (problem) => ({ config: ReflexionConfig.defaults, problem }),
    onRight: (host) =>
      Settings.load({
        ...rest,
        own: OwnModels.nameOf("opencode"),
        host,
        hostModels: host.model === undefined ? [] : OpenCodeOwn.pluginModels(rest.env),
        settle: SettingsReader.settle
      })
  })
