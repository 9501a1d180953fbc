/** The configuration as a hook reads it. */
import type * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import type { ConfigSources } from "./ConfigSources.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"

/**
 * What there is to read. `root` is the session's project root.
 *
 * @category models
 */
export interface Options {
  readonly directories: UserDirectories
  readonly env: Readonly<Record<string, string | undefined>>
  readonly root: string
  readonly build: string
  /** What the host's own configuration says, for a plugin that lives in its host. */
  readonly host?: ReflexionConfig.PartialConfig
  /** The models that the user's own files of the host name in options of plugins. */
  readonly hostModels?: ReadonlyArray<string>
  /** The host's own small model, which is asked where no source says a model; null where it may not be. */
  readonly own?: string | null
  /** Reads the sources; called only where there are any, and only when they are new. */
  readonly settle: (sources: ConfigSources) => Settled
}

/**
 * With a problem the configuration is the default one and nothing may be pushed by it.
 *
 * @category models
 */
export interface Settled {
  readonly config: ReflexionConfig.ReflexionConfig
  readonly problem: string | null
}
