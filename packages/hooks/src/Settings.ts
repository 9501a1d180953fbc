/**
 * The configuration of a hook process. Most users have none and pay nothing for it; what follows from files that are
 * there is kept until one of them changes, for reading them well takes longer than everything else that a hook does.
 *
 * @since 0.1.0
 */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as FS from "node:fs"
import * as Path from "node:path"
import type { ConfigSources } from "./ConfigSources.ts"
import * as KnownSettings from "./KnownSettings.ts"
import * as PlainFiles from "@reflexion/node/PlainFiles"
import type { UserDirectories } from "./UserDirectories.ts"

/**
 * What there is to read. `root` is the session's project root.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly directories: UserDirectories
  readonly env: Readonly<Record<string, string | undefined>>
  readonly root: string
  readonly build: string
  /** What the host's own configuration says, for a plugin that lives in its host. */
  readonly host?: ReflexionConfig.PartialConfig
  /** Reads the sources; called only where there are any, and only when they are new. */
  readonly settle: (sources: Sources) => Settled
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Sources extends Omit<ConfigSources, "workspace"> {
  readonly directories: UserDirectories
  readonly root: string
  readonly workspace: { readonly file: string; readonly text: string } | null
}

/**
 * With a problem the configuration is the default one and nothing may be pushed by it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Settled {
  readonly config: ReflexionConfig.ReflexionConfig
  readonly problem: string | null
}

const names = ["REFLEXION_PROFILE", "REFLEXION_MAX_ATTEMPTS", "REFLEXION_MODEL"]

const isLink = (path: string): boolean => FS.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** A workspace is not trusted: no link of its own is followed. */
const readWorkspace = (root: string): Sources["workspace"] => {
  const folder = Path.join(root, ".reflection")
  const file = Path.join(folder, "config.json")
  if (isLink(folder)) throw new Error(`${folder} is a symbolic link, which is not followed here`)
  const text = PlainFiles.read(file, { maxBytes: ReflexionConfig.maxLength })
  return text === null ? null : { file, text }
}

const gather = ({ directories, env, host = {}, root }: Options): Sources => {
  const file = Path.join(directories.config, "config.json")
  const text = PlainFiles.read(file, { follow: true })
  return {
    directories,
    root,
    user: text === null ? null : { file, text },
    host,
    workspace: readWorkspace(root),
    env: Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]] as const] : [])))
  }
}

const settled = (options: Options): Settled => {
  const sources = gather(options)
  const said = Object.keys({ ...sources.env, ...sources.host }).length
  if (sources.user === null && sources.workspace === null && said === 0) {
    return { config: ReflexionConfig.defaults, problem: null }
  }
  return KnownSettings.settle(options, sources)
}

/**
 * The configuration in force in a project. Never throws: what cannot be read or understood is a problem.
 *
 * @since 0.1.0
 * @category configuration
 */
export const load = (options: Options): Settled => {
  try {
    return settled(options)
  } catch (cause) {
    return { config: ReflexionConfig.defaults, problem: cause instanceof Error ? cause.message : String(cause) }
  }
}
