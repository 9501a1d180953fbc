/** Writes a review's files to disk, below a workspace. */
import * as FS from "node:fs"
import * as Path from "node:path"
import * as PlainFiles from "../../base/system/PlainFiles.ts"
import { make } from "../../base/system/RecordFolder.ts"
import * as ArtifactFiles from "./ArtifactFiles.ts"

export { make, plain } from "../../base/system/RecordFolder.ts"

export const write = (root: string, review: ArtifactFiles.Review): void => {
  const folder = make(root)
  for (const { name, text } of ArtifactFiles.files(review)) PlainFiles.write(Path.join(folder, name), text)
  for (const name of ArtifactFiles.prune(FS.readdirSync(folder))) FS.rmSync(Path.join(folder, name), { force: true })
}
