import { NodeFileSystem } from "@effect/platform-node"
import { FileSystem } from "@effect/platform"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as NeutralTranscript from "../../src/session/transcript/NeutralTranscript.ts"
import * as TranscriptFile from "../../src/session/transcript/TranscriptFile.ts"
import { worksWith } from "../support/works.ts"

const decoders = [NeutralTranscript.decoder]

const reading = (text: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = `${yield* fs.makeTempDirectoryScoped()}/session.json`
    yield* fs.writeFileString(file, text)
    return { file, read: TranscriptFile.read(file, { decoders }) }
  })

const long = "x".repeat(200_000)

const session = {
  version: 1,
  host: "codex",
  sessionId: "s1",
  cwd: "/repo",
  events: [
    { type: "user_message", text: "Fix the discount." },
    { type: "assistant_message", text: long }
  ]
}

const works = worksWith(NodeFileSystem.layer)

works("TranscriptFile reads the session and all events of a file of several chunks", function* () {
  const transcript = yield* (yield* reading(JSON.stringify(session))).read
  assert.deepInclude(transcript, { version: 1, host: "codex", sessionId: "s1", cwd: "/repo" })
  const found = transcript.events.map((event) => ("text" in event ? event.text.length : null))
  assert.deepStrictEqual(found, [17, long.length])
})

works("TranscriptFile's error names the file and the problem", function* () {
  const [none, broken] = [yield* reading('{"name":"shop"}'), yield* reading("what?\n")]
  const error = yield* Effect.flip(none.read)
  assert.strictEqual(error._tag, "TranscriptFileError")
  for (const part of [none.file, "it is not a session of transcript"]) assert.include(error.message, part)
  assert.include((yield* Effect.flip(broken.read)).message, "line 1")
  const gone = TranscriptFile.read("/nowhere/session.jsonl", { decoders })
  assert.include((yield* Effect.flip(gone)).message, "/nowhere/session.jsonl")
})
