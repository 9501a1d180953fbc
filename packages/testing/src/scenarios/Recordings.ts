/** The recorded sessions for tests and the demo. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Url from "node:url"

/** For a recording's last turn. Missing fields are not checked. */
export const ExpectedVerdict = Schema.Struct({
  status: Schema.String,
  shouldContinue: Schema.Boolean,
  contradicted: Schema.optional(Schema.Boolean),
  pattern: Schema.optional(Schema.NullOr(Schema.String)),
  gates: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String }))
})

export type ExpectedVerdict = typeof ExpectedVerdict.Type

export type Host = "claude-code" | "codex" | "opencode"

/** No scenario made the recordings of Copilot CLI and Gemini CLI. */
export type Recorded = Host | "copilot" | "gemini"

/** `file` and `sidechains` are relative to the index's folder. */
export const Recording = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  file: Schema.String,
  sidechains: Schema.Array(Schema.String),
  hostVersion: Schema.String,
  expected: ExpectedVerdict
})

export type Recording = typeof Recording.Type

export const Index = Schema.parseJson(Schema.Array(Recording), { space: 2 })

export const folder = (host: Recorded): string =>
  Url.fileURLToPath(new URL(`../../recordings/${host}`, import.meta.url))

export const list = Effect.fn("Recordings.list")(function* (host: Recorded) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const recordings = yield* Schema.decode(Index)(yield* fs.readFileString(path.join(folder(host), "index.json")))
  return recordings.map((recording) => ({
    ...recording,
    file: path.join(folder(host), recording.file),
    sidechains: recording.sidechains.map((file) => path.join(folder(host), file))
  }))
})
