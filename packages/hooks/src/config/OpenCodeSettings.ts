/** The configuration of the OpenCode plugin: a hook's sources, and the plugin's options in OpenCode's configuration. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import { parseWithComments } from "@reflexion/core/internal/base/json/JsonText"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import { openCode, type Program, variable } from "@reflexion/opencode/internal/decoder/Program"
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

export interface OpenCodeConfig extends Settings.EffectiveConfig {
  /** True if no configuration names a model. Then the host's own small model may be asked only if the user agreed. */
  readonly byConsent: boolean
}

const own = OwnModels.nameOf("opencode")

const source = "the plugin's options in OpenCode's configuration"

/** The message has no line numbers, because the options can be in any of the host's files. */
const explain = ({ more, problems }: ReflexionConfig.InvalidConfig): string => {
  const shown = problems.map(({ key, problem }) => `${source}: ${key ? `${key}: ` : ""}${problem}`)
  return [...shown, ...(more === 0 ? [] : [`(and ${more} more)`])].join("\n")
}

/** Never throws. If a source cannot be read or understood, `problem` says why, and no nudge may be sent. */
export const load = ({ options, ...rest }: Options): OpenCodeConfig =>
  Either.match(ReflexionConfig.parse(JSON.stringify(options ?? {}), { file: source }), {
    onLeft: (error) => ({ config: ReflexionConfig.defaults, problem: explain(error), byConsent: false }),
    onRight: (host) => {
      const given = { ...rest, host, settle: ConfigSources.settle }
      const named = Settings.load(given)
      if (named.problem !== null || named.config.model !== "off") return { ...named, byConsent: false }
      // Tries again with the host's small model. If the model is "off" even then, a source says "off".
      const offered = Settings.load({ ...given, own })
      return { ...offered, byConsent: offered.config.model === own }
    }
  })

type Env = Readonly<Record<string, string | undefined>>

const isPath = (path: string | undefined): path is string => path !== undefined && Path.isAbsolute(path)

/** Later files win over earlier ones, as in the host. */
const filesOf = (env: Env, program: Program): ReadonlyArray<string> => {
  const [home = ""] = UserDirectories.homes(env)
  const { folders, name } = program
  const { XDG_CONFIG_HOME: xdg } = env
  const [file, folder] = [variable(program, env, "CONFIG"), variable(program, env, "CONFIG_DIR")]
  const within = (place: string): ReadonlyArray<string> =>
    ["config.json", `${name}.json`, `${name}.jsonc`].map((one) => Path.join(place, one))
  return [
    ...within(Path.join(isPath(xdg) ? xdg : Path.join(home, ".config"), name)),
    ...(isPath(file) ? [file] : []),
    ...folders.flatMap((one) => within(Path.join(home, one))),
    ...(isPath(folder) ? within(folder) : [])
  ]
}

/** Links are followed: users often keep such files elsewhere. */
const textOf = (file: string): string => {
  try {
    return PlainFiles.read(file, { follow: true }) ?? ""
  } catch {
    return ""
  }
}

/** The last value wins. A project's files do not count. This is a hint, because the host also reads other files. */
export const smallModels = (env: Env, program = openCode): ReadonlyArray<string> =>
  [...filesOf(env, program).map(textOf), variable(program, env, "CONFIG_CONTENT") ?? ""].flatMap(
    (text) => Json.string(Json.object(parseWithComments(text))["small_model"]) ?? []
  )
