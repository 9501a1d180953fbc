/** Where reflexion keeps the user's files: in the XDG base directories, or in their default places. */
import * as DecisionFile from "@reflexion/core/internal/review/records/DecisionFile"
import * as OS from "node:os"
import * as Path from "node:path"
import * as Checksum from "./Checksum.ts"

/** Absolute paths. */
export interface UserDirectories {
  readonly config: string
  readonly state: string
  /** Compiled code and other data that can be made again. */
  readonly cache: string
  readonly data: string
}

type Env = Readonly<Record<string, string | undefined>>

/** Ignores a relative path, as the XDG specification says. */
const base = (env: Env, name: string, fallback: string): string => {
  const given = env[name]
  return Path.join(given !== undefined && Path.isAbsolute(given) ? given : fallback, "reflexion")
}

const isUsable = (path: string | undefined): path is string => path !== undefined && Path.isAbsolute(path)

/** If there is no home directory, there is no place for state. Writing to this path fails, and no nudge is sent. */
const systemHome = (): string => {
  try {
    return OS.userInfo().homedir
  } catch {
    return Path.join(Path.parse(process.cwd()).root, "nonexistent")
  }
}

/** The home folders that environment variables name, or else the system's home folder. */
export const homes = (env: Env): ReadonlyArray<string> => {
  const named = [env["HOME"], env["USERPROFILE"]].filter(isUsable)
  return named.length > 0 ? named : [systemHome()]
}

export const logFile = ({ state }: Pick<UserDirectories, "state">): string => Path.join(state, "log.jsonl")

/** The older and the current log. Each file may be missing. */
export const logFiles = (directories: Pick<UserDirectories, "state">): readonly [older: string, current: string] => [
  DecisionFile.olderOf(logFile(directories)),
  logFile(directories)
]

export const modelsFolder = ({ state }: Pick<UserDirectories, "state">): string => Path.join(state, "models")

export const ofProject = (
  { state }: Pick<UserDirectories, "state">,
  { ending, folder, root }: { readonly folder: string; readonly root: string; readonly ending: string }
): string => {
  const name = Path.basename(root)
    .replaceAll(/[^A-Za-z0-9_-]/g, "_")
    .slice(0, 40)
  return Path.join(state, folder, `${name}-${Checksum.ofText(root)}${ending}`)
}

export const make = (env: Env): UserDirectories => {
  const [home = ""] = homes(env)
  return {
    config: base(env, "XDG_CONFIG_HOME", Path.join(home, ".config")),
    state: base(env, "XDG_STATE_HOME", Path.join(home, ".local", "state")),
    cache: base(env, "XDG_CACHE_HOME", Path.join(home, ".cache")),
    data: base(env, "XDG_DATA_HOME", Path.join(home, ".local", "share"))
  }
}
