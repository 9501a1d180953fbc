/** Reads the scripts in manifests: package.json, composer.json, deno.json, pyproject.toml and the files of mise. */
import { parse as parseToml } from "smol-toml"
import * as Json from "../../base/json/Json.ts"
import { parseWithComments } from "../../base/json/JsonText.ts"

export const at = (table: unknown, ...path: ReadonlyArray<string>): unknown => {
  let value = table
  for (const key of path) {
    if (!Json.isObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

/** A damaged file counts as empty. */
export const json: (text: string) => unknown = parseWithComments

/** Does not use `Option`, because a hook would then have to load Effect. */
export const toml = (text: string): unknown => {
  try {
    return parseToml(text)
  } catch {
    return undefined
  }
}

export const strings = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === "string")

type Bodies = Record<string, string>

const scripts = (table: unknown, linesOf: (script: unknown) => ReadonlyArray<string>): Bodies => {
  const found: Bodies = {}
  for (const [name, script] of Json.isObject(table) ? Object.entries(table).slice(0, 500) : []) {
    const lines = linesOf(script)
    if (name !== "__proto__" && lines.length > 0) found[name] = lines.join("\n").slice(0, 8_000)
  }
  return found
}

export const npmScripts = (manifest: unknown): Bodies =>
  scripts(at(manifest, "scripts"), (script) => (typeof script === "string" ? [script] : []))

/** `@test` is another script. `@php` is the interpreter. */
export const composerScripts = (manifest: unknown): Bodies =>
  scripts(at(manifest, "scripts"), (script) =>
    strings(script).map((line) => line.replace(/^@(?=(?:php|composer)\b)/, "").replace(/^@/, "composer run "))
  )

/** A task is a command, or has the command under one of these names. `call` is the command that runs another task. */
const taskOf =
  (call: string) =>
  (task: unknown): ReadonlyArray<string> => {
    if (!Json.isObject(task)) return strings(task)
    const others = (...names: ReadonlyArray<string>) =>
      names.flatMap((name) => strings(task[name])).map((one) => `${call} ${one}`)
    const own = ["command", "run", "cmd", "shell"].flatMap((name) => strings(task[name]))
    return [...others("depends", "depends-on", "depends_on", "deps"), ...own, ...others("depends_post")]
  }

export const denoTasks = (manifest: unknown): Bodies => scripts(at(manifest, "tasks"), taskOf("deno task"))

export const miseTasks = (manifest: unknown): Bodies => scripts(at(manifest, "tasks"), taskOf("mise run"))

const pythonTools: ReadonlyArray<readonly [call: string, ...path: ReadonlyArray<string>]> = [
  ["poe", "poe", "tasks"],
  ["pdm run", "pdm", "scripts"],
  ["rye run", "rye", "scripts"],
  ["pixi run", "pixi", "tasks"],
  ["hatch run", "hatch", "envs", "default", "scripts"]
]

export const pythonCall = (project: unknown): string =>
  pythonTools.find(([, ...path]) => at(project, "tool", ...path) !== undefined)?.[0] ?? "pdm run"

export const pythonTasks = (project: unknown): Bodies => {
  let found: Bodies = {}
  for (const [call, ...path] of pythonTools) {
    const tasks = scripts(at(project, "tool", ...path), (task) =>
      // A list contains the names of other tasks. For Hatch, the list contains commands.
      Array.isArray(task) && call !== "hatch run"
        ? strings(task).map((one) => (one.includes(" ") ? one : `${call} ${one}`))
        : taskOf(call)(task)
    )
    found = { ...tasks, ...found }
  }
  return found
}
