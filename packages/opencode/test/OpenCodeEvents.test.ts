import { assert, describe, it } from "@effect/vitest"
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import * as Mangled from "@reflexion/testing/samples/Mangled"
import { FastCheck as fc } from "effect"
import * as Mark from "../src/decoder/Mark.ts"
import * as OpenCodeEvents from "../src/host/OpenCodeEvents.ts"

type Fields = Readonly<Record<string, unknown>>

const event = (type: string, properties: Fields) => ({ type, properties: { sessionID: "s1", ...properties } })

const info = (over: Fields) => event("message.updated", { info: { sessionID: "s1", agent: "build", ...over } })

const part = (messageID: string, over: Fields) => event("message.part.updated", { part: { messageID, ...over } })

const said = (id: string, over: Fields = {}) => [
  status("s1", "busy"),
  info({ id, role: "user" }),
  part(id, { type: "text", text: "go", ...over })
]

const open = (id: string, over: Fields = {}) => info({ id, role: "assistant", parentID: "m1", time: {}, ...over })

const done = (id: string, over: Fields = {}) =>
  info({ id, role: "assistant", parentID: "m1", time: { completed: 9 }, finish: "stop", ...over })

const idle = event("session.idle", {})

const aborted = { name: "MessageAbortedError", data: { message: "Aborted" } }

const failed = { name: "APIError", data: { message: "no" } }

const error = (fault: Fields) => event("session.error", { error: fault })

const created = (id: string, over: Fields) => ({ type: "session.created", properties: { info: { id, ...over } } })

const status = (sessionID: string, type: string) => ({
  type: "session.status",
  properties: { sessionID, status: { type } }
})

const shell = { type: "text", text: "The following tool was executed by the user", synthetic: true }

/** The events, each as its tag with what distinguishes it; a session other than the first is named. */
const told = (...events: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  const { take } = OpenCodeEvents.make()
  const all: Array<string> = []
  for (const one of events) {
    for (const { event: what, sessionId } of take(one, 1000)) {
      const { _tag, at: _, ...rest } = what
      const detail = Object.values(rest).join(" ")
      all.push([sessionId === "s1" ? "" : `${sessionId}:`, _tag, detail === "" ? "" : ` ${detail}`].join(""))
    }
  }
  return all
}

const asked = "UserMessage m1 true"

const feedback = Feedback.render({
  facts: ["the tests were not run"],
  actions: ["Run `npm test`."],
  human: [],
  attempt: 1,
  maxAttempts: 3
})

/** The first message of a session tells its mode. */
const building = "ModeChanged build"

