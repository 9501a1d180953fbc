/** The checks that the user took for a project, as a text in their own state; what it says is for `TakenChecks`. */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as FS from "node:fs"
import * as UserDirectories from "../places/UserDirectories.ts"

type Directories = Pick<UserDirectories.UserDirectories, "state">

export const fileOf = (directories: Directories, root: string): string =>
  UserDirectories.ofProject(directories, { folder: "taken", ending: ".json", root })

/** A list of 20 commands is shorter. */
const maxBytes = 64 * 1024

/** The file as it was read. */
export interface ApprovedFile {
  readonly file: string
  readonly root: string
  readonly text: string
}

/** Null where nothing was taken. Throws for a link, and for what is no plain file, too large or unreadable. */
export const read = (directories: Directories, root: string): ApprovedFile | null => {
  const file = fileOf(directories, root)
  const text = PlainFiles.read(file, { maxBytes })
  return text === null ? null : { file, root, text }
}

/** Puts a text in its place in one step; null takes all back. Throws what the file system throws. */
export const write = (directories: Directories, root: string, text: string | null): void => {
  const file = fileOf(directories, root)
  if (text === null) FS.rmSync(file, { force: true })
  else PlainFiles.write(file, text)
}
