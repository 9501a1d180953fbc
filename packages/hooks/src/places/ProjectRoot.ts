/** Finds the root of a session's project. */
import * as FS from "node:fs"
import * as Path from "node:path"
import * as UserDirectories from "./UserDirectories.ts"

/** Null if the path does not exist or cannot be read. An example is a link to itself. Git ignores such paths too. */
const statOf = (path: string): FS.Stats | null => {
  try {
    return FS.statSync(path)
  } catch {
    return null
  }
}

/** An empty `.git` does not make a working copy. Codex's sandbox leaves one in `/tmp` when it is killed. */
export const isWorkingCopy = (folder: string): boolean => {
  const found = statOf(Path.join(folder, ".git"))
  return found !== null && (!found.isDirectory() || FS.existsSync(Path.join(folder, ".git", "HEAD")))
}

/** The nearest working copy upwards, or else the folder itself. Symbolic links are resolved. */
export const of = (directory: string): string => {
  const start = real(directory)
  for (let folder = start; ; folder = Path.dirname(folder)) {
    if (isWorkingCopy(folder)) return folder
    if (folder === Path.dirname(folder)) return start
  }
}

/** If the path does not exist, its existing part is resolved. */
export const real = (path: string): string => {
  const whole = Path.resolve(path)
  try {
    return FS.realpathSync(whole)
  } catch {
    const parent = Path.dirname(whole)
    return parent === whole ? whole : Path.join(real(parent), Path.basename(whole))
  }
}

/** The home directory and the root of the disk can be a project only if they are working copies. */
export const isWorkspace = (root: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  isWorkingCopy(root) ||
  (FS.existsSync(root) && ![Path.parse(root).root, ...UserDirectories.homes(env).map(real)].includes(root))

/** Compares the paths twice: as given, and with resolved links. */
export const isInside = (folder: string, path: string): boolean =>
  [path, real(path)].some((one) =>
    [folder, real(folder)].some((parent) => {
      const steps = Path.relative(parent, one)
      return steps !== ".." && !steps.startsWith(`..${Path.sep}`) && !Path.isAbsolute(steps)
    })
  )
