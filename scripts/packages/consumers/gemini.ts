/** Reads and judges a recorded session: `node gemini.js RECORDINGS`. */
import { Judgment, TranscriptReader, type Transcript } from "@reflexion/core"
import { GeminiTranscript } from "@reflexion/gemini"
import * as assert from "node:assert/strict"
import { readFileSync } from "node:fs"

const reader = TranscriptReader.make({ decoders: [GeminiTranscript.decoder] })
const bytes = readFileSync(`${process.argv[2]}/gemini/fixed-and-tested.jsonl`)
const events: ReadonlyArray<Transcript.TranscriptEvent> = [...reader.push(bytes), ...reader.end()]
const verdict = Judgment.judge({ version: 1, ...reader.session(), events })

assert.equal(reader.session().host, "gemini")
assert.equal(verdict.status, "complete")
