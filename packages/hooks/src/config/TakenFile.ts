/**
 * Where the checks lie that the user took for a project: a file for each project in their own state, for a workspace is not
 * trusted. Read here as a text; what it says is for `TakenChecks`.
 */
import * as FS from "node:fs"
import * as Path from "node:path"
import * as Checksum from "../places/Checksum.ts"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import type { UserDirectories } from "../places/UserDirectories.ts"

/**
 * The file of a project by its root.
 *
 * @category accessors
 */
export const fileOf = ({ state }: Pick<UserDirectories, "state">, root: string): string => {
  const name = Path.basename(root)
    .replaceAll(/[^A-Za-z0-9_-]/g, "_")
    .slice(0, 40)
  return Path.join(state, "taken", `${name}-${Checksum.ofText(root)}.json`)
}

/** A list of 20 commands is shorter. */
const maxBytes = 64 * 1024

/**
 * Its text, null where nothing was taken. Throws for a link, and for what is no plain file, too large or unreadable.
 *
 * @category reading
 */
export const read = (directories: Pick<UserDirectories, "state">, root: string): string | null =>
  PlainFiles.read(fileOf(directories, root), { maxBytes })

/**
 * Puts a text in its place in one step; null takes all back. Throws what the file system throws.
 *
 * @category writing
 */
export const write = (directories: Pick<UserDirectories, "state">, root: string, text: string | null): void => {
  const file = fileOf(directories, root)
  if (text === null) FS.rmSync(file, { force: true })
  else PlainFiles.write(file, text)
}
