/** Where the shell looks for programs: behind a folder of somebody's own, `npm` may be anything. */
import type { Scope } from "./model.ts"

/** The last part of folders that programs are installed to, by whatever manager. */
const installs = /(?:^|\/)(?:s?bin|\.bin|Scripts|shims|exe|libexec)\/?$/

/** Folders of the session's own: for scratch, or below the one it works in. */
const near = /^(?:(?:\/private)?\/(?:var\/)?tmp|\/dev\/shm|\$\{?(?:TMPDIR|PWD)\}?|\$\(pwd\))(?:\/|$)|^(?![/~$%]|\w:)./

/** Whether a folder may hold a program that only bears another's name: a project's own, or one for scratch. */
const isOwn = (folder: string): boolean => near.test(folder) && !installs.test(folder.slice(-200))

/** The folders that are looked through before those of the system. */
const before = (path: string): ReadonlyArray<string> =>
  path
    .slice(0, 2000)
    .split(/:?\$\{?PATH\b/)[0]
    ?.split(":") ?? []

/** What stands for the path in the shell's variables. */
export const misleading = (path: string): boolean => before(path).some(isOwn)

const variable = "PATH"

/** Variables in which the search path is known as misleading or not. */
export const withSearchPath = (vars: Map<string, string | null>, path: string): Map<string, string | null> =>
  new Map([...vars, [variable, misleading(path) ? path : null]])

/** Whether programs are looked for where others than those of their names may be. */
export const isMisled = ({ vars }: Scope): boolean => typeof vars.get(variable) === "string"

/** `./fake/npm` is not npm, while `node_modules/.bin/vitest` is vitest. */
export const isOwnProgram = (word: string): boolean => {
  const at = word.lastIndexOf("/")
  return at > 0 && word !== "./nx" && isOwn(word.slice(0, at))
}
