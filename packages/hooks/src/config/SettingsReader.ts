/**
 * The part of a hook that reads configuration: a file of its own beside the hook, loaded only where there is something to
 * read, for it brings the schemas along.
 */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as Either from "effect/Either"
import * as ConfigSources from "./ConfigSources.ts"

export const settle = (sources: ConfigSources.ConfigSources): ConfigSources.Settled =>
  Either.match(ConfigSources.resolve(sources), {
    onLeft: (problem): ConfigSources.Settled => ({ config: ReflexionConfig.defaults, problem }),
    onRight: (config): ConfigSources.Settled => ({ config, problem: null })
  })
