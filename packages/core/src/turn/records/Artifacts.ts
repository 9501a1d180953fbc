/** Leaves a review's files in the workspace. A disk that fails breaks no turn: it is logged, and the turn goes on. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as ArtifactFiles from "./ArtifactFiles.ts"
import { type FileError, writeWhole } from "../../base/system/PlainFiles.ts"
import { reflectionFolder } from "./ReflectionFolder.ts"

/**
 * What a test was asked to write, oldest first.
 *
 * @category testing
 */
export class ArtifactsRecord extends Context.Tag("@reflexion/core/Artifacts/ArtifactsRecord")<
  ArtifactsRecord,
  {
    readonly written: Effect.Effect<
      ReadonlyArray<{ readonly directory: string; readonly review: ArtifactFiles.Review }>
    >
  }
>() {}

const prune = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const old = ArtifactFiles.prune(yield* fs.readDirectory(folder))
  yield* Effect.forEach(old, (name) => fs.remove(path.join(folder, name), { force: true }), { discard: true })
})

const writeAll = Effect.fnUntraced(function* (directory: string, review: ArtifactFiles.Review) {
  const path = yield* Path.Path
  const folder = yield* reflectionFolder(directory)
  yield* Effect.forEach(ArtifactFiles.files(review), ({ name, text }) => writeWhole(path.join(folder, name), text), {
    discard: true
  })
  yield* prune(folder)
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
      const write = Effect.fn("Artifacts.write")(function* (directory: string, review: ArtifactFiles.Review) {
        yield* Effect.catchAll(writeAll(directory, review), warn(directory))
      })
      return { write: (directory, review) => Effect.provide(write(directory, review), context) }
    })
  )

  /** Writes nothing and records what it was asked to write in `ArtifactsRecord`. */
  static readonly Test: Layer.Layer<Artifacts | ArtifactsRecord> = Layer.effectContext(
    Effect.gen(function* () {
      const written = yield* Ref.make<
        ReadonlyArray<{ readonly directory: string; readonly review: ArtifactFiles.Review }>
      >([])
      const write = Effect.fn("Artifacts.write")((directory: string, review: ArtifactFiles.Review) =>
        Ref.update(written, (all) => [...all, { directory, review }])
      )
      return Context.make(Artifacts, { write }).pipe(Context.add(ArtifactsRecord, { written: Ref.get(written) }))
    })
  )
}
