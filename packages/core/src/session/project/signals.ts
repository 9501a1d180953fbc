import { instructedGates, protectsDefault } from "./instructions.ts"
import * as manifests from "./manifests.ts"
import { commands } from "./RepoCommands.ts"
import { readJustfile, readMakefile, readTaskfile } from "./taskFiles.ts"
import * as repoFiles from "./repoFiles.ts"
import { empty as noScripts } from "../shell/Scripts.ts"
import type { InstructedGate, RepoSignals } from "./model.ts"
import type { Scripts } from "../shell/model.ts"

export type Files = Readonly<Record<string, string>>

export const empty: RepoSignals = {
  scripts: noScripts,
  testCommand: null,
  buildCommand: null,
  lintCommand: null,
  typecheckCommand: null,
  commandFiles: {},
  testFolders: [],
  covers: [],
  protectsDefault: false,
  instructedGates: [],
  remote: null,
  ciFiles: false,
  defaultBranch: null,
  branch: null
}

const maxFile = 262_144

const first = (files: Files, ...names: ReadonlyArray<string>): string => {
  for (const name of names) {
    const text = Object.hasOwn(files, name) ? files[name] : undefined
    if (text !== undefined) return text.length > maxFile ? "" : text
  }
  return ""
}

const makefiles = ["GNUmakefile", "makefile", "Makefile"]
const justfiles = ["justfile", "Justfile", ".justfile"]
const miseFiles = ["mise.toml", ".mise.toml", "mise/config.toml", ".config/mise.toml", ".config/mise/config.toml"]
const taskFolders = ["mise-tasks/", ".mise-tasks/", "mise/tasks/", ".mise/tasks/", ".config/mise/tasks/"]

/** Tasks that are files of their own: their folder's path is the task's name. */
const fileTasks = (files: Files): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const [path, text] of Object.entries(files)) {
    const folder = taskFolders.find((name) => path.startsWith(name))
    if (folder === undefined || path.endsWith("/")) continue
    const name = path
      .slice(folder.length)
      .replaceAll("/", ":")
      .replace(/\.\w{1,6}$/, "")
    if (name !== "" && name !== "__proto__") found[name] = text.slice(0, 16_000)
  }
  return found
}

const readScripts = (files: Files): Scripts => {
  let mise: Record<string, string> = fileTasks(files)
  for (const name of miseFiles) {
    mise = { ...mise, ...manifests.miseTasks(manifests.at(manifests.toml(first(files, name)), "tasks")) }
  }
  return {
    npm: manifests.plainScripts(manifests.at(manifests.json(first(files, "package.json")), "scripts")),
    make: readMakefile(first(files, ...makefiles)),
    just: readJustfile(first(files, ...justfiles)),
    mise,
    task: readTaskfile(first(files, ...repoFiles.taskfiles)),
    python: manifests.pythonScripts(manifests.toml(first(files, "pyproject.toml"))),
    composer: manifests.composerScripts(manifests.at(manifests.json(first(files, "composer.json")), "scripts")),
    deno: manifests.denoTasks(manifests.at(manifests.json(first(files, "deno.json", "deno.jsonc")), "tasks"))
  }
}

const refOf = (text: string, prefix: string): string | null => {
  const line = text.slice(0, 500).split("\n")[0]?.trim() ?? ""
  const start = `ref: ${prefix}`
  const name = line.startsWith(start) ? line.slice(start.length) : ""
  return /^[\w./@+#-]{1,250}$/.test(name) ? name : null
}

const defaultBranch = (files: Files): string | null => {
  const remote = refOf(first(files, ".git/refs/remotes/origin/HEAD"), "refs/remotes/origin/")
  if (remote !== null) return remote
  const config = first(files, ".git/config")
  const known = ["main", "master"].filter(
    (name) => Object.hasOwn(files, `.git/refs/heads/${name}`) || config.includes(`[branch "${name}"]`)
  )
  return known.length === 1 ? (known[0] ?? null) : null
}

const strings = (value: unknown): ReadonlyArray<string> => manifests.strings(value).filter((one) => one.length < 200)

const testFolders = (files: Files): ReadonlyArray<string> => {
  const listed = Object.keys(files).flatMap((path) => {
    const folder = path.endsWith("/") ? path.slice(0, -1) : ""
    return repoFiles.testFolders.has(folder.slice(folder.lastIndexOf("/") + 1)) ? [folder] : []
  })
  const project = manifests.toml(first(files, "pyproject.toml"))
  const declared = strings(manifests.at(project, "tool", "pytest", "ini_options", "testpaths"))
  const roots = strings(manifests.at(manifests.json(first(files, "package.json")), "jest", "roots"))
  const own = roots.map((root) => root.replace("<rootDir>/", "")).filter((root) => repoFiles.testFolders.has(root))
  return [...new Set([...listed, ...declared, ...own])].toSorted()
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const isInstruction = (name: string): boolean => name === "copilot-instructions.md" || repoFiles.instructions.has(name)

const instructed = (files: Files, scripts: Scripts): ReadonlyArray<InstructedGate> => {
  const found = new Set<InstructedGate>()
  for (const [path, text] of Object.entries(files)) {
    if (text.length > maxFile || !isInstruction(nameOf(path))) continue
    for (const gate of instructedGates(text, scripts)) found.add(gate)
  }
  return [...found]
}

export const fromFiles = (files: Files): RepoSignals => {
  const scripts = readScripts(files)
  return {
    ...empty,
    ...commands(files, scripts),
    scripts,
    testFolders: testFolders(files),
    protectsDefault: Object.entries(files).some(
      ([path, text]) => text.length <= maxFile && isInstruction(nameOf(path)) && protectsDefault(text)
    ),
    instructedGates: instructed(files, scripts),
    remote: Object.hasOwn(files, ".git/config") ? first(files, ".git/config").includes("[remote ") : null,
    ciFiles: repoFiles.ciFiles.some((name) => Object.hasOwn(files, name)),
    defaultBranch: defaultBranch(files),
    branch: refOf(first(files, ".git/HEAD"), "refs/heads/")
  }
}
