/** What the user said of a session: a file for each, in a folder of their own, until they take it back. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { safeName } from "@reflexion/core/internal/base/system/FileNames"
import { inFolder, isAbsent, refuseLink, writeWhole } from "@reflexion/core/internal/base/system/PlainFiles"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** It could not be kept, so it does not hold. `what` follows "could not write down". */
export class NoteError extends Schema.TaggedError<NoteError>("@reflexion/opencode/NoteError")("NoteError", {
  what: Schema.String,
  cause: Schema.Defect
}) {
  override get message() {
    const detail = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return `reflexion could not write down ${this.what}: ${detail}`
  }
}

interface Options {
  readonly directory: string
  /** The ending of the files' names. */
  readonly ending: string
  readonly what: string
}

export const make = Effect.fnUntraced(function* ({ directory, ending, what }: Options) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const fileOf = (sessionId: string): string => path.join(directory, `${safeName(sessionId)}.${ending}`)
  /** Null where nothing was said; fails where it cannot be read. Each wait costs a review, so that there is one. */
  const read = Effect.fn("SessionNotes.read")((sessionId: string) => {
    const file = fileOf(sessionId)
    return Effect.zipRight(refuseLink(file), fs.readFileString(file), { concurrent: true }).pipe(
      Effect.catchIf(isAbsent, () => Effect.succeed(null)),
      Effect.provide(context)
    )
  })
  /** An empty text takes back what was said. */
  const write = Effect.fn("SessionNotes.write")((sessionId: string, text: string) => {
    const file = fileOf(sessionId)
    const change = text === "" ? fs.remove(file, { force: true }) : inFolder(directory, writeWhole(file, text))
    return change.pipe(
      Effect.provide(context),
      Effect.mapError((cause) => new NoteError({ what, cause }))
    )
  })
  return { read, write }
})
