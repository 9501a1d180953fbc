/** The checks that the user approved for a project, as a file in the user's state folder. `TakenChecks` parses it. */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as FS from "node:fs"
import * as UserDirectories from "../places/UserDirectories.ts"

type Directories = Pick<UserDirectories.UserDirectories, "state">

export const fileOf = (directories: Directories, root: string): string =>
  UserDirectories.ofProject(directories, { folder: "taken", ending: ".json", root })

/** More than a list of 20 commands needs. */
const maxBytes = 64 * 1024

export interface ApprovedFile {
  readonly file: string
  readonly root: string
  readonly text: string
}

/** Null if no check was approved. Throws if the file is a link, not a plain file, too large or unreadable. */
export const read = (directories: Directories, root: string): ApprovedFile | null => {
  const file = fileOf(directories, root)
  const text = PlainFiles.read(file, { maxBytes })
  return text === null ? null : { file, root, text }
}

/** A null text removes the file. */
export const write = (directories: Directories, root: string, text: string | null): void => {
  const file = fileOf(directories, root)
  if (text === null) FS.rmSync(file, { force: true })
  else PlainFiles.write(file, text)
}
