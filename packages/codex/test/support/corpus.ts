import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import * as CodexTranscript from "../../src/CodexTranscript.ts"

/** Real sessions with labelled stops live beside the repository; `REFLEXION_CORPUS` names another place. */
export const corpus =
  process.env["REFLEXION_CORPUS"] ?? fileURLToPath(new URL("../../../../../shared/data", import.meta.url))

export const hasCorpus = existsSync(join(corpus, "codex", "stops.jsonl"))

export const withCorpus = hasCorpus ? "with the corpus" : "skipped: no corpus at REFLEXION_CORPUS or ../shared/data"

export interface Stop {
  readonly session: string
  readonly turn: number
  readonly userMessageAt: string
}

export const stops = (): ReadonlyArray<Stop> =>
  readFileSync(join(corpus, "codex", "stops.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

export const sessions = (): ReadonlyArray<string> =>
  readdirSync(join(corpus, "codex", "sessions")).map((name) => join(corpus, "codex", "sessions", name))

export const bytesOf = (file: string): Uint8Array =>
  file.endsWith(".gz") ? gunzipSync(readFileSync(file)) : readFileSync(file)

export interface Decoded {
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly reader: TranscriptReader.Reader
}

export const decode = (bytes: Uint8Array, chunkSize = 64 * 1024): Decoded => {
  const reader = TranscriptReader.make({ decoders: [CodexTranscript.decoder] })
  const events: Array<TranscriptEvent> = []
  for (let at = 0; at < bytes.length; at += chunkSize) {
    for (const event of reader.push(bytes.subarray(at, at + chunkSize))) events.push(event)
  }
  for (const event of reader.end()) events.push(event)
  return { events, reader }
}

/** What these values decode to, with the end of the record. */
export const decodeValues = (...values: ReadonlyArray<unknown>): ReadonlyArray<TranscriptEvent> => {
  let state = CodexTranscript.initial
  const events: Array<TranscriptEvent> = []
  for (const value of values) {
    const [next, more] = CodexTranscript.step(state, value)
    state = next
    for (const event of more) events.push(event)
  }
  return [...events, ...CodexTranscript.finish(state)]
}
