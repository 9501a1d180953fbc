/**
 * The part of a hook that reads configuration: a file of its own beside the hook, loaded only where there is something to
 * read, for it brings the schemas along.
 *
 * @since 0.1.0
 */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as Either from "effect/Either"
import * as ConfigSources from "./ConfigSources.ts"
import type { Settled, Sources } from "./Settings.ts"
import * as Trust from "./Trust.ts"

/**
 * @since 0.1.0
 * @category configuration
 */
export const settle = ({ directories, env, host, root, user, workspace }: Sources): Settled => {
  const trusted = workspace !== null && Trust.status(directories, root) === "trusted"
  const sources = {
    user,
    env,
    ...(host !== undefined && { host }),
    workspace: workspace === null ? null : { ...workspace, trusted }
  }
  return Either.match(ConfigSources.resolve(sources), {
    onLeft: (problem): Settled => ({ config: ReflexionConfig.defaults, problem }),
    onRight: (config): Settled => ({ config, problem: null })
  })
}
