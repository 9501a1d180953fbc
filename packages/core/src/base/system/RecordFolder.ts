/** The folder in a project that holds the records. Git ignores the records. */
import * as FS from "node:fs"
import * as Path from "node:path"
import { isPresent, write } from "./PlainFiles.ts"

/**
 * The name of the folder below the first project root of the session.
 *
 * @category constants
 */
export const directory = ".reflection"

/**
 * The content of the folder's `.gitignore`. Git keeps the configuration, and ignores the records and this file.
 *
 * @category constants
 */
export const gitignore = `# Records of reflexion. Only the project's configuration belongs in the repository.
*
!config.json
`

/** An existing `.gitignore` does not change. */
export const ignore = (folder: string): void => {
  try {
    FS.writeFileSync(Path.join(folder, ".gitignore"), gitignore, { flag: "wx", mode: 0o644 })
  } catch (cause) {
    if (!isPresent(cause)) throw cause
  }
}

/**
 * Makes a folder, but never its parent, which may have been removed on purpose. Throws if the path is not a folder or
 * is a symbolic link.
 */
export const plain = (folder: string): string => {
  // There is no check first, because another session of the workspace may make the folder at the same time.
  try {
    FS.mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    if (!isPresent(cause)) throw cause
  }
  if (!FS.lstatSync(folder).isDirectory()) throw new Error(`${folder} is not a folder, or is a symbolic link`)
  return folder
}

/** A workspace is not trusted, so nothing is written through a link. */
export const make = (root: string): string => {
  const folder = plain(Path.join(root, directory))
  ignore(folder)
  return folder
}

/** Lets the agent read more of a check's output. Returns the path relative to the root. */
export const writeLog = (root: string, name: string, text: string): string => {
  const file = `check_${name}.log`
  write(Path.join(make(root), file), text)
  return `${directory}/${file}`
}
