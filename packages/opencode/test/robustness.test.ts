import { assert, describe, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Mangled from "@reflexion/testing/samples/Mangled"
import { FastCheck as fc } from "effect"
import * as OpenCodeAgents from "../src/decoder/OpenCodeAgents.ts"
import * as OpenCodeTranscript from "../src/decoder/OpenCodeTranscript.ts"
import {
  aborted,
  agent,
  bash,
  exported,
  failed,
  info,
  ms,
  open,
  running,
  text,
  tool,
  user
} from "./support/messages.ts"

const bytes = (value: string): Uint8Array => new TextEncoder().encode(value)

const task = tool("t9", "task", { status: "completed", input: {}, metadata: { sessionId: "ses_2" }, output: "x" })

const background = tool("t7", "task", {
  status: "completed",
  input: { prompt: "x" },
  metadata: { sessionId: "ses_3", background: true },
  output: '<task id="ses_3" state="running">\n</task>'
})

const samples: ReadonlyArray<object> = [
  info(),
  { info: info({ parentID: "ses_0" }) },
  user("u1", 0, "fix it"),
  user("u2", 4, [text("plan it"), text("x", { synthetic: true })], { agent: "plan" }),
  user("u3", 8, [text("[reflexion 1/3] The task is not done yet.", { metadata: { reflexion: { feedback: {} } } })]),
  user("u4", 9, [{ type: "file", mime: "image/png" }]),
  user("u5", 10, [{ type: "compaction", auto: true }]),
  user("u6", 11, [text("The following tool was executed by the user", { synthetic: true })]),
  agent("a6", 11, [bash("t6", "ls", undefined)], { parentID: "u6", finish: undefined }),
  open("a1", 1, []),
  open("a1", 1, [text("Let me"), running("t1")]),
  open("a1", 1, [text("Let me"), bash("t1", "make", 1, "no"), text("Now")]),
  agent("a1", 1, [text("Let me"), bash("t1", "make", 1, "no"), text("Now it's done")]),
  agent("a2", 5, [bash("t2", "make", 0), failed("t3", "edit", "Could not find")], { finish: "tool-calls" }),
  agent("a3", 6, [
    tool("t4", "todowrite", { status: "completed", input: { todos: [{ content: "a", status: "pending" }] } })
  ]),
  agent("a4", 7, [text("half"), running("t5")], aborted),
  agent("a5", 10, "a summary", { summary: true }),
  agent("a10", 30, [background, text("I'll report")]),
  user("u8", 40, [text('<task id="ses_3" state="completed">\nfound\n</task>', { synthetic: true })]),
  agent("a7", 12, [task, text("done")]),
  agent("a8", 13, [{ type: "retry", attempt: 1, error: { name: "APIError", data: { message: "x" } } }]),
  exported([user("u1", 0, "fix it"), open("a1", 1, [running("t1")]), user("u7", 20, "go on"), agent("a9", 21, "ok")]),
  exported([user("u1", 0, "fix it"), agent("a1", 1, "ok")], { revert: { messageID: "a1" } }),
  [user("u1", 0, "fix it"), agent("a1", 1, "ok")]
]

const parts = ["a1", "u1", "t1", ms(1)]

const value = Mangled.value(samples, parts)

const line = Mangled.line(samples, parts)

describe("mangled records", () => {
  it("never make the decoder throw, and decode the same however the bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 1, max: 200 }), (lines, size) => {
        const input = bytes(lines.join("\n"))
        const whole = Decoding.decode(OpenCodeTranscript.decoder, input)
        assert.deepStrictEqual(Decoding.decode(OpenCodeTranscript.decoder, input, size).events, whole.events)
      }),
      { numRuns: 60 }
    )
  })

  it("number turns upwards", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 30 }), (values) => {
        let state = OpenCodeTranscript.initial
        let turn = -1
        for (const one of values) {
          const [next, events] = OpenCodeTranscript.step(state, one)
          for (const event of events) {
            if (event.type !== "user_message" || event.synthetic) continue
            assert.isAtLeast(event.turn ?? -1, turn)
            turn = event.turn ?? turn
          }
          state = next
        }
      }),
      { numRuns: 60 }
    )
  })

  it("of agents never make their reader throw", () => {
    fc.assert(
      fc.property(value, (one) => {
        assert.isArray(OpenCodeAgents.children(one))
        for (const call of OpenCodeAgents.calls(one)) assert.isTrue(call.id?.startsWith(`${call.agentId}/`))
      })
    )
  })
})

describe("long records", () => {
  it.each([
    "</shell_metadata>",
    "<metadata>\n",
    "User aborted the command\n",
    "(no output)\n",
    '"',
    "\\",
    "rate limit",
    "../"
  ])("with much of %j in a message, an input, an output and an error are decoded", (unit) => {
    const much = unit.repeat(Math.floor(200_000 / unit.length))
    const values = [
      user("u1", 0, much),
      user("u2", 1, [text(much, { synthetic: true })]),
      agent("a1", 2, [text(much), bash("t1", much, null, much), failed("t2", "edit", much), text(much)]),
      agent("a2", 3, [tool("t3", much, { status: "completed", input: { workdir: much }, output: much })]),
      agent("a3", 4, [], { error: { name: much, data: { message: much } } })
    ]
    // A quadratic scan would end at the limit of a test.
    assert.isNotEmpty(Decoding.fold(OpenCodeTranscript, values))
    assert.isNotEmpty(OpenCodeAgents.calls(values))
  })
})
