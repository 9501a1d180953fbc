/**
 * Claude Code's settings as they are in force: of one that stands in several files, the value of the first file counts, as
 * 2.1.330 was seen to do.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Option from "effect/Option"
import { join } from "node:path"
import * as FileChange from "../install/FileChange.ts"
import type { Places, Where } from "../host/HookHosts.ts"
import * as JsonEdit from "../install/JsonEdit.ts"

/** An administrator's, which holds before all others; by Claude Code's documentation. */
const managed: Readonly<Record<string, string>> = {
  darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
  linux: "/etc/claude-code/managed-settings.json",
  win32: "C:\\Program Files\\ClaudeCode\\managed-settings.json"
}

const textOf = Option.liftThrowable((file: string) => FileChange.find(file, null).text ?? "")

const json = (places: Places): ReadonlyArray<string> =>
  places.flatMap(([kind, file]) => (kind === "json" ? [file] : []))

/**
 * The files that have a say in a project, the first before the others: `user` and `local` are those that an installation
 * changes.
 *
 * @category accessors
 */
export const files = (where: Where, user: Places, local: Places): ReadonlyArray<string> => {
  const first = managed[process.platform]
  return [
    ...new Set([
      ...(first === undefined ? [] : [first]),
      ...json(local),
      join(where.root, ".claude", "settings.json"),
      ...json(user)
    ])
  ]
}

/**
 * Whether it is there and Claude Code reads none of it, and says nothing.
 *
 * @category predicates
 */
export const isIgnored = (file: string): boolean => Option.exists(textOf(file), (text) => !JsonEdit.isPlain(text))

/**
 * A setting that is yes or no, with the file that decides; null where none says it.
 *
 * @category models
 */
export interface Decided {
  readonly value: boolean
  readonly file: string
}

const valueIn = (file: string): Json.Json =>
  Option.getOrElse(
    Option.map(textOf(file), (text) => (JsonEdit.isPlain(text) ? Json.object(JsonEdit.valueOf(text)) : {})),
    () => ({})
  )

const first = (files: ReadonlyArray<string>, read: (settings: Json.Json) => unknown): Decided | null =>
  files.flatMap((file): ReadonlyArray<Decided> => {
    const value = read(valueIn(file))
    return typeof value === "boolean" ? [{ value, file }] : []
  })[0] ?? null

/**
 * Whether hooks are turned off.
 *
 * @category reading
 */
export const hooksOff = (files: ReadonlyArray<string>): Decided | null =>
  first(files, (settings) => settings["disableAllHooks"])

/**
 * Whether the plugin is turned on or off, whatever marketplace it is from.
 *
 * @category reading
 */
export const plugin = (files: ReadonlyArray<string>): Decided | null =>
  first(files, (settings) => {
    const plugins = Json.object(settings["enabledPlugins"])
    return Object.entries(plugins).find(([name]) => name.startsWith("reflexion@"))?.[1]
  })

/**
 * Which version of the plugin Claude Code has, null where it has none.
 *
 * @category reading
 */
export const pluginVersion = (folder: string): string | null => {
  const known = Json.object(valueIn(join(folder, "plugins", "installed_plugins.json"))["plugins"])
  const entries = Object.entries(known).flatMap(([name, list]) =>
    name.startsWith("reflexion@") && Array.isArray(list) ? list.map((one: unknown) => Json.object(one)) : []
  )
  const versions = entries.flatMap(({ version }) => (typeof version === "string" ? [version] : []))
  return versions.at(-1) ?? null
}
