/** Reads and judges a recorded session: `node opencode.js RECORDINGS`. */
import { Judgment, TranscriptReader, type Transcript } from "@reflexion/core"
import { OpenCodeTranscript } from "@reflexion/opencode"
import * as assert from "node:assert/strict"
import { readFileSync } from "node:fs"

const reader = TranscriptReader.make({ decoders: [OpenCodeTranscript.decoder] })
const bytes = readFileSync(`${process.argv[2]}/opencode/fixed-and-tested.json`)
const events: ReadonlyArray<Transcript.TranscriptEvent> = [...reader.push(bytes), ...reader.end()]
const verdict = Judgment.judge({ version: 1, ...reader.session(), events })

assert.equal(reader.session().host, "opencode")
assert.equal(verdict.status, "complete")
