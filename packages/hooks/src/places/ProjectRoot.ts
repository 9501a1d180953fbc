/** The root of a session's project. */
import * as FS from "node:fs"
import * as Path from "node:path"
import * as UserDirectories from "./UserDirectories.ts"

/** Null for what is not there or cannot be looked at, as a link that leads to itself: git goes by neither. */
const statOf = (path: string): FS.Stats | null => {
  try {
    return FS.statSync(path)
  } catch {
    return null
  }
}

/**
 * Whether a folder is the root of a working copy. A folder `.git` with nothing in it is none, for git as well: Codex's
 * sandbox leaves one in `/tmp` when it is killed, and every project below would be the same one.
 */
export const isWorkingCopy = (folder: string): boolean => {
  const found = statOf(Path.join(folder, ".git"))
  return found !== null && (!found.isDirectory() || FS.existsSync(Path.join(folder, ".git", "HEAD")))
}

/** Why a link leads nowhere, null for one that leads somewhere and for what is no link. */
const brokenBy = (path: string): unknown => {
  try {
    if (FS.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) FS.statSync(path)
    return null
  } catch (cause) {
    return typeof cause === "object" && cause !== null && "code" in cause ? cause.code : null
  }
}

const troubles: Readonly<Record<string, string>> = {
  ELOOP: "its symbolic links lead in a circle",
  ENOENT: "it is a symbolic link that leads to nothing",
  EACCES: "what it leads to may not be read"
}

/**
 * A `.git` on the way to the root that cannot be looked at, so that its folder is no project for git and for nobody; null where
 * there is none.
 */
export const problemOf = (directory: string): string | null => {
  const [start, end] = [real(directory), of(directory)]
  for (let folder = start; ; folder = Path.dirname(folder)) {
    const dotGit = Path.join(folder, ".git")
    const code = brokenBy(dotGit)
    if (code !== null)
      return `${dotGit}: ${troubles[String(code)] ?? String(code)}, so ${folder} is no project: remove it, then \`git init\``
    // Where none was found, all the way up was looked at.
    if (folder === Path.dirname(folder) || (folder === end && isWorkingCopy(end))) return null
  }
}

/** The nearest working copy upwards, else the folder itself; without symbolic links where it exists. */
export const of = (directory: string): string => {
  const start = real(directory)
  for (let folder = start; ; folder = Path.dirname(folder)) {
    if (isWorkingCopy(folder)) return folder
    if (folder === Path.dirname(folder)) return start
  }
}

/** The path without symbolic links, where it exists. */
export const real = (path: string): string => {
  try {
    return FS.realpathSync(path)
  } catch {
    return Path.resolve(path)
  }
}

/** Whether a folder is there and a project's: the home directory and the root of the disk are in none, unless under git. */
export const isWorkspace = (root: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  isWorkingCopy(root) ||
  (FS.existsSync(root) && ![Path.parse(root).root, ...UserDirectories.homes(env).map(real)].includes(root))
