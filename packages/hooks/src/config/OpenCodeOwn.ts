/**
 * What the user's own files of OpenCode say, apart from a project's: the host hands on all of them as one. Read where it is
 * needed, and as a hint only, for the host looks into more places than these.
 */
import { parseWithComments } from "@reflexion/core/internal/base/json/JsonText"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Path from "node:path"
import * as UserDirectories from "../places/UserDirectories.ts"

type Env = Readonly<Record<string, string | undefined>>

const names = ["config.json", "opencode.json", "opencode.jsonc"]

const isPath = (path: string | undefined): path is string => path !== undefined && Path.isAbsolute(path)

const inFolder = (place: string): ReadonlyArray<string> => names.map((name) => Path.join(place, name))

/** In the host's order: what comes later outranks what comes before. */
const filesOf = (env: Env): ReadonlyArray<string> => {
  const [home = ""] = UserDirectories.homes(env)
  const { OPENCODE_CONFIG: file, OPENCODE_CONFIG_DIR: folder, XDG_CONFIG_HOME: xdg } = env
  return [
    ...inFolder(Path.join(isPath(xdg) ? xdg : Path.join(home, ".config"), "opencode")),
    ...(isPath(file) ? [file] : []),
    ...inFolder(Path.join(home, ".opencode")),
    ...(isPath(folder) ? inFolder(folder) : [])
  ]
}

/** It is the user's own, and may be a link into where they keep such files. */
const textOf = (file: string): string => {
  try {
    return PlainFiles.read(file, { follow: true }) ?? ""
  } catch {
    return ""
  }
}

const contents = (env: Env): ReadonlyArray<Json.Json> =>
  [...filesOf(env).map(textOf), env["OPENCODE_CONFIG_CONTENT"] ?? ""].map((text) =>
    Json.object(parseWithComments(text))
  )

/**
 * What they call `small_model`, the weightiest last.
 *
 * @category reading
 */
export const smallModels = (env: Env): ReadonlyArray<string> =>
  contents(env).flatMap((content) => Json.string(content["small_model"]) ?? [])

/**
 * The models that they name in options of plugins. Which of these are ours need not be known: a project can say nothing
 * there.
 *
 * @category reading
 */
export const pluginModels = (env: Env): ReadonlyArray<string> =>
  contents(env).flatMap((content) =>
    Json.list(content["plugin"]).flatMap((entry) => Json.string(Json.object(Json.list(entry)[1])["model"]) ?? [])
  )
