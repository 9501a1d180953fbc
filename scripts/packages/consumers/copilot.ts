/** Reads and judges a recorded session: `node copilot.js RECORDINGS`. */
import { Judgment, TranscriptReader, type Transcript } from "@reflexion/core"
import { CopilotTranscript } from "@reflexion/copilot"
import * as assert from "node:assert/strict"
import { readFileSync } from "node:fs"

const reader = TranscriptReader.make({ decoders: [CopilotTranscript.decoder] })
const bytes = readFileSync(`${process.argv[2]}/copilot/fixed-and-tested.jsonl`)
const events: ReadonlyArray<Transcript.TranscriptEvent> = [...reader.push(bytes), ...reader.end()]
const verdict = Judgment.judge({ version: 1, ...reader.session(), events })

assert.equal(reader.session().host, "copilot")
assert.equal(verdict.status, "complete")
