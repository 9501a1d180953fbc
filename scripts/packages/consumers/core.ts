/** Judges a session in the neutral form. Also calls the judge's service with a model that it does not need. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import {
  Judgment,
  JudgeService,
  Model,
  NeutralTranscript,
  ReflexionConfig,
  type Transcript,
  TranscriptReader,
  Verdict
} from "@reflexion/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as assert from "node:assert/strict"

const document = {
  version: 1,
  host: "my-agent",
  events: [
    { type: "user_message", text: "Fix the rounding in cart.js and run npm test." },
    { type: "tool_call", tool: "edit", input: { file_path: "/repo/cart.js" }, output: "Updated /repo/cart.js" },
    { type: "tool_call", tool: "bash", input: { command: "npm test" }, exitCode: 1, output: "1 failed" },
    { type: "assistant_message", text: "Fixed, and npm test passes." }
  ]
}

const reader = TranscriptReader.make({ decoders: [NeutralTranscript.decoder] })
const events = [...reader.push(new TextEncoder().encode(JSON.stringify(document))), ...reader.end()]
const transcript: Transcript.Transcript = { version: 1, ...reader.session(), events }
const verdict: Verdict.Verdict = Judgment.judge(transcript)

assert.equal(verdict.status, "incomplete")
assert.equal(verdict.shouldContinue, true)
assert.deepEqual(Schema.decodeUnknownSync(Verdict.Verdict)(Schema.encodeSync(Verdict.Verdict)(verdict)), verdict)

const silent = Model.Model.Test("")

const judge = JudgeService.JudgeService.Live.pipe(
  Layer.provide(Layer.mergeAll(silent, FileSystem.layerNoop({}), Path.layer)),
  Layer.provide(ReflexionConfig.CurrentConfig.layer({ profile: "balanced" }))
)

const judged = await Effect.runPromise(
  JudgeService.JudgeService.pipe(
    Effect.flatMap((service) => service.judge(transcript)),
    Effect.provide(judge)
  )
)

assert.equal(judged.status, verdict.status)
