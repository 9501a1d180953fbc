import { assert, describe, it } from "@effect/vitest"
import type { Transcript } from "@reflexion/core/Transcript"
import { Effect } from "effect"
import * as OpenCodeRecord from "../src/host/OpenCodeRecord.ts"
import { agent, bash, type Fields, type Message, ms, open, running, text, tool, user } from "./support/messages.ts"
import { storedHost } from "./support/storedHost.ts"

/** A finished call of an agent that works in that session. */
const task = (id: string, sessionId: string, over: Fields = {}) =>
  tool(id, "task", {
    status: "completed",
    input: { prompt: "x" },
    metadata: { sessionId },
    output: "<task_result>x</task_result>",
    ...over
  })

const inBackground = (id: string, sessionId: string) =>
  task(id, sessionId, {
    metadata: { sessionId, background: true },
    output: `<task id="${sessionId}" state="running">\n</task>`
  })

const runningTask = (id: string, sessionId: string) =>
  task(id, sessionId, { status: "running", output: undefined, time: { start: ms(1) } })

const backgroundEnds = (id: string, second: number, sessionId: string) =>
  user(id, second, [text(`<task id="${sessionId}" state="completed">\nfound\n</task>`, { synthetic: true })])

/** What the agents of a transcript did, in its order. */
const agents = ({ events }: Transcript) =>
  events.flatMap((event) =>
    event.type === "tool_call" && event.agentId !== null ? [`${event.id} ${event.status}`] : []
  )

/** A host with these sessions, and what the record of `ses_1` has of its agents. */
const begin = Effect.fnUntraced(function* (sessions: Readonly<Record<string, ReadonlyArray<Message>>>) {
  const host = storedHost()
  for (const [id, messages] of Object.entries(sessions)) host.messages.set(id, messages)
  const record = yield* Effect.provide(OpenCodeRecord.make, host.layer)
  const look = Effect.map(record.transcript("ses_1"), agents)
  return { ...host, look }
})

const first = [user("u1", 0, "delegate"), agent("a1", 1, [task("t1", "ses_2")]), agent("a2", 30, "done")]
const edited = [user("u1", 2, "x"), agent("a1", 3, [tool("t1", "edit", { status: "completed", input: {} })])]
const tested = [...edited, user("u2", 42, "y"), agent("a2", 43, [bash("t2", "npm test", 0)])]

const turn = (number: number) => [user(`m${number}a`, number, "go on"), agent(`m${number}b`, number, "done")]

const turns = (count: number) => Array.from({ length: count }, (_, index) => turn(10_000 + index)).flat()

