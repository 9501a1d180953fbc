import { assert, describe, it } from "@effect/vitest"
import type { Transcript } from "@reflexion/core/Transcript"
import { Effect, FastCheck as fc } from "effect"
import { LastSaid } from "../src/host/LastSaid.ts"
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

/** What an agent's message may hold. */
const contents = (id: string) =>
  fc.constantFrom([text("Well.")], [bash(`${id}t`, "npm test", 1), text("They fail.")], [running(`${id}t`)])

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

  it.effect("tells with which model the user spoke last, for as long as it is kept", () =>
    Effect.gen(function* () {
      const host = storedHost()
      const say = (id: string, modelID: string) => {
        const info = { id, role: "user", time: { created: ms(1) }, model: { providerID: "p", modelID } }
        host.messages.set("ses_1", [...(host.messages.get("ses_1") ?? []), { info, parts: [text("go on")] }])
      }
      const record = yield* Effect.provide(OpenCodeRecord.make, host.layer)
      const model = Effect.map(LastSaid, (said) => said.of("ses_1")?.model?.modelID ?? null)
      assert.isNull(yield* model)
      say("u1", "small")
      yield* record.transcript("ses_1")
      assert.strictEqual(yield* model, "small")
      say("u2", "large")
      yield* record.transcript("ses_1")
      assert.strictEqual(yield* model, "large")
      record.forget("ses_1")
      assert.isNull(yield* model)
    }).pipe(Effect.provide(LastSaid.Live))
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

  describe("read ahead while the agent works", () => {
    /** A session in which the agent begins to work, its agents and a call that an earlier process left behind. */
    const grown = [
      ...turns(300),
      user("m2a", 11_000, "delegate"),
      agent("m2b", 11_001, [task("t1", "ses_2")]),
      open("m2c", 11_030, [running("t2")]),
      user("m3a", 12_000, "now this")
    ]
    const atWork = [...grown, open("m3b", 12_001, [running("t3")])]
    const stopped = [...grown, agent("m3b", 12_001, [bash("t3", "npm test", 0), text("Done.")])]

    const begun = Effect.fnUntraced(function* (messages: ReadonlyArray<Message>) {
      const host = storedHost()
      host.messages.set("ses_1", messages)
      host.messages.set("ses_2", edited)
      return { ...host, record: yield* Effect.provide(OpenCodeRecord.make, host.layer) }
    })

    it.live("has a stop read what is new, and no more or less of it than without", () =>
      Effect.gen(function* () {
        const { handedOut, messages, reads, record } = yield* begun(atWork)
        const past = yield* record.past("ses_1")
        messages.set("ses_1", stopped)
        const [before, readBefore] = [handedOut.length, reads.length]
        const found = yield* record.transcript("ses_1")
        assert.deepStrictEqual(handedOut.slice(before), [32])
        assert.deepStrictEqual(reads.slice(readBefore), ["ses_1"])
        const { record: other } = yield* begun(stopped)
        assert.deepStrictEqual(found, yield* other.transcript("ses_1"))
        const events = past?.events ?? []
        assert.isAbove(events.length, 600)
        assert.isTrue(events.every((event, index) => event === found.events[index]))
      })
    )

    it.live("counts what an agent does that works on while it is read by when it was done", () =>
      Effect.gen(function* () {
        const test = tool("t2", "bash", {
          status: "completed",
          input: { command: "npm test" },
          output: "ok",
          metadata: { output: "ok", exit: 0 },
          time: { start: ms(12_003), end: ms(12_004) }
        })
        const asked = [...grown, open("m3b", 12_001, [runningTask("t4", "ses_2")])]
        const resumed = [...edited, user("u2", 12_002, "y"), open("a2", 12_003, [test])]
        const { messages, record } = yield* begun(asked)
        messages.set("ses_2", resumed)
        yield* record.past("ses_1")
        messages.set("ses_1", [...grown, agent("m3b", 12_001, [task("t4", "ses_2"), text("Done.")])])
        const found = yield* record.transcript("ses_1")
        const places = found.events.map((event) => ("id" in event ? event.id : null))
        assert.isAbove(places.indexOf("ses_2/t2"), places.indexOf("m3a"))
        assert.strictEqual(places.lastIndexOf("ses_2/t2"), places.indexOf("ses_2/t2"))
      })
    )

    it.live("has the same of it as without, whatever was taken back, compacted or queued since", () => {
      const kinds = fc.constantFrom("user", "agent", "open", "summary", "ours" as const)
      const said = (number: number) =>
        fc.tuple(kinds, contents(`m${10_000 + number}`)).map(([kind, content]): Message => {
          const [id, second] = [`m${10_000 + number}`, 100 + 10 * number]
          if (kind === "user") return user(id, second, `do ${number}`)
          if (kind === "ours") return user(id, second, [text("Continue.", { synthetic: true })])
          if (kind === "open") return open(id, second, content)
          return agent(id, second, content, kind === "summary" ? { summary: true } : {})
        })
      const session = (from: number, length: number) =>
        fc.tuple(...Array.from({ length }, (_, index) => said(from + index)))
      const story = fc.record({
        before: fc.nat(90).chain((length) => session(0, length)),
        taken: fc.nat(12),
        after: fc.nat(12).chain((length) => session(200, length))
      })
      return Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(story, ({ after, before, taken }) =>
            Effect.gen(function* () {
              const { messages, record } = yield* begun(before)
              yield* record.past("ses_1")
              const left = before.slice(0, Math.max(0, before.length - taken))
              const now = [...left, ...after, agent("m19999", 9_999, "All is done.")]
              messages.set("ses_1", now)
              const { record: other } = yield* begun(now)
              assert.deepStrictEqual(yield* record.transcript("ses_1"), yield* other.transcript("ses_1"))
            }).pipe(Effect.runPromise)
          ),
          { numRuns: 30 }
        )
      )
    })

    it.live("leaves the host its time between one piece and the next", () =>
      Effect.gen(function* () {
        const { record } = yield* begun(turns(1000))
        let turnsOfTheHost = 0
        const counting = setInterval(() => (turnsOfTheHost += 1), 0)
        yield* Effect.ensuring(
          record.past("ses_1"),
          Effect.sync(() => clearInterval(counting))
        )
        assert.isAbove(turnsOfTheHost, 20)
      })
    )

    it.live("keeps nothing of what is under way, be it asked in the midst of another answer", () =>
      Effect.gen(function* () {
        for (const messages of [
          [user("m1", 1, "go on"), open("m2", 2, [])],
          [user("m1", 1, "go on")],
          [open("m1", 1, [running("t1")]), user("m2", 2, "and that")]
        ]) {
          const { record } = yield* begun(messages)
          assert.isNull(yield* record.past("ses_1"))
        }
      })
    )

    it.live("reads nothing twice", () =>
      Effect.gen(function* () {
        const { reads, record } = yield* begun(atWork)
        yield* record.past("ses_1")
        const before = reads.length
        assert.isNull(yield* record.past("ses_1"))
        assert.lengthOf(reads, before)
      })
    )

    it.live("reads nothing in a host that hands out no pages, or the same one again and again", () =>
      Effect.gen(function* () {
        for (const before of [null, "the same"]) {
          const host = storedHost()
          host.messages.set("ses_1", atWork)
          host.cursors.given = () => before
          const record = yield* Effect.provide(OpenCodeRecord.make, host.layer)
          assert.isNull(yield* record.past("ses_1"))
          assert.isAbove((yield* record.transcript("ses_1")).events.length, 600)
        }
      })
    )
  })
})
