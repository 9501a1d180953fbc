/** The folder in a project that holds the records. Git ignores the records. */
import * as FS from "node:fs"
import * as Path from "node:path"
import { isPresent, write } from "./PlainFiles.ts"

/**
 * The name of the folder. The folder lies below the first project root of the session.
 *
 * @category constants
 */
export const directory = ".reflection"

/**
 * The content of the folder's `.gitignore`. Git keeps the configuration. It ignores the records and this file.
 *
 * @category constants
 */
export const gitignore = `# Records of reflexion. Only the project's configuration belongs in the repository.
*
!config.json
`

/** Makes git ignore the folder. An existing `.gitignore` does not change. */
export const ignore = (folder: string): void => {
  try {
    FS.writeFileSync(Path.join(folder, ".gitignore"), gitignore, { flag: "wx", mode: 0o644 })
  } catch (cause) {
    if (!isPresent(cause)) throw cause
  }
}

/**
 * Makes a folder if it does not exist, and returns it. It never makes the parent folder, because that may have been
 * removed on purpose. Throws if the path is not a folder or is a symbolic link.
 */
export const plain = (folder: string): string => {
  // There is no check before this, because another session of the workspace may make the folder at the same time.
  try {
    FS.mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    if (!isPresent(cause)) throw cause
  }
  if (!FS.lstatSync(folder).isDirectory()) throw new Error(`${folder} is not a folder, or is a symbolic link`)
  return folder
}

/**
 * Makes the record folder of a workspace, and makes git ignore it. A workspace is not trusted, so nothing is written
 * through a link.
 */
export const make = (root: string): string => {
  const folder = plain(Path.join(root, directory))
  ignore(folder)
  return folder
}

/**
 * Writes the output of a check to a file, so that the agent can read more of it. Returns the path relative to the root.
 */
export const writeLog = (root: string, name: string, text: string): string => {
  const file = `check_${name}.log`
  write(Path.join(make(root), file), text)
  return `${directory}/${file}`
}
