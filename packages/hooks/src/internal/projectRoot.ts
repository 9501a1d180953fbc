/** The root of a session's project. */
import * as FS from "node:fs"
import * as Path from "node:path"

/** The nearest folder upwards that has `.git`, else the folder itself; without symbolic links where it exists. */
export const of = (directory: string): string => {
  const start = real(directory)
  for (let folder = start; ; folder = Path.dirname(folder)) {
    if (FS.existsSync(Path.join(folder, ".git"))) return folder
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
