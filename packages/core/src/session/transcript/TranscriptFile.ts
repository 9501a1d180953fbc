/** Reads a complete session record from disk, for programs that judge finished sessions. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Transcript } from "./Transcript.ts"
import * as TranscriptReader from "./TranscriptReader.ts"

/**
 * The record cannot be read, or it has no event.
 *
 * @category errors
 */
export class TranscriptFileError extends Schema.TaggedError<TranscriptFileError>("@reflexion/core/TranscriptFileError")(
  "TranscriptFileError",
  { file: Schema.String, problem: Schema.String }
) {
  override get message() {
    return `${this.file}: ${this.problem}`
  }
}

const problemOf = (reader: TranscriptReader.Reader): string => {
  const [first] = reader.warnings()
  if (first !== undefined) return `line ${first.line}: ${first.message}`
  return `it is not a session of ${reader.tried().join(" or ")}: give a session's record, or the decoder of its host`
}

/**
 * Reads a record and skips damaged lines. `TranscriptReader` reports these lines, and can read a growing record.
 *
 * @category constructors
 */
export const read: (
  file: string,
  options: TranscriptReader.Options
) => Effect.Effect<Transcript, TranscriptFileError, FileSystem.FileSystem> = Effect.fn("TranscriptFile.read")(
  function* (file, options) {
    const fs = yield* FileSystem.FileSystem
    const reader = TranscriptReader.make(options)
    const pieces = yield* Stream.runCollect(Stream.map(fs.stream(file), reader.push)).pipe(
      Effect.mapError(({ message }) => new TranscriptFileError({ file, problem: message }))
    )
    const events = [...pieces, reader.end()].flat()
    if (events.length === 0) return yield* new TranscriptFileError({ file, problem: problemOf(reader) })
    return { version: 1, ...reader.session(), events }
  }
)
