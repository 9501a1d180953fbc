import { assert, describe, it } from "@effect/vitest"
import * as Corpus from "@reflexion/testing/samples/Corpus"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import { Array } from "effect"
import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import * as CodexTranscript from "../src/CodexTranscript.ts"

describe.skipIf(!Corpus.has("codex"))(`Codex sessions (${Corpus.title("codex")})`, () => {
  it("are decoded without a warning, each call issued before it is settled", () => {
    const problems: globalThis.Array<string> = []
    const files = Corpus.sessions("codex")
    assert.isAtLeast(files.length, 64)
    for (const file of files) {
      const { events, reader } = Decoding.decode(CodexTranscript.decoder, Corpus.bytes(file))
      if (reader.host() !== "codex" || reader.decoded() === 0) problems.push(`${file}: nothing decoded`)
      if (reader.session().cwd === null) problems.push(`${file}: no directory`)
      for (const warning of reader.warnings()) problems.push(`${file}:${warning.line}: ${warning.message}`)
      const issued = new Set(events.flatMap((event) => (event.type === "tool_call" ? [event.id] : [])))
      const open = new Set(issued)
      for (const event of events) if (event.type === "tool_call" && event.status !== "pending") open.delete(event.id)
      if (open.size > 1) problems.push(`${file}: ${open.size} of ${issued.size} calls never settle`)
    }
    assert.deepStrictEqual(problems, [])
  })

  it("number the prompts of every labelled stop as its readers did", () => {
    const bySession = Object.entries(Array.groupBy(Corpus.stops("codex"), (stop) => stop.session))
    assert.isAbove(bySession.length, 0)
    const wrong: globalThis.Array<string> = []
    let joined = 0
    for (const [session, labelled] of bySession) {
      const { events } = Decoding.decode(
        CodexTranscript.decoder,
        Corpus.bytes(join(Corpus.directory, "codex", "sessions", `${session}.jsonl.gz`))
      )
      const genuine = events.flatMap((event) => (event.type === "user_message" && !event.synthetic ? [event] : []))
      for (const stop of labelled) {
        const prompt = genuine[stop.turn]
        if (prompt?.at !== stop.userMessageAt) wrong.push(`${session} message ${stop.turn}: ${prompt?.at}`)
        else if (prompt.turn !== stop.turn) joined++
      }
    }
    assert.deepStrictEqual(wrong, [])
    // Two of the labelled prompts were typed while the agent worked: they joined the turn before.
    assert.strictEqual(joined, 2)
  })

  const samples = ["agents/codex/small.jsonl", "agents/codex/large.jsonl", "codex_053_rate_limit.jsonl"]

  it.each(samples)("of the format sample %s are decoded", (name) => {
    const file = join(Corpus.directory, "formats", name)
    assert.isTrue(existsSync(file), basename(file))
    const { reader } = Decoding.decode(CodexTranscript.decoder, Corpus.bytes(file))
    assert.strictEqual(reader.host(), "codex")
    assert.deepStrictEqual(reader.warnings(), [])
    assert.isAbove(reader.decoded(), 0)
  })
})
