/** Writes a review's files to the workspace. A disk error is logged, and the turn continues. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { doing } from "../../base/system/Doing.ts"
import { messageOf } from "../../base/text/Text.ts"
import type * as ArtifactFiles from "./ArtifactFiles.ts"
import * as ReviewFolder from "./ReviewFolder.ts"

/**
 * The reviews that a test was asked to write, oldest first.
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

/**
 * Writes the signal and the record of each review.
 *
 * @category services
 */
export class Artifacts extends Context.Tag("@reflexion/core/Artifacts")<
  Artifacts,
  {
    /** Writes each file in one step below the session's project root, and deletes old ones. Never fails: it logs. */
    readonly write: (directory: string, review: ArtifactFiles.Review) => Effect.Effect<void>
  }
>() {
  /** Refuses a folder that is a symbolic link. Replaces a file that is a symbolic link. */
  static readonly Live: Layer.Layer<Artifacts> = Layer.succeed(Artifacts, {
    write: Effect.fn("Artifacts.write")((directory: string, review: ArtifactFiles.Review) =>
      Effect.catchAll(
        doing(() => ReviewFolder.write(directory, review)),
        (cause) => Effect.logWarning(`the review's record could not be written in ${directory}: ${messageOf(cause)}`)
      )
    )
  })

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
