/** A review's files on disk, below a workspace. That is not trusted: nothing is written through a link. */
import * as FS from "node:fs"
import * as Path from "node:path"
import * as PlainFiles from "../../base/system/PlainFiles.ts"
import * as RecordFolder from "../../base/system/RecordFolder.ts"
import * as ArtifactFiles from "./ArtifactFiles.ts"

/** A folder that is there then. What is above it is never made: it may have been removed on purpose. */
export const plain = (folder: string): string => {
  // Made without looking first: another session of the workspace may do so meanwhile.
  try {
    FS.mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    if (!PlainFiles.isPresent(cause)) throw cause
  }
  if (!FS.lstatSync(folder).isDirectory()) throw new Error(`${folder} is no folder, or a symbolic link`)
  return folder
}

/** The folder for a workspace's files, out of git's sight. */
export const make = (root: string): string => {
  const folder = plain(Path.join(root, RecordFolder.directory))
  RecordFolder.ignore(folder)
  return folder
}

/** Each file in one step; old ones are deleted. */
export const write = (root: string, review: ArtifactFiles.Review): void => {
  const folder = make(root)
  for (const { name, text } of ArtifactFiles.files(review)) PlainFiles.write(Path.join(folder, name), text)
  for (const name of ArtifactFiles.prune(FS.readdirSync(folder))) FS.rmSync(Path.join(folder, name), { force: true })
}
