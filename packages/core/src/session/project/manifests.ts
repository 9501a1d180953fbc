import { parse as parseToml } from "smol-toml"
import * as Json from "../../ground/json/Json.ts"
import { parseWithComments } from "../../ground/json/JsonText.ts"

export type Table = Json.Json

export const at = (table: unknown, ...path: ReadonlyArray<string>): unknown => {
  let value = table
  for (const key of path) {
    if (!Json.isObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

/** A broken file is an empty one. */
export const json: (text: string) => unknown = parseWithComments

/** Without `Option`, which would be all that a hook has of Effect. */
export const toml = (text: string): unknown => {
  try {
    return parseToml(text)
  } catch {
    return undefined
  }
}

const maxScript = 8_000

/** What each script runs, by its name. */
type Bodies = Record<string, string>

export const strings = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === "string")

const put = (into: Bodies, name: string, lines: ReadonlyArray<string>): void => {
  if (name !== "__proto__" && lines.length > 0) into[name] = lines.join("\n").slice(0, maxScript)
}

const entries = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  Json.isObject(value) ? Object.entries(value).slice(0, 500) : []

export const plainScripts = (value: unknown): Bodies => {
  const found: Bodies = {}
  for (const [name, script] of entries(value)) if (typeof script === "string") put(found, name, [script])
  return found
}

const composerLine = (script: string) =>
  script
    .replace(/^@php\b/, "php")
    .replace(/^@composer\b/, "composer")
    .replace(/^@([\w:-]{1,80})/, "composer run $1")

/** `composer.json`: `@test` is another script, `@php` the interpreter. */
export const composerScripts = (value: unknown): Bodies => {
  const found: Bodies = {}
  for (const [name, script] of entries(value)) put(found, name, strings(script).map(composerLine))
  return found
}

export const denoTasks = (value: unknown): Bodies => {
  const found: Bodies = {}
  for (const [name, task] of entries(value)) put(found, name, strings(Json.isObject(task) ? task["command"] : task))
  return found
}

export const miseTasks = (value: unknown): Bodies => {
  const found: Bodies = {}
  for (const [name, task] of entries(value)) {
    if (!Json.isObject(task)) put(found, name, strings(task))
    else {
      const depends = strings(task["depends"]).map((dependency) => `mise run ${dependency}`)
      put(found, name, [
        ...depends,
        ...strings(task["run"]),
        ...strings(task["depends_post"]).map((one) => `mise run ${one}`)
      ])
    }
  }
  return found
}

/** A list is a command's words for Rye, commands for Hatch, and names of tasks or commands for the others. */
const taskList = (list: ReadonlyArray<string>, call: string): ReadonlyArray<string> => {
  if (call === "rye run") return [list.join(" ")]
  return call === "hatch run" ? list : list.map((name) => (/\s/.test(name) ? name : `${call} ${name}`))
}

/** A task as poe, PDM, Rye, Hatch, Pixi and taskipy write it. `call` runs another of them. */
const pythonTask = (task: unknown, call: string): ReadonlyArray<string> => {
  if (typeof task === "string") return [task]
  if (Array.isArray(task)) return taskList(strings(task), call)
  if (!Json.isObject(task)) return []
  const before = strings(task["depends-on"] ?? task["depends_on"] ?? task["deps"]).map((name) => `${call} ${name}`)
  const command = task["cmd"] ?? task["shell"] ?? task["interpreter"]
  const own = Array.isArray(command) ? [strings(command).join(" ")] : strings(command)
  const composed = taskList(strings(task["composite"] ?? task["chain"] ?? task["sequence"] ?? task["ref"]), call)
  return [...before, ...own, ...composed]
}

/** Scripts of `pyproject.toml`; a Hatch script also under its environment's name. */
export const pythonScripts = (project: unknown): Bodies => {
  const found: Bodies = {}
  const add = (tasks: unknown, call: string) => {
    for (const [name, task] of entries(tasks)) put(found, name, pythonTask(task, call))
  }
  add(at(project, "tool", "poe", "tasks"), "poe")
  add(at(project, "tool", "pdm", "scripts"), "pdm run")
  add(at(project, "tool", "rye", "scripts"), "rye run")
  add(at(project, "tool", "pixi", "tasks"), "pixi run")
  add(at(project, "tool", "taskipy", "tasks"), "taskipy")
  for (const [environment, settings] of entries(at(project, "tool", "hatch", "envs"))) {
    for (const [name, task] of entries(at(settings, "scripts"))) {
      const lines = pythonTask(task, "hatch run")
      put(found, name, lines)
      put(found, `${environment}:${name}`, lines)
    }
  }
  return found
}
