/** The checks that the user took for a project, as a text in their own state; what it says is for `TakenChecks`. */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as FS from "node:fs"
import * as UserDirectories from "../places/UserDirectories.ts"

type Directories = Pick<UserDirectories.UserDirectories, "state">

export const fileOf = (directories: Directories, root: string): string =>
  UserDirectories.ofProject(directories, { folder: "taken", ending: ".json", root })

/** A list of 20 commands is shorter. */
const maxBytes = 64 * 1024

/** Its text, null where nothing was taken. Throws for a link, and for what is no plain file, too large or unreadable. */
export const read = (directories: Directories, root: string): string | null =>
  PlainFiles.read(fileOf(directories, root), { maxBytes })

/** Puts a text in its place in one step; null takes all back. Throws what the file system throws. */
export const write = (directories: Directories, root: string, text: string | null): void => {
  const file = fileOf(directories, root)
  if (text === null) FS.rmSync(file, { force: true })
  else PlainFiles.write(file, text)
}
