/** Reads the settings that Claude Code uses. The first file with a setting counts, as observed with 2.1.330. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Payment from "@reflexion/core/internal/session/host/Payment"
import type { Look, DoctorFacts, LookFinding, Places, HostPlace } from "@reflexion/core/internal/session/host/Host"
import * as Option from "effect/Option"
import { dirname, join } from "node:path"
import { managed } from "../ClaudeCodePayment.ts"

const parsed = Option.liftThrowable((text: string): unknown =>
  text.trim() === "" ? {} : JSON.parse(text.replace(/^\uFEFF/u, ""))
)

const jsonOf = (places: Places): ReadonlyArray<string> =>
  places.flatMap(([kind, file]) => (kind === "json" ? [file] : []))

/** The file with the highest priority comes first. */
const filesOf = (where: HostPlace, user: Places, local: Places): ReadonlyArray<string> => [
  ...new Set([managed, ...jsonOf(local), join(where.root, ".claude", "settings.json"), ...jsonOf(user)])
]

const textOf = Option.liftThrowable((file: string) => Payment.textOf(file) ?? "")

/** Claude Code silently ignores a file that is not plain JSON. */
const isIgnored = (file: string): boolean => Option.exists(textOf(file), (text) => Option.isNone(parsed(text)))

const valueIn = (file: string): Json.Json => Json.object(Option.getOrNull(Option.flatMap(textOf(file), parsed)))

const decided = (files: ReadonlyArray<string>, read: (settings: Json.Json) => unknown) =>
  files.flatMap((file) => {
    const value = read(valueIn(file))
    return typeof value === "boolean" ? [{ value, file }] : []
  })[0] ?? null

const isPlugin = (name: string): boolean => name.startsWith("reflexion@")

/** The plugin may come from any marketplace. */
const pluginIn = (files: ReadonlyArray<string>) =>
  decided(
    files,
    (settings) => Object.entries(Json.object(settings["enabledPlugins"])).find(([name]) => isPlugin(name))?.[1]
  )

const pluginVersion = (folder: string): string | null => {
  const known = Json.object(valueIn(join(folder, "plugins", "installed_plugins.json"))["plugins"])
  const versions = Object.entries(known).flatMap(([name, list]) =>
    isPlugin(name) ? Json.list(list).flatMap((one) => Json.string(Json.object(one)["version"]) ?? []) : []
  )
  return versions.at(-1) ?? null
}

/** `install` does not handle a plugin that Claude Code installed itself. */
const pluginFindings = (
  { has, shown, version }: DoctorFacts,
  files: ReadonlyArray<string>,
  folder: string
): ReadonlyArray<LookFinding> => {
  const found = pluginIn(files)
  if (found === null) return []
  const file = shown(found.file)
  if (!found.value) return [{ level: "plain", term: "plugin", text: `${file} turns the plugin off` }]
  const own = pluginVersion(folder)
  const both = has.hooks ? ", and hooks are installed too: each stop is decided once" : ""
  const text = `reflexion ${own ?? "of an unknown version"}, installed with \`claude plugin\`, turned on in ${file}${both}`
  const isOld = own !== null && own !== version
  const update = `the plugin is reflexion ${own}, but this is reflexion ${version}: run \`claude plugin update reflexion@reflexion\``
  return [
    { level: "good", term: "plugin", text },
    ...(isOld ? [{ level: "needed", term: "version", text: update } as const] : [])
  ]
}

const needed = (term: string, text: string): LookFinding => ({ level: "needed", term, text })

const unknownCommand = "Claude Code does not know the command: run `reflexion install claude-code`"

/** `user` and `local` are the places of an installation. */
export const look = (looked: DoctorFacts, user: Places, local: Places): Look => {
  const { has, shown, where } = looked
  const files = filesOf(where, user, local)
  const off = decided(files, (settings) => settings["disableAllHooks"])
  return {
    itself: pluginFindings(looked, files, dirname(user[0]?.[1] ?? "")),
    more: [
      ...files
        .filter(isIgnored)
        .map((file) =>
          needed(
            "settings",
            `${shown(file)} is not plain JSON (it has comments or trailing commas): Claude Code ignores the whole file`
          )
        ),
      ...(off?.value === true ? [needed("turned off", `${shown(off.file)} says "disableAllHooks": true`)] : []),
      ...(has.command || pluginIn(files)?.value === true ? [] : [needed("/reflection", unknownCommand)])
    ]
  }
}
