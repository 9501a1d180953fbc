/** Where reflexion keeps what is the user's own: by the XDG base directories, with the usual places where they are unset. */
import * as DecisionFile from "@reflexion/core/internal/review/records/DecisionFile"
import * as OS from "node:os"
import * as Path from "node:path"
import * as Checksum from "./Checksum.ts"

/** Absolute paths. `data` has installed hook bundles, `cache` compiled code. */
export interface UserDirectories {
  readonly config: string
  readonly state: string
  readonly cache: string
  readonly data: string
}

type Env = Readonly<Record<string, string | undefined>>

/** The specification: a relative path in one of these variables is to be ignored. */
const base = (env: Env, name: string, fallback: string): string => {
  const given = env[name]
  return Path.join(given !== undefined && Path.isAbsolute(given) ? given : fallback, "reflexion")
}

const isUsable = (path: string | undefined): path is string => path !== undefined && Path.isAbsolute(path)

/** A user without a home has no place for a state either: what is written there fails, and nothing is nudged. */
const systemHome = (): string => {
  try {
    return OS.userInfo().homedir
  } catch {
    return Path.join(Path.parse(process.cwd()).root, "nonexistent")
  }
}

/** The user's home directories: one for each variable that names one, where they differ, else the system's. */
export const homes = (env: Env): ReadonlyArray<string> => {
  const named = [env["HOME"], env["USERPROFILE"]].filter(isUsable)
  return named.length > 0 ? named : [systemHome()]
}

export const logFile = ({ state }: Pick<UserDirectories, "state">): string => Path.join(state, "log.jsonl")

/** With the older one before it; either may be absent. */
export const logFiles = (directories: Pick<UserDirectories, "state">): readonly [older: string, current: string] => [
  DecisionFile.olderOf(logFile(directories)),
  logFile(directories)
]

/** Where the questions to models lie, with the day's tokens. */
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
