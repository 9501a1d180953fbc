/** Reads and judges a recorded session: `node codex.js RECORDINGS`. */
import { Judgment, TranscriptReader, type Transcript } from "@reflexion/core"
import { CodexTranscript } from "@reflexion/codex"
import * as assert from "node:assert/strict"
import { readFileSync } from "node:fs"

const reader = TranscriptReader.make({ decoders: [CodexTranscript.decoder] })
const bytes = readFileSync(`${process.argv[2]}/codex/fixed-and-tested.jsonl`)
const events: ReadonlyArray<Transcript.TranscriptEvent> = [...reader.push(bytes), ...reader.end()]
const verdict = Judgment.judge({ version: 1, ...reader.session(), events })

assert.equal(reader.session().host, "codex")
assert.equal(verdict.status, "complete")
