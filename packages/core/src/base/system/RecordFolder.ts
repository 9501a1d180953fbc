/** The folder of a project's own that has the records, and what keeps git from them. */
import * as FS from "node:fs"
import * as Path from "node:path"
import { isPresent, write } from "./PlainFiles.ts"

/**
 * The folder below the session's first project root.
 *
 * @category constants
 */
export const directory = ".reflection"

/**
 * What the folder's `.gitignore` says: git keeps the configuration, and neither the records nor this file itself.
 *
 * @category constants
 */
export const gitignore = `# Records of reflexion. Only the project's configuration belongs in the repository.
*
!config.json
`

/** Has git pass over the folder: one that has a file of its own for that stays as it is. */
export const ignore = (folder: string): void => {
  try {
    FS.writeFileSync(Path.join(folder, ".gitignore"), gitignore, { flag: "wx", mode: 0o644 })
  } catch (cause) {
    if (!isPresent(cause)) throw cause
  }
}

/** A folder that is there then. What is above it is never made: it may have been removed on purpose. */
export const plain = (folder: string): string => {
  // Made without looking first: another session of the workspace may do so meanwhile.
  try {
    FS.mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    if (!isPresent(cause)) throw cause
  }
  if (!FS.lstatSync(folder).isDirectory()) throw new Error(`${folder} is no folder, or a symbolic link`)
  return folder
}

/** The folder for a workspace's files, out of git's sight. A workspace is not trusted: nothing is written through a link. */
export const make = (root: string): string => {
  const folder = plain(Path.join(root, directory))
  ignore(folder)
  return folder
}

/** What a check printed, for the agent to read more of; its place, relative to the root. */
export const writeLog = (root: string, name: string, text: string): string => {
  const file = `check_${name}.log`
  write(Path.join(make(root), file), text)
  return `${directory}/${file}`
}
