/** Reads and judges a recorded session of each host: `node decoders.js RECORDINGS`. */
import { Judgment, TranscriptReader, type Transcript } from "@reflexion/core"
import { ClaudeCodeTranscript } from "@reflexion/claude-code"
import { CodexTranscript } from "@reflexion/codex"
import { CopilotTranscript } from "@reflexion/copilot"
import { GeminiTranscript } from "@reflexion/gemini"
import { OpenCodeTranscript } from "@reflexion/opencode"
import * as assert from "node:assert/strict"
import { readFileSync } from "node:fs"

for (const [host, { decoder }, ending] of [
  ["claude-code", ClaudeCodeTranscript, "jsonl"],
  ["codex", CodexTranscript, "jsonl"],
  ["copilot", CopilotTranscript, "jsonl"],
  ["gemini", GeminiTranscript, "jsonl"],
  ["opencode", OpenCodeTranscript, "json"]
] as const) {
  const reader = TranscriptReader.make({ decoders: [decoder] })
  const bytes = readFileSync(`${process.argv[2]}/${host}/fixed-and-tested.${ending}`)
  const events: ReadonlyArray<Transcript.TranscriptEvent> = [...reader.push(bytes), ...reader.end()]
  assert.equal(reader.session().host, host)
  assert.equal(Judgment.judge({ version: 1, ...reader.session(), events }).status, "complete")
}
