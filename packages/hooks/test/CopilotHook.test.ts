import { assert, describe, it } from "@effect/vitest"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { readFileSync } from "node:fs"
import { decoder, program } from "../src/process/CopilotHook.ts"

const file = (name: string): string => `${Recordings.folder("copilot")}/${name}.jsonl`

const linesOf = (name: string): ReadonlyArray<string> => readFileSync(file(name), "utf8").trim().split("\n")

/** The state at each stop, from the record up to there. */
const stops = (name: string) => {
  let state = decoder.initial
  return linesOf(name).flatMap((line) => {
    state = decoder.step(state, JSON.parse(line))[0]
    return line.includes('"hook.start"') ? [state] : []
  })
}

/** How long a payload takes to decode, in ms. */
const took = (value: object): number => {
  const begun = performance.now()
  assert.strictEqual(program.decode(value)?.kind, "stop")
  return performance.now() - begun
}

describe("the record of Copilot CLI", () => {
  it("has the prompts that begin a turn, and none that a hook, the host or an agent wrote", () => {
    const begins = decoder.beginsTurn(decoder.initial)
    const names = ["nudge", "subagent", "typed-during", "autopilot", "compacted"]
    const counts = names.map((name) => linesOf(name).filter((line) => begins(Buffer.from(line))).length)
    assert.deepStrictEqual(counts, [1, 1, 1, 1, 2])
  })

  it("says what goes on in the background, also if only its end is read", () => {
    const found = stops("background").map((state) => [decoder.background(state, null), decoder.open(state)] as const)
    assert.deepStrictEqual(
      found.map(([count]) => count),
      [1, 0]
    )
    const open = found[0]?.[1] ?? []
    assert.deepStrictEqual(
      open.map(({ key }) => key),
      ["import"]
    )
    const midway = decoder.midway(decoder.initial, { turns: 3, open })
    assert.deepStrictEqual([midway.turn, decoder.open(midway)], [2, open])
  })

  it("is waited for until it has the host's line about this stop, but not for long", () => {
    const stop = linesOf("fixed-and-tested").find((line) => line.includes('"hook.start"')) ?? assert.fail()
    const timestamp = new Date(JSON.parse(stop).data.input.timestamp).toISOString()
    const payload = { hook_event_name: "Stop", session_id: "s1", timestamp, transcript_path: file("fixed-and-tested") }
    assert.isBelow(took(payload), 400)
    assert.isBelow(took({ ...payload, agent_id: "a1", transcript_path: file("gone") }), 400)
    for (const missing of [{ transcript_path: file("gone") }, { timestamp: "2026-01-01T00:00:00.000Z" }])
      assert.isAtLeast(took({ ...payload, ...missing }), 490)
  })
})
