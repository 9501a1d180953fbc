/** The folder of a project's own that has the records, and what keeps git from them. */
import * as FS from "node:fs"
import * as Path from "node:path"
import { isPresent } from "./PlainFiles.ts"

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

/**
 * Has git pass over the folder: one that has a file of its own for that stays as it is.
 *
 * @category writing
 */
export const ignore = (folder: string): void => {
  try {
    FS.writeFileSync(Path.join(folder, ".gitignore"), gitignore, { flag: "wx", mode: 0o644 })
  } catch (cause) {
    if (!isPresent(cause)) throw cause
  }
}
