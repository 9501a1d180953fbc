/** The workspace's folder of records. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as ArtifactFiles from "./ArtifactFiles.ts"
import { refuseLink, writeWhole } from "../../base/system/PlainFiles.ts"

/** What is above the folder is never made: it may have been removed on purpose. */
export const plainFolder = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  yield* refuseLink(folder)
  if (!(yield* fs.exists(folder))) yield* fs.makeDirectory(folder, { mode: 0o700 })
})

/** The folder below a workspace, out of git's sight. */
export const reflectionFolder = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.join(directory, ArtifactFiles.directory)
  yield* plainFolder(folder)
  const ignore = path.join(folder, ".gitignore")
  if (!(yield* fs.exists(ignore))) yield* writeWhole(ignore, ArtifactFiles.gitignore)
  return folder
})