describe("a session's record", () => {
  it.effect("has what an agent did that was begun once and gone on with later", () =>
    Effect.gen(function* () {
      const { look, messages } = yield* begin({ ses_1: first, ses_2: edited })
      assert.deepStrictEqual(yield* look, ["ses_2/t1 completed"])
      messages.set("ses_2", tested)
      messages.set("ses_1", [...first, user("u2", 40, "and the tests"), agent("a3", 41, [task("t2", "ses_2")])])
      assert.deepStrictEqual(yield* look, ["ses_2/t1 completed", "ses_2/t2 completed"])
    })
  )

  it.effect("reads an agent anew only where something of it may be new", () =>
    Effect.gen(function* () {
      const { look, messages, reads } = yield* begin({ ses_1: first, ses_2: edited })
      yield* look
      messages.set("ses_1", [...first, user("u2", 40, "more"), agent("a3", 41, "done")])
      yield* look
      yield* look
      assert.deepStrictEqual(
        reads.filter((id) => id === "ses_2"),
        ["ses_2"]
      )
    })
  )

  it.effect("has what an agent did after it was looked at while it ran", () =>
    Effect.gen(function* () {
      const { look, messages } = yield* begin({
        ses_1: [user("u1", 0, "delegate"), open("a1", 1, [runningTask("t1", "ses_2")])],
        ses_2: [user("u1", 2, "x"), open("a1", 3, [running("t1")])]
      })
      assert.deepStrictEqual(yield* look, ["ses_2/t1 running"])
      messages.set("ses_1", first)
      messages.set("ses_2", [user("u1", 2, "x"), agent("a1", 3, [bash("t1", "make", 0)])])
      assert.deepStrictEqual(yield* look, ["ses_2/t1 running", "ses_2/t1 completed"])
      assert.deepStrictEqual(yield* look, ["ses_2/t1 running", "ses_2/t1 completed"])
    })
  )

  it.effect("follows an agent in the background to its end", () =>
    Effect.gen(function* () {
      const started = [user("u1", 0, "delegate"), agent("a1", 1, [inBackground("t1", "ses_2"), text("It runs.")])]
      const { look, messages, reads } = yield* begin({ ses_1: started, ses_2: [user("u1", 2, "x")] })
      assert.deepStrictEqual(yield* look, [])
      messages.set("ses_2", edited)
      assert.deepStrictEqual(yield* look, ["ses_2/t1 completed"])
      messages.set("ses_2", tested)
      messages.set("ses_1", [...started, backgroundEnds("u2", 50, "ses_2"), agent("a2", 51, "done")])
      assert.deepStrictEqual(yield* look, ["ses_2/t1 completed", "ses_2/t2 completed"])
      const before = reads.length
      yield* look
      assert.notInclude(reads.slice(before), "ses_2")
    })
  )

  it.effect(
    "foretells a message of a long session, tells nothing of it twice, and keeps nothing of what was foretold",
    () =>
      Effect.gen(function* () {
        const { layer, messages } = storedHost()
        const record = yield* Effect.provide(OpenCodeRecord.make, layer)
        const said = (at: string) =>
          Effect.gen(function* () {
            const asIf = { messageId: at, amend: () => agent(at, 20_000, "foretold") }
            const { transcript } = yield* record.foretold("ses_1", asIf)
            return transcript.events.flatMap((event) => ("text" in event ? [event.text] : []))
          })
        const past = turns(200)
        const told = Array.from({ length: 200 }, () => ["go on", "done"]).flat()
        messages.set("ses_1", [...past, open("z1", 20_000, [text("")])])
        assert.deepStrictEqual(yield* said("z1"), [...told, "foretold"])
        messages.set("ses_1", [...past, agent("z1", 20_000, "stored"), open("z2", 20_001, [text("")])])
        assert.deepStrictEqual(yield* said("z2"), [...told, "stored", "foretold"])
      })
  )

  it.effect("tries again to read an agent that could not be read", () =>
    Effect.gen(function* () {
      const { faults, look } = yield* begin({ ses_1: first, ses_2: edited })
      faults.add("ses_2")
      assert.deepStrictEqual(yield* look, [])
      faults.delete("ses_2")
      assert.deepStrictEqual(yield* look, ["ses_2/t1 completed"])
    })
  )

  it.effect("asks once for an agent that is gone", () =>
    Effect.gen(function* () {
      const { look, reads } = yield* begin({ ses_1: first })
      yield* look
      yield* look
      assert.deepStrictEqual(
        reads.filter((id) => id === "ses_2"),
        ["ses_2"]
      )
    })
  )

  it.effect("has what the agents of agents did, though they name one another", () =>
    Effect.gen(function* () {
      const { look, messages } = yield* begin({
        ses_1: first,
        ses_2: [user("u1", 2, "x"), agent("a1", 3, [task("t1", "ses_3"), task("t2", "ses_1")])],
        ses_3: [user("u1", 4, "y"), agent("a1", 5, [bash("t1", "npm test", 1), task("t2", "ses_2")])]
      })
      assert.deepStrictEqual(yield* look, ["ses_3/t1 error"])
      messages.set("ses_1", [...first, user("u2", 40, "again"), agent("a3", 41, [task("t2", "ses_2")])])
      messages.set("ses_2", [user("u1", 2, "x"), agent("a1", 3, [task("t1", "ses_3"), task("t3", "ses_3")])])
      messages.set("ses_3", [
        user("u1", 4, "y"),
        agent("a1", 5, [bash("t1", "npm test", 1), bash("t3", "npm test", 0)])
      ])
      assert.deepStrictEqual(yield* look, ["ses_3/t1 error", "ses_3/t3 completed"])
    })
  )

  it.effect("costs what is new, however long the session is", () =>
    Effect.gen(function* () {
      for (const count of [100, 1000, 2000]) {
        const { handedOut, look, messages } = yield* begin({ ses_1: turns(count) })
        yield* look
        for (let more = 1; more <= 3; more++) {
          messages.set("ses_1", turns(count + more))
          yield* look
        }
        assert.deepStrictEqual(handedOut, [2 * count, 32, 32, 32])
      }
    })
  )
})