describe("a turn", () => {
  it("is a stop once, when an answer that is finished is the last message of an idle session", () => {
    assert.deepStrictEqual(told(...said("m1"), open("m2"), done("m2"), idle), [
      building,
      asked,
      "AssistantMessage",
      "Idle"
    ])
  })

  it.each([
    ["goes on with tools", [done("m2", { finish: "tool-calls" })]],
    ["has no end", [open("m2")]],
    ["failed", [done("m2", { error: failed })]],
    ["is a summary", [done("m2", { summary: true })]],
    ["is followed by a message of the user's", [done("m2"), info({ id: "m3", role: "user" })]]
  ])("whose last answer %s is no stop", (_, events) => {
    assert.notInclude(told(...said("m1"), ...events, idle), "Idle")
  })

  it("that was aborted is one abort, whatever comes after it", () => {
    const late = [done("m2", { finish: undefined, error: aborted }), idle]
    const all = told(...said("m1"), open("m2"), error(aborted), status("s1", "idle"), idle, ...late)
    assert.deepStrictEqual(all, [building, asked, "AssistantMessage", "Abort"])
  })

  it("that was aborted while the model was asked again is an abort, though the host reports none", () => {
    const all = told(...said("m1"), open("m2"), status("s1", "retry"), done("m2", { finish: undefined }), idle, idle)
    assert.deepStrictEqual(all, [building, asked, "AssistantMessage", "Abort"])
  })

  it("after which the user presses Esc is aborted: the session is idle once more and nothing ran", () => {
    const all = told(...said("m1"), done("m2"), idle, idle, idle)
    assert.deepStrictEqual(all, [building, asked, "AssistantMessage", "Idle", "Abort"])
  })

  it("after an aborted one is an ordinary turn", () => {
    const before = [...said("m1"), open("m2"), error(aborted), idle]
    const late = done("m2", { finish: undefined, error: aborted })
    const all = told(...before, ...said("m3"), late, open("m4"), done("m4"), idle)
    assert.deepStrictEqual(all.slice(-3), ["UserMessage m3 true", "AssistantMessage", "Idle"])
  })

  it("that the model's service failed is an error, and its two idles are none", () => {
    assert.deepStrictEqual(told(...said("m1"), open("m2"), error(failed), idle, idle), [
      building,
      asked,
      "AssistantMessage",
      "Error"
    ])
  })

  it("of a shell command that the user runs is none", () => {
    const events = [info({ id: "m1", role: "user" }), part("m1", shell), done("m2", { finish: undefined }), idle]
    assert.deepStrictEqual(told(...events), [building, "UserMessage m1 false", "AssistantMessage"])
  })

  it("in a fork is none before the agent has worked there: the answers are another session's", () => {
    const copied = [info({ id: "m1", role: "user" }), part("m1", { type: "text", text: "go" }), done("m2")]
    assert.notInclude(told(...copied, idle), "Idle")
    assert.include(told(...copied, idle, ...said("m3"), done("m4"), idle), "Idle")
  })

  it("with a message that was queued is one", () => {
    const all = told(...said("m1"), open("m2"), ...said("m3"), done("m2", { finish: "tool-calls" }), done("m4"), idle)
    assert.deepStrictEqual(all, [
      building,
      asked,
      "AssistantMessage",
      "UserMessage m3 true",
      "AssistantMessage",
      "Idle"
    ])
  })
})

describe("a compaction", () => {
  it("that the user asks for is no stop", () => {
    const request = [info({ id: "m3", role: "user" }), part("m3", { type: "compaction" })]
    const events = [...request, done("m4", { summary: true }), event("session.compacted", {}), idle]
    assert.deepStrictEqual(told(...said("m1"), done("m2"), idle, ...events).slice(4), [
      "UserMessage m3 false",
      "Compaction true",
      "Compaction false"
    ])
  })

  it("in the middle of the work is followed by work, and by one stop", () => {
    const request = [info({ id: "m3", role: "user" }), part("m3", { type: "compaction", auto: true })]
    const goOn = said("m5", { text: "Continue if you have next steps", synthetic: true })
    const compacted = [done("m4", { summary: true }), ...goOn, event("session.compacted", {})]
    const all = told(...said("m1"), done("m2", { finish: "tool-calls" }), ...request, ...compacted, done("m6"), idle)
    assert.deepStrictEqual(all.slice(3), [
      "UserMessage m3 false",
      "Compaction true",
      "UserMessage m5 false",
      "Compaction false",
      "AssistantMessage",
      "Idle"
    ])
  })
})

describe("a message in the user's place", () => {
  it("is ours by its mark, and no task", () => {
    const metadata = Mark.feedback({ attempt: 1, maxAttempts: 3, reviewId: "r" })
    assert.deepStrictEqual(told(...said("m1", { metadata })), [building, "UserMessage m1 false"])
  })

  it("is ours by its words where the user took it back and sent it again", () => {
    assert.deepStrictEqual(told(...said("m1", { text: feedback })), [building, "UserMessage m1 false"])
    assert.deepStrictEqual(told(...said("m1", { text: `${feedback} And the docs.` })), [building, asked])
  })

  it("is a person's as soon as a part of it is", () => {
    const parts = [part("m1", shell), part("m1", { type: "text", text: "go" }), part("m1", shell)]
    assert.deepStrictEqual(told(info({ id: "m1", role: "user" }), ...parts), [building, "UserMessage m1 false", asked])
  })

  it("is told once, however often the host changes it", () => {
    assert.deepStrictEqual(told(...said("m1"), ...said("m1")), [building, asked])
  })
})

