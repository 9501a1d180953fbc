import { assert, describe, it } from "@effect/vitest"
import { Array } from "effect"
import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { bytesOf, corpus, decode, hasCorpus, sessions, stops, withCorpus } from "./support/corpus.ts"

describe.skipIf(!hasCorpus)(`Codex sessions (${withCorpus})`, () => {
  it("are decoded without a warning, each call issued before it is settled", { timeout: 120_000 }, () => {
    const problems: globalThis.Array<string> = []
    const files = sessions()
    assert.isAtLeast(files.length, 64)
    for (const file of files) {
      const { events, reader } = decode(bytesOf(file))
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

  it("number the prompts of every labelled stop as its readers did", { timeout: 120_000 }, () => {
    const bySession = Object.entries(Array.groupBy(stops(), (stop) => stop.session))
    assert.isAbove(bySession.length, 0)
    const wrong: globalThis.Array<string> = []
    let joined = 0
    for (const [session, labelled] of bySession) {
      const { events } = decode(bytesOf(join(corpus, "codex", "sessions", `${session}.jsonl.gz`)))
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
    const file = join(corpus, "formats", name)
    assert.isTrue(existsSync(file), basename(file))
    const { reader } = decode(bytesOf(file))
    assert.strictEqual(reader.host(), "codex")
    assert.deepStrictEqual(reader.warnings(), [])
    assert.isAbove(reader.decoded(), 0)
  })
})
