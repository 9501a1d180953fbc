/**
 * The configuration of a hook process. Most users have none and pay nothing for it; what follows from files that are
 * there is kept until one of them changes, for reading them well takes longer than everything else that a hook does.
 */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as KnownSettings from "./KnownSettings.ts"
import * as Marks from "./Marks.ts"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as TakenFile from "./TakenFile.ts"
import type { Options, Settled } from "./model.ts"

export type { Options, Settled } from "./model.ts"

const names = ["REFLEXION_PROFILE", "REFLEXION_ATTENDED", "REFLEXION_MAX_ATTEMPTS", "REFLEXION_MODEL"]

/** Only whether there is something: a text is read where it is used, once. */
const find = (path: string): FS.Stats | undefined => {
  try {
    return FS.lstatSync(path, { throwIfNoEntry: false })
  } catch (cause) {
    if (PlainFiles.isAbsent(cause)) return undefined
    throw cause
  }
}

const isThere = ({ directories, root }: Options): boolean => {
  if (find(TakenFile.fileOf(directories, root)) !== undefined) return true
  if (find(Path.join(directories.config, "config.json")) !== undefined) return true
  const folder = Path.join(root, ".reflection")
  const found = find(folder)
  // A link is refused, wherever it leads.
  return found !== undefined && (found.isSymbolicLink() || find(Path.join(folder, "config.json")) !== undefined)
}

/** Nobody says anything. */
const unsaid = ({ own = null }: Options): ReflexionConfig.ReflexionConfig =>
  own === null ? ReflexionConfig.defaults : { ...ReflexionConfig.defaults, model: own }

const settled = (options: Options): Settled => {
  const env = Object.fromEntries(
    names.flatMap((name) => (options.env[name] ? [[name, options.env[name]] as const] : []))
  )
  return Object.keys({ ...env, ...options.host }).length > 0 || isThere(options)
    ? KnownSettings.settle({ ...options, env })
    : { config: unsaid(options), problem: null }
}

/** With the rules lowered that the user marked: what they say of a project is not a part of what is kept of its files. */
const marked = ({ directories, root }: Options, { config, problem }: Settled): Settled => ({
  config: Marks.limit(config, Marks.lowered(Marks.read(directories, root).marks)),
  problem
})

/**
 * The configuration in force in a project. Never throws: what cannot be read or understood is a problem.
 *
 * @category configuration
 */
export const load = (options: Options): Settled => {
  try {
    return marked(options, settled(options))
  } catch (cause) {
    return { config: ReflexionConfig.defaults, problem: cause instanceof Error ? cause.message : String(cause) }
  }
}
