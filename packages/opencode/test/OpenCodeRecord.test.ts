import { assert, describe } from "@effect/vitest"
import type { Transcript } from "@reflexion/core/Transcript"
import { Effect } from "effect"
import { works } from "../../core/test/support/works.ts"
import * as OpenCodeRecord from "../src/host/OpenCodeRecord.ts"
import { agent, bash, type Fields, type Message, ms, open, text, tool, user } from "./support/messages.ts"
import { fakeHost } from "./support/host.ts"

/** A finished call that ran a subagent in that session. */
const task = (id: string, sessionId: string, over: Fields = {}) =>
  tool(id, "task", {
    status: "completed",
    input: { prompt: "x" },
    metadata: { sessionId },
    output: "<task_result>x</task_result>",
    ...over
  })

/** The subagents' calls in a transcript, in order. */
const agents = ({ events }: Transcript) =>
  events.flatMap((event) =>
    event.type === "tool_call" && event.agentId !== null ? [`${event.id} ${event.status}`] : []
  )

const texts = ({ events }: Transcript) => events.flatMap((event) => ("text" in event ? [event.text] : []))

/** A host with these sessions, and the transcript of `ses_1` there. */
const begin = (sessions: Readonly<Record<string, ReadonlyArray<Message>>>) => {
  const host = fakeHost({ stored: sessions })
  return { ...host, look: Effect.provide(OpenCodeRecord.transcript("ses_1"), host.layer) }
}

const first = [user("u1", 0, "delegate"), agent("a1", 1, [task("t1", "ses_2")]), agent("a2", 30, "done")]
const edited = [user("u1", 2, "x"), agent("a1", 3, [tool("t1", "edit", { status: "completed", input: {} })])]

const turn = (number: number) => [
  user(`m${number}a`, 2 * number, `go on ${number}`),
  agent(`m${number}b`, 2 * number, "done")
]

const turns = (count: number) => Array.from({ length: count }, (_, index) => turn(10_000 + index)).flat()

const steps = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    agent(`s${from + index}`, from + index, [bash(`t${from + index}`, "ls", 0)], { finish: "tool-calls" })
  )

const foretold = () => agent("z1", 30_000, "foretold")

describe("a session's record", () => {
  works("reads short sessions whole; long ones cost the same and begin with a turn", function* () {
    const short = yield* begin({ ses_1: turns(20) }).look
    assert.lengthOf(texts(short), 40)
    assert.notStrictEqual(short.events[0]?.type, "notice")
    for (const count of [100, 1000]) {
      const { handedOut, look } = begin({ ses_1: [...turns(count), ...steps(90_000, 1)] })
      const found = yield* look
      assert.deepInclude(found.events[0], { type: "notice", kind: "unread" })
      assert.match(texts(found)[0] ?? "", /^go on/)
      assert.strictEqual(texts(found).at(-2), `go on ${10_000 + count - 1}`)
      assert.deepStrictEqual(handedOut, [64])
    }
  })

  works("has the whole running turn and the two before, however many messages it has", function* () {
    for (const count of [100, 300, 1200]) {
      const running = [user("u1", 50_000, "the order"), ...steps(50_001, count)]
      const found = yield* begin({ ses_1: [...turns(30), ...running, agent("z1", 60_000, "all done")] }).look
      assert.includeMembers(texts(found), ["the order", "go on 10028"])
      assert.strictEqual(found.events.filter(({ type }) => type === "tool_call").length, count)
    }
    // The record does not begin at a message that the user typed while the agent worked.
    const working = steps(50_001, 100).map((message, index): Message => {
      const time = { created: ms(50_001 + index), completed: ms(50_001 + index + 3) }
      return { ...message, info: { ...message.info, time } }
    })
    const typed = [50_100, 50_101].map((second) => user(`w${second}`, second, `hint ${second}`))
    const running = [user("u1", 50_000, "the order"), ...working, ...typed, agent("z1", 60_000, "all done")]
    assert.include(texts(yield* begin({ ses_1: [...turns(30), ...running] }).look), "the order")
  })

  works("includes the work of nested agents, even if they name one another", function* () {
    const { look } = begin({
      ses_1: first,
      ses_2: [user("u1", 2, "x"), agent("a1", 3, [task("t1", "ses_3"), task("t2", "ses_1")])],
      ses_3: [user("u1", 4, "y"), agent("a1", 5, [bash("t1", "npm test", 1), task("t2", "ses_2")])]
    })
    assert.deepStrictEqual(agents(yield* look), ["ses_3/t1 error"])
  })

  works("includes a background agent's work so far, and leaves out an unreadable or deleted agent", function* () {
    const metadata = { sessionId: "ses_2", background: true }
    const running = task("t1", "ses_2", { metadata, output: '<task id="ses_2" state="running">\n</task>' })
    const started = [user("u1", 0, "delegate"), agent("a1", 1, [running, text("It runs.")])]
    const { faults, look, messages } = begin({ ses_1: started, ses_2: [user("u1", 2, "x")] })
    assert.deepStrictEqual(agents(yield* look), [])
    messages.set("ses_2", edited)
    for (const parent of [started, first]) {
      messages.set("ses_1", parent)
      assert.deepStrictEqual(agents(yield* look), ["ses_2/t1 completed"])
    }
    faults.add("ses_2")
    assert.deepStrictEqual(agents(yield* look), [])
    faults.clear()
    messages.delete("ses_2")
    assert.deepStrictEqual(agents(yield* look), [])
  })

  works("foretold: the unfinished message counts as already written", function* () {
    const { layer } = begin({ ses_1: [...turns(200), open("z1", 30_000, [text("")])] })
    const { stored, transcript } = yield* Effect.provide(OpenCodeRecord.foretold("ses_1", "z1", foretold), layer)
    assert.deepStrictEqual(texts(transcript).slice(-3), ["go on 10199", "done", "foretold"])
    assert.strictEqual(OpenCodeRecord.idOf(stored), "z1")
  })
})
