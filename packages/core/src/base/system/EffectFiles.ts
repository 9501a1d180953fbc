/** Small files put in place in one step, through no symbolic link. */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

export class LinkRefused extends Data.TaggedError("LinkRefused")<{ readonly path: string }> {
  override get message() {
    return `${this.path} is a symbolic link, which is not followed here: put a plain file or folder in its place`
  }
}

export type FileError = PlatformError.PlatformError | LinkRefused

/** Fails for a symbolic link; what is absent or plain passes. */
export const refuseLink = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const link = yield* Effect.match(fs.readLink(path), { onFailure: () => false, onSuccess: () => true })
  if (link) yield* new LinkRefused({ path })
})

const temporary = Effect.map(Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER), (number) => number.toString(36))

/** Puts a text in a file's place, readable by the user alone; the folder must be there. */
export const writeWhole = Effect.fnUntraced(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* refuseLink(file)
  const part = path.join(path.dirname(file), `.${path.basename(file)}.${yield* temporary}`)
  yield* fs.writeFileString(part, text, { flag: "wx", mode: 0o600 }).pipe(
    Effect.zipRight(fs.rename(part, file)),
    Effect.onError(() => Effect.ignore(fs.remove(part, { force: true })))
  )
})

/** Adds a line in one write, so that lines of several writers never mix. */
export const appendLine = (file: string, line: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.zipRight(refuseLink(file), fs.writeFileString(file, `${line}\n`, { flag: "a", mode: 0o600 }))
  )

export const isAbsent = (error: FileError): boolean => error._tag === "SystemError" && error.reason === "NotFound"

/** Whether a folder stands in the file's place. */
export const isFolder = (error: FileError): boolean => error._tag === "SystemError" && error.reason === "BadResource"

/** For the user's own directories: a folder in a file's place would keep it from ever being written. */
export const moveAside = (file: string) =>
  Effect.flatMap(Effect.all([FileSystem.FileSystem, temporary]), ([fs, name]) =>
    fs.rename(file, `${file}.folder-${name}`)
  )

/** A folder of the user's own is made where it turns out to be missing, and not looked for each time. */
export const inFolder = <A, E extends FileError, R>(directory: string, work: Effect.Effect<A, E, R>) =>
  Effect.catchIf(work, isAbsent, () =>
    Effect.flatMap(FileSystem.FileSystem, (fs) =>
      Effect.zipRight(fs.makeDirectory(directory, { recursive: true, mode: 0o700 }), work)
    )
  )
