/** The runners of tests that situations are played with, as far as they are on this machine. */
import { spawnSync } from "node:child_process"
import * as FS from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"

/**
 * `path`: the folders of its programs. Null where the machine does not have it.
 *
 * @category models
 */
export interface Runner {
  readonly name: string
  readonly path: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly isThere: boolean
}

/** What a program prints, null where it does not exist or fails. */
const printed = (program: string, ...words: ReadonlyArray<string>): string | null => {
  const { status, stdout } = spawnSync(program, words, { encoding: "utf8" })
  return status === 0 ? stdout.trim() : null
}

/** Its own folder, and not the one of a version manager's stand-ins, which need the user's home. */
const inFolder = (name: string, folder: string | null, env: Runner["env"] = {}): Runner => ({
  name,
  path: folder === null ? [] : [Path.join(folder, "bin")],
  env,
  isThere: folder !== null
})

const python = (module: string): string | null => printed("python3", "-c", `import sys, ${module}; print(sys.prefix)`)

/** Plugins of this machine may write in the project. */
const quiet = { PYTHONDONTWRITEBYTECODE: "1", PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1" }

const plain = (name: string): Runner => {
  const program = printed("sh", "-c", `command -v ${name}`)
  return { name, path: program === null ? [] : [Path.dirname(program)], env: {}, isThere: program !== null }
}

const modules = fileURLToPath(new URL("../../../../node_modules", import.meta.url))

export const node: Runner = { name: "node:test", path: [], env: {}, isThere: true }

/** Both come with this repository. */
export const vitest: Runner = { ...node, name: "vitest" }
export const tsc: Runner = { ...node, name: "tsc" }

export const pytest = inFolder("pytest", python("pytest"), quiet)
export const unittest = inFolder("unittest", python("unittest"), quiet)
export const cargo = inFolder("cargo", printed("rustc", "--print", "sysroot"), { CARGO_NET_OFFLINE: "true" })
export const make = plain("make")
export const prove = plain("prove")

/** Where a project of `node` finds one that is installed on the machine. */
export const jest = plain("jest")

/**
 * Packages of this repository as the installed ones of a project, each with its program.
 *
 * @category combinators
 */
export const installed =
  (packages: Readonly<Record<string, readonly [program: string, file: string]>>) =>
  (workspace: string): void => {
    const folder = Path.join(workspace, "node_modules")
    FS.mkdirSync(Path.join(folder, ".bin"), { recursive: true })
    for (const [name, [program, file]] of Object.entries(packages)) {
      FS.symlinkSync(Path.join(modules, name), Path.join(folder, name))
      FS.symlinkSync(Path.join("..", name, file), Path.join(folder, ".bin", program))
    }
  }

/**
 * Packages of the project's own among its installed ones, by their folders.
 *
 * @category combinators
 */
export const linked =
  (packages: Readonly<Record<string, string>>) =>
  (workspace: string): void => {
    for (const [name, folder] of Object.entries(packages)) {
      const link = Path.join(workspace, "node_modules", name)
      FS.mkdirSync(Path.dirname(link), { recursive: true })
      FS.symlinkSync(Path.relative(Path.dirname(link), Path.join(workspace, folder)), link)
    }
  }