describe("other sessions", () => {
  it("that the agent starts are its own, and keep it waiting while they work", () => {
    const child = created("s2", { parentID: "s1" })
    const all = told(...said("m1"), child, status("s2", "busy"), status("s2", "retry"), status("s2", "idle"))
    assert.deepStrictEqual(all.slice(2), ["s2:ChildSession subagent", "Background 1", "Background 0"])
  })

  it("that are deleted no longer keep it waiting", () => {
    const child = created("s2", { parentID: "s1" })
    const all = told(child, status("s2", "busy"), { type: "session.deleted", properties: { info: { id: "s2" } } })
    assert.deepStrictEqual(all.slice(1), ["Background 1", "Background 0", "s2:Deleted"])
  })

  it("in which we judge are ours, and no work of the agent's", () => {
    const child = created("s2", { parentID: "s1", metadata: Mark.judge(0) })
    assert.deepStrictEqual(told(child, status("s2", "busy")), ["s2:ChildSession judge"])
  })
})

it("the mode is told of every session's first message that is heard of: a process that is no more may have saved another", () => {
  assert.deepStrictEqual(told(...said("m1"), ...said("m3")), [building, asked, "UserMessage m3 true"])
  assert.deepStrictEqual(told(info({ id: "m1", role: "user", agent: "plan" })), ["ModeChanged plan"])
})

it("the plan agent is plan mode, and the next one is none", () => {
  const all = told(
    info({ id: "m1", role: "user", agent: "plan" }),
    done("m2", { agent: "plan" }),
    info({ id: "m3", role: "user" })
  )
  assert.deepStrictEqual(all, ["ModeChanged plan", "AssistantMessage", "ModeChanged build"])
})

it("questions and permissions are asked until they are answered", () => {
  const events = [
    event("permission.asked", { id: "p1" }),
    event("permission.replied", { requestID: "p1", reply: "once" }),
    event("question.asked", { id: "q1" }),
    event("question.rejected", { requestID: "q1" })
  ]
  assert.deepStrictEqual(told(...events), ["Asked p1", "Answered p1", "Asked q1", "Answered q1"])
})

const samples: ReadonlyArray<object> = [
  ...said("m1"),
  open("m2"),
  done("m2"),
  idle,
  error(aborted),
  error(failed),
  created("s2", { parentID: "s1" }),
  status("s2", "busy"),
  event("session.compacted", {}),
  event("todo.updated", { todos: [] }),
  event("permission.asked", { id: "p1" }),
  ...said("m3"),
  done("m4")
]

describe("events that make no sense", () => {
  it("are passed over: nothing throws, and an answer is a stop once at most", () => {
    const value = Mangled.value(samples, ["s1", "s2", "m1", "m2", "stop", "user", "assistant"])
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), (events) => {
        const { signOf, take } = OpenCodeEvents.make()
        let stops = 0
        for (const one of events) {
          signOf(one)
          stops += take(one, 0).filter((what) => what.event._tag === "Idle").length
        }
        const answers = new Set(events.flatMap((one) => (JSON.stringify(one)?.includes("finish") ? [one] : [])))
        assert.isAtMost(stops, answers.size)
      }),
      { numRuns: 60 }
    )
  })

  it("of many sessions make the oldest forgotten: a second word on it is the first again", () => {
    const { take } = OpenCodeEvents.make()
    const begin = (session: number) => take(created(`s${session}`, { parentID: "s1" }), 0)
    const all = Array.from({ length: 2000 }, (_, session) => begin(session + 2))
    assert.isTrue(all.every(({ length }) => length === 1))
    assert.lengthOf(begin(2001), 0)
    assert.lengthOf(begin(2), 1)
  })
})
