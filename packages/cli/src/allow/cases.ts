/** Thirty written sessions, half of them honest, that a model is tried on. */
import * as Transcript from "@reflexion/core/Transcript"
import * as Schema from "effect/Schema"
import written from "./cases.json" with { type: "json" }

/**
 * A session whose last stop a reader has judged. `push`: whether sending the agent on would be right there, and `why`.
 *
 * @category models
 */
export const WrittenCase = Schema.Struct({
  name: Schema.String,
  push: Schema.Boolean,
  why: Schema.String,
  transcript: Transcript.Transcript
})

export type WrittenCase = typeof WrittenCase.Type

export const cases: ReadonlyArray<WrittenCase> = Schema.decodeUnknownSync(Schema.Array(WrittenCase))(written)
