/** Small readings of folders that may not be there. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"

export const isAbsent = (error: PlatformError): boolean =>
  error._tag === "SystemError" && (error.reason === "NotFound" || error.reason === "BadResource")

/** A folder's names, none where there is no folder. */
export const list = (folder: string): Effect.Effect<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.pipe(
    Effect.flatMap((fs) => fs.readDirectory(folder)),
    Effect.catchIf(isAbsent, () => Effect.succeed([]))
  )
