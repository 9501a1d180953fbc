import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import * as ClaudeCodeTranscript from "../../src/ClaudeCodeTranscript.ts"

/** Recorded sessions with labelled stops live beside the repository; `REFLEXION_CORPUS` names another place. */
export const corpus =
  process.env["REFLEXION_CORPUS"] ?? fileURLToPath(new URL("../../../../../shared/data", import.meta.url))

export const hasCorpus = existsSync(join(corpus, "claude-code", "stops.jsonl"))

export const withCorpus = hasCorpus ? "with the corpus" : `skipped: no corpus at REFLEXION_CORPUS or ../shared/data`

export const collections = ["claude-code", "claude-code-more"]

export interface Stop {
  readonly session: string
  readonly turn: number
  readonly userMessageAt: string
}

export const stops = (collection: string): ReadonlyArray<Stop> =>
  readFileSync(join(corpus, collection, "stops.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

export const sessions = (collection: string): ReadonlyArray<string> =>
  readdirSync(join(corpus, collection, "sessions")).map((name) => join(corpus, collection, "sessions", name))

export const bytesOf = (file: string): Uint8Array =>
  file.endsWith(".gz") ? gunzipSync(readFileSync(file)) : readFileSync(file)

export interface Decoded {
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly reader: TranscriptReader.Reader
}

export const decode = (bytes: Uint8Array, chunkSize = 64 * 1024): Decoded => {
  const reader = TranscriptReader.make({ decoders: [ClaudeCodeTranscript.decoder] })
  const events: Array<TranscriptEvent> = []
  for (let at = 0; at < bytes.length; at += chunkSize) {
    for (const event of reader.push(bytes.subarray(at, at + chunkSize))) events.push(event)
  }
  for (const event of reader.end()) events.push(event)
  return { events, reader }
}

export const decodeLines = (...lines: ReadonlyArray<unknown>): Decoded =>
  decode(new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join("\n")))
