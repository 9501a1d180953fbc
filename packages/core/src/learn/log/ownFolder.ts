/** The folder `.reflection` of a project, which git passes over whoever makes it. */
import * as ArtifactFiles from "../../turn/records/ArtifactFiles.ts"
import type { Disk } from "./LogDisk.ts"

/** The folder of a path, and that folder's own name. */
const place = /^((?:.*[\\/])?([^\\/]+))[\\/][^\\/]+$/su

/**
 * Before the first log of the folder is made: a `git add` of everything would have whoever may push write what is believed.
 * Throws `LogDiskError`.
 */
export const ignore = (disk: Disk, path: string): void => {
  const [, folder, name] = place.exec(path) ?? []
  if (name !== ArtifactFiles.directory || disk.has(path)) return
  const ignored = `${folder}/.gitignore`
  if (disk.has(ignored)) return
  const file = disk.open(ignored, { create: true })
  try {
    file?.append(new TextEncoder().encode(ArtifactFiles.gitignore))
  } finally {
    file?.close()
  }
}
