/** The configuration of the OpenCode plugin: what a hook's is, and the plugin's own options in the host's configuration. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import { parseWithComments } from "@reflexion/core/internal/base/json/JsonText"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as Either from "effect/Either"
import * as Path from "node:path"
import * as UserDirectories from "../places/UserDirectories.ts"
import * as ConfigSources from "./ConfigSources.ts"
import * as OwnModels from "./OwnModels.ts"
import * as Settings from "./Settings.ts"

export interface Options extends Omit<Settings.Options, "settle"> {
  readonly options: unknown
}

/** `byConsent`: no configuration names a model, so the host's own small one may be asked only where the user agreed to it. */
export interface OpenCodeConfig extends Settings.EffectiveConfig {
  readonly byConsent: boolean
}

const own = OwnModels.nameOf("opencode")

const source = "the plugin's options in OpenCode's configuration"

/** Without places: the options are somewhere in a file of the host's. */
const explain = ({ more, problems }: ReflexionConfig.InvalidConfig): string => {
  const shown = problems.map(({ key, problem }) => `${source}: ${key ? `${key}: ` : ""}${problem}`)
  return [...shown, ...(more === 0 ? [] : [`(and ${more} more)`])].join("\n")
}

/** Never throws: what cannot be read or understood is a problem, and then nothing may be nudged. */
export const load = ({ options, ...rest }: Options): OpenCodeConfig =>
  Either.match(ReflexionConfig.parse(JSON.stringify(options ?? {}), { file: source }), {
    onLeft: (error) => ({ config: ReflexionConfig.defaults, problem: explain(error), byConsent: false }),
    onRight: (host) => {
      const given = { ...rest, host, settle: ConfigSources.settle }
      const named = Settings.load(given)
      if (named.problem !== null || named.config.model !== "off") return { ...named, byConsent: false }
      // "off" is somebody's word where it stays although there is one to ask.
      const offered = Settings.load({ ...given, own })
      return { ...offered, byConsent: offered.config.model === own }
    }
  })

type Env = Readonly<Record<string, string | undefined>>

const isPath = (path: string | undefined): path is string => path !== undefined && Path.isAbsolute(path)

const within = (place: string): ReadonlyArray<string> =>
  ["config.json", "opencode.json", "opencode.jsonc"].map((name) => Path.join(place, name))

/** The user's own files of the host in its order: what comes later outranks what comes before. */
const filesOf = (env: Env): ReadonlyArray<string> => {
  const [home = ""] = UserDirectories.homes(env)
  const { OPENCODE_CONFIG: file, OPENCODE_CONFIG_DIR: folder, XDG_CONFIG_HOME: xdg } = env
  return [
    ...within(Path.join(isPath(xdg) ? xdg : Path.join(home, ".config"), "opencode")),
    ...(isPath(file) ? [file] : []),
    ...within(Path.join(home, ".opencode")),
    ...(isPath(folder) ? within(folder) : [])
  ]
}

/** They may be links into where the user keeps such files. */
const textOf = (file: string): string => {
  try {
    return PlainFiles.read(file, { follow: true }) ?? ""
  } catch {
    return ""
  }
}

/** What the user's own files, and no project's, call `small_model`, the weightiest last: a hint, for the host looks farther. */
export const smallModels = (env: Env): ReadonlyArray<string> =>
  [...filesOf(env).map(textOf), env["OPENCODE_CONFIG_CONTENT"] ?? ""].flatMap(
    (text) => Json.string(Json.object(parseWithComments(text))["small_model"]) ?? []
  )
