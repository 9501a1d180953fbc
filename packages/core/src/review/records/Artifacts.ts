/** Leaves a review's files in the workspace. A disk that fails breaks no turn: it is logged, and the turn goes on. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as ArtifactFiles from "./ArtifactFiles.ts"
import { type FileError, refuseLink, writeWhole } from "../../base/system/EffectFiles.ts"

/**
 * What a test was asked to write, oldest first.
 *
 * @category testing
 */
export class ArtifactsRecord extends Context.Tag("@reflexion/core/Artifacts/ArtifactsRecord")<
  ArtifactsRecord,
  { readonly written: Effect.Effect<ReadonlyArray<Written>> }
>() {}

interface Written {
  readonly directory: string
  readonly review: ArtifactFiles.Review
}

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

const writeAll = Effect.fnUntraced(function* (directory: string, review: ArtifactFiles.Review) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* reflectionFolder(directory)
  yield* Effect.forEach(ArtifactFiles.files(review), ({ name, text }) => writeWhole(path.join(folder, name), text), {
    discard: true
  })
  const old = ArtifactFiles.prune(yield* fs.readDirectory(folder))
  yield* Effect.forEach(old, (name) => fs.remove(path.join(folder, name), { force: true }), { discard: true })
})

const warn = (directory: string) => (error: FileError) =>
  Effect.logWarning(`the review's record could not be written in ${directory}: ${error.message}`)

/**
 * Writes the signal and the record of each review.
 *
 * @category services
 */
export class Artifacts extends Context.Tag("@reflexion/core/Artifacts")<
  Artifacts,
  {
    /** Writes a review's files below a session's project root and prunes old ones. Never fails: it logs a warning. */
    readonly write: (directory: string, review: ArtifactFiles.Review) => Effect.Effect<void>
  }
>() {
  /** Each file in one step; a symbolic link in the folder's or a file's place is refused. */
  static readonly Live: Layer.Layer<Artifacts, never, FileSystem.FileSystem | Path.Path> = Layer.effect(
    Artifacts,
    Effect.gen(function* () {
      const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const write = Effect.fn("Artifacts.write")((directory: string, review: ArtifactFiles.Review) =>
        writeAll(directory, review).pipe(Effect.catchAll(warn(directory)), Effect.provide(context))
      )
      return { write }
    })
  )

  /** Writes nothing and records what it was asked to write in `ArtifactsRecord`. */
  static readonly Test: Layer.Layer<Artifacts | ArtifactsRecord> = Layer.effectContext(
    Effect.gen(function* () {
      const written = yield* Ref.make<ReadonlyArray<Written>>([])
      const write = Effect.fn("Artifacts.write")((directory: string, review: ArtifactFiles.Review) =>
        Ref.update(written, (all) => [...all, { directory, review }])
      )
      return Context.make(Artifacts, { write }).pipe(Context.add(ArtifactsRecord, { written: Ref.get(written) }))
    })
  )
}
