/** What the working copy shows: its scripts, commands, test folders, instructions and branch. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { type Commands, commands } from "./Commands.ts"
import * as Found from "./Files.ts"
import { type InstructedGate, instructedGates, protectsDefault } from "./Instructions.ts"
import * as Load from "./Load.ts"
import * as Manifests from "./Manifests.ts"
import * as Recipes from "./Recipes.ts"
import { empty as noScripts } from "../shell/Scripts.ts"
import type { Scripts } from "../shell/model.ts"

export type { FileAnswer, FileRequest, FileStat } from "./Files.ts"
export type { InstructedGate } from "./Instructions.ts"
export type { Scripts } from "../shell/model.ts"

/**
 * What is known about a working copy.
 *
 * @category models
 */
export interface RepoSignals extends Commands {
  readonly scripts: Scripts
  readonly testFolders: ReadonlyArray<string>
  readonly protectsDefault: boolean
  readonly instructedGates: ReadonlyArray<InstructedGate>
  /** True if git has a remote. Null if git's configuration was not read, as in a linked work tree. */
  readonly remote: boolean | null
  readonly ciFiles: boolean
  /** The paths that git ignores, as globs in order. A glob after `!` includes a path again. */
  readonly ignored: ReadonlyArray<string>
  readonly defaultBranch: string | null
  readonly branch: string | null
}

/**
 * The signals of an unknown working copy.
 *
 * @category constructors
 */
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
  ignored: [],
  defaultBranch: null,
  branch: null
}

const readScripts = (files: Found.Files): Scripts => ({
  npm: Manifests.npmScripts(Manifests.json(Found.first(files, ["package.json"]))),
  make: Recipes.readMakefile(Found.first(files, Found.makefiles)),
  just: Recipes.readJustfile(Found.first(files, Found.justfiles)),
  mise: Manifests.miseTasks(Manifests.toml(Found.first(files, Found.miseFiles))),
  task: Recipes.readTaskfile(Found.first(files, Found.taskfiles)),
  python: Manifests.pythonTasks(Manifests.toml(Found.first(files, ["pyproject.toml"]))),
  composer: Manifests.composerScripts(Manifests.json(Found.first(files, ["composer.json"]))),
  deno: Manifests.denoTasks(Manifests.json(Found.first(files, Found.denoFiles)))
})

const refOf = (text: string, prefix: string): string | null => {
  const line = text.slice(0, 500).split("\n")[0]?.trim() ?? ""
  const start = `ref: ${prefix}`
  const name = line.startsWith(start) ? line.slice(start.length) : ""
  return /^[\w./@+#-]{1,250}$/.test(name) ? name : null
}

const defaultBranch = (files: Found.Files): string | null => {
  const remote = refOf(Found.first(files, [".git/refs/remotes/origin/HEAD"]), "refs/remotes/origin/")
  const config = Found.first(files, [".git/config"])
  const [known, ...others] = ["main", "master"].filter(
    (name) => Object.hasOwn(files, `.git/refs/heads/${name}`) || config.includes(`[branch "${name}"]`)
  )
  return remote ?? (others.length === 0 ? (known ?? null) : null)
}

const testFolders = (files: Found.Files): ReadonlyArray<string> =>
  Object.keys(files).flatMap((path) =>
    Found.testFolders.has(path.replace(/^.*\/(?=.)|\/$/g, "")) && path.endsWith("/") ? [path.slice(0, -1)] : []
  )

/** If a pattern has no slash inside, it matches a name in any folder. */
const ignored = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(0, 200)
    .map((line) => line.replace(/^(!?)(?!\/)([^/]+\/?)$/, "$1**/$2"))

/**
 * Reads texts, by path relative to the working copy. A folder's path ends in `/`. An unreadable file is ignored.
 *
 * @category constructors
 */
export const fromFiles = (files: Readonly<Record<string, string>>): RepoSignals => {
  const scripts = readScripts(files)
  const told = Found.instructionsIn(files)
  return {
    ...empty,
    ...commands(files, scripts),
    scripts,
    testFolders: testFolders(files),
    protectsDefault: told.some(protectsDefault),
    instructedGates: [...new Set(told.flatMap((text) => instructedGates(text, scripts)))],
    remote: Object.hasOwn(files, ".git/config") ? Found.first(files, [".git/config"]).includes("[remote ") : null,
    ciFiles: Found.ciFiles.some((name) => Object.hasOwn(files, name)),
    ignored: ignored(Found.first(files, [".gitignore"])),
    defaultBranch: defaultBranch(files),
    branch: refOf(Found.first(files, [".git/HEAD"]), "refs/heads/")
  }
}

/**
 * Reads a folder and the root of its repository. Skips files over 256 KB, and links that lead out of the repository.
 * Returns `empty` if the folder does not exist.
 *
 * @category constructors
 */
export const load = (cwd: string): Effect.Effect<RepoSignals, never, FileSystem.FileSystem> =>
  Effect.map(Load.files(cwd), fromFiles)

/**
 * Like `load`, but synchronous. The caller's file system answers each request. Null means that a request failed.
 *
 * @category constructors
 */
export const loadSync = (cwd: string, answer: (request: Found.FileRequest) => Found.FileAnswer): RepoSignals =>
  fromFiles(Found.gatherSync(cwd, answer))
