import { assert, describe, it } from "@effect/vitest"
import * as Corpus from "@reflexion/testing/samples/Corpus"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import { Array } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as ClaudeCodeTranscript from "../src/ClaudeCodeTranscript.ts"

const collections = ["claude-code", "claude-code-more"]

describe.skipIf(!Corpus.has("claude-code"))(`Claude Code sessions (${Corpus.title("claude-code")})`, () => {
  it.each(collections)("numbers the prompts of every labelled stop of %s as its readers did", (collection) => {
    const bySession = Object.entries(Array.groupBy(Corpus.stops(collection), (stop) => stop.session))
    assert.isAbove(bySession.length, 0)
    const wrong: globalThis.Array<string> = []
    for (const [session, labelled] of bySession) {
      const { events } = Decoding.decode(
        ClaudeCodeTranscript.decoder,
        Corpus.bytes(join(Corpus.directory, collection, "sessions", `${session}.jsonl.gz`))
      )
      const genuine = events.flatMap((event) => (event.type === "user_message" && !event.synthetic ? [event] : []))
      for (const stop of labelled) {
        // The first genuine message of a turn begins it; those after it were typed while the agent worked.
        const begins = genuine.find((message) => message.turn === stop.turn)
        if (begins?.at !== stop.userMessageAt) wrong.push(`${session} turn ${stop.turn}: ${begins?.at}`)
      }
    }
    assert.deepStrictEqual(wrong, [])
  })

  it.each(collections)("decodes every session of %s", (collection) => {
    const problems: globalThis.Array<string> = []
    for (const file of Corpus.sessions(collection)) {
      const { reader } = Decoding.decode(ClaudeCodeTranscript.decoder, Corpus.bytes(file))
      if (reader.host() !== "claude-code" || reader.decoded() === 0) problems.push(`${file}: nothing decoded`)
      for (const warning of reader.warnings()) problems.push(`${file}:${warning.line}: ${warning.message}`)
    }
    assert.deepStrictEqual(problems, [])
  })

  const samples = [
    "small.jsonl",
    "large.jsonl",
    "schema_drift.jsonl",
    "subagent/0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f.jsonl",
    "subagent/0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f/subagents/agent-a0ad4f44468bdf20d.jsonl"
  ]

  it.each(samples)("decodes the format sample %s", (name) => {
    const file = join(Corpus.directory, "formats", "agents", "claude", name)
    assert.isTrue(existsSync(file))
    const { reader } = Decoding.decode(ClaudeCodeTranscript.decoder, Corpus.bytes(file))
    assert.strictEqual(reader.host(), "claude-code")
    assert.deepStrictEqual(reader.warnings(), [])
    assert.isAbove(reader.decoded(), 0)
  })
})
