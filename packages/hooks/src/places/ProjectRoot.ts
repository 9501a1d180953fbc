/** The root of a session's project. */
import * as FS from "node:fs"
import * as Path from "node:path"

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
