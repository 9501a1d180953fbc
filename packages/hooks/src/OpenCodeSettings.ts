/**
 * The configuration of the OpenCode plugin: what a hook's is, and before the workspace's say the plugin's own options in
 * the host's configuration.
 *
 * @since 0.1.0
 */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as Either from "effect/Either"
import * as Settings from "./Settings.ts"
import * as SettingsReader from "./SettingsReader.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Omit<Settings.Options, "settle"> {
  readonly options: unknown
}

const source = "the plugin's options in OpenCode's configuration"

/** `model` is the plugin's alone: without a model, tier 1 decides. */
const withoutModel = (options: unknown): { readonly rest: unknown; readonly problem: string | null } => {
  if (typeof options !== "object" || options === null || !("model" in options)) return { rest: options, problem: null }
  const { model, ...rest } = options
  return { rest, problem: model === "off" ? null : `${source}: model: must be "off", the only choice there is so far` }
}

/** Without places: the options are somewhere in a file of the host's. */
const explain = ({ more, problems }: ReflexionConfig.InvalidConfig): string => {
  const shown = problems.map(({ key, problem }) => `${source}: ${key ? `${key}: ` : ""}${problem}`)
  return [...shown, ...(more === 0 ? [] : [`(and ${more} more)`])].join("\n")
}

const parsed = (options: unknown) => {
  const { problem, rest } = withoutModel(options)
  if (problem !== null) return Either.left(problem)
  const read = ReflexionConfig.parse(JSON.stringify(rest ?? {}), { file: source, beside: ["model"] })
  return Either.mapLeft(read, explain)
}

/**
 * Never throws: what cannot be read or understood is a problem, and then nothing may be pushed.
 *
 * @since 0.1.0
 * @category configuration
 */
export const load = ({ options, ...rest }: Options): Settings.Settled =>
  Either.match(parsed(options), {
    onLeft: (problem) => ({ config: ReflexionConfig.defaults, problem }),
    onRight: (host) => Settings.load({ ...rest, host, settle: SettingsReader.settle })
  })
