/** The configuration of a hook process, cached until a source changes, because parsing the sources is slow. */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import { messageOf } from "@reflexion/core/internal/base/text/Text"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as Checksum from "../places/Checksum.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"
import type { ConfigSources, EffectiveConfig } from "./ConfigSources.ts"
import * as Marks from "./Marks.ts"
import * as TakenFile from "./TakenFile.ts"
import * as Trust from "./Trust.ts"

export type { EffectiveConfig } from "./ConfigSources.ts"

/** For `host` and `own`, see `ConfigSources`. */
export interface Options extends Pick<ConfigSources, "host" | "own"> {
  readonly directories: UserDirectories
  readonly env: Readonly<Record<string, string | undefined>>
  readonly root: string
  readonly build: string
  /** Called only if there is at least one source and the result is not cached. */
  readonly settle: (sources: ConfigSources) => EffectiveConfig
}

const names = ["REFLEXION_PROFILE", "REFLEXION_ATTENDED", "REFLEXION_MAX_ATTEMPTS", "REFLEXION_MODEL"]

const gather = ({ directories, env, host = {}, own = null, root }: Options): ConfigSources => {
  const file = Path.join(directories.config, "config.json")
  const text = PlainFiles.read(file, { follow: true })
  return {
    user: text === null ? null : { file, text },
    workspace: Trust.Workspace.at(directories, root),
    env: Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []))),
    host,
    own,
    taken: TakenFile.read(directories, root)
  }
}

/** True if there is no source. Throws if a project's file may not be read. */
const isSilent = ({ env, host, taken, user, workspace }: ConfigSources): boolean =>
  user === null &&
  taken === null &&
  Object.keys({ ...env, ...host }).length === 0 &&
  (workspace?.configuration ?? null) === null

/** The key includes the trusted fingerprint. So a result for trusted files is never reused for untrusted files. */
const keyOf = (build: string, { env, host, own, taken, user, workspace }: ConfigSources): string =>
  Checksum.sha256(JSON.stringify([build, env, host, user, workspace?.configuration, taken, own]))

const isSettled = (value: unknown): value is EffectiveConfig =>
  typeof value === "object" && value !== null && "problem" in value && "config" in value && value.config !== undefined

const maxKept = 64

const keep = (file: string, settled: EffectiveConfig): void => {
  PlainFiles.write(file, JSON.stringify(settled))
  const folder = Path.dirname(file)
  const others = FS.readdirSync(folder).filter((name) => name !== Path.basename(file))
  if (others.length >= maxKept) for (const name of others) FS.rmSync(Path.join(folder, name), { force: true })
}

/** Null after an error. An error of the cache costs time, but changes no result. */
const attempt = <A>(run: () => A): A | null => {
  try {
    return run()
  } catch {
    return null
  }
}

const settled = (options: Options): EffectiveConfig => {
  const { build, directories, own = null, settle } = options
  const sources = gather(options)
  if (isSilent(sources))
    return {
      config: own === null ? ReflexionConfig.defaults : { ...ReflexionConfig.defaults, model: own },
      problem: null
    }
  const file = Path.join(directories.cache, "config", `${keyOf(build, sources)}.json`)
  const known: unknown = attempt(() => JSON.parse(PlainFiles.read(file) ?? "null"))
  if (isSettled(known)) return known
  const found = settle(sources)
  attempt(() => keep(file, found))
  return found
}

/** Loads the configuration and lowers the levels of marked rules. Never throws: a read error becomes `problem`. */
export const load = (options: Options): EffectiveConfig => {
  try {
    const { config, problem } = settled(options)
    return { config: Marks.limit(config, Marks.lowered(Marks.read(options.directories, options.root).marks)), problem }
  } catch (cause) {
    return { config: ReflexionConfig.defaults, problem: messageOf(cause) }
  }
}
