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

/** A folder `.git` with nothing in it makes no working copy: Codex's sandbox leaves one in `/tmp` when it is killed. */
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

/** The path without symbolic links; of one that is not there, as much of it as is. */
export const real = (path: string): string => {
  const whole = Path.resolve(path)
  try {
    return FS.realpathSync(whole)
  } catch {
    const parent = Path.dirname(whole)
    return parent === whole ? whole : Path.join(real(parent), Path.basename(whole))
  }
}

/** Whether a folder is there and a project's: the home directory and the root of the disk are in none, unless under git. */
export const isWorkspace = (root: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  isWorkingCopy(root) ||
  (FS.existsSync(root) && ![Path.parse(root).root, ...UserDirectories.homes(env).map(real)].includes(root))

/** Whether a path is a folder or leads into it, by either of its names. */
export const isInside = (folder: string, path: string): boolean =>
  [path, real(path)].some((one) =>
    [folder, real(folder)].some((parent) => {
      const steps = Path.relative(parent, one)
      return steps !== ".." && !steps.startsWith(`..${Path.sep}`) && !Path.isAbsolute(steps)
    })
  )
