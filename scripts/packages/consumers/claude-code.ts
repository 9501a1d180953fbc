/** Reads and judges a recorded session: `node claude-code.js RECORDINGS`. */
import { Judgment, TranscriptReader, type Transcript } from "@reflexion/core"
import { ClaudeCodeTranscript } from "@reflexion/claude-code"
import * as assert from "node:assert/strict"
import { readFileSync } from "node:fs"

const reader = TranscriptReader.make({ decoders: [ClaudeCodeTranscript.decoder] })
const bytes = readFileSync(`${process.argv[2]}/claude-code/fixed-and-tested.jsonl`)
const events: ReadonlyArray<Transcript.TranscriptEvent> = [...reader.push(bytes), ...reader.end()]
const verdict = Judgment.judge({ version: 1, ...reader.session(), events })

assert.equal(reader.session().host, "claude-code")
assert.equal(verdict.status, "complete")
