/** The folder in a project in which the plugin keeps what it learns. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as ArtifactFiles from "@reflexion/core/internal/turn/records/ArtifactFiles"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

export class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}

export const of = (root: string): string => `${root}/${ArtifactFiles.directory}`

/** A workspace is not trusted: no link of its own is followed. */
export const refuseLink = (root: string): Effect.Effect<void, Refused, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const target = yield* Effect.option(fs.readLink(of(root)))
    if (target._tag === "Some")
      return yield* new Refused({ message: `${of(root)} is a symbolic link, which is not followed here` })
  })
