import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Mark from "../src/decoder/Mark.ts"
import * as OpenCodeTranscript from "../src/decoder/OpenCodeTranscript.ts"
import {
  aborted,
  agent,
  at,
  bash,
  exported,
  failed,
  type Fields,
  info,
  type Message,
  ms,
  open,
  running,
  text,
  tool,
  user
} from "./support/messages.ts"

const { brief } = Decoding

/** What values decode to, without the mode that every session begins with. */
const decoded = (...values: ReadonlyArray<unknown>) =>
  brief(Decoding.fold(OpenCodeTranscript, values)[0]).filter((one) => one !== "mode: build")

const whole = (...messages: ReadonlyArray<Message>) => decoded(exported(messages))

/** Of each user's message that a text becomes, whether it is none of the user's. */
const kindsOf = (given: string) => {
  const [events] = Decoding.fold(OpenCodeTranscript, [exported([user("u1", 0, given)])])
  return events.flatMap((one) => (one.type === "user_message" ? [one.synthetic] : []))
}

const call = (part: Fields, over: Fields = {}) => {
  const [events] = Decoding.fold(OpenCodeTranscript, [exported([user("u1", 0, "go"), agent("a1", 1, [part], over)])])
  const found = events.findLast((one) => one.type === "tool_call")
  return found?.type === "tool_call" ? found : assert.fail("no call")
}

const sessionOf = (...values: ReadonlyArray<unknown>) => {
  let state = OpenCodeTranscript.initial
  for (const value of values) state = OpenCodeTranscript.step(state, value)[0]
  return OpenCodeTranscript.session(state)
}

/** What the host writes below an output. */
const note = (said: string): string => `half\n\n<shell_metadata>\n${said}\n</shell_metadata>`

const error = (name: string, data: Fields) => ({ error: { name, data }, finish: undefined })

/** What the host says of an agent in the background. */
const said = (state: string, text: string) =>
  `<task id="ses_2" state="${state}">\n<summary>x</summary>\n${text}\n</task>`

describe("the session", () => {
  it("is the export's, with its parent", () => {
    assert.deepStrictEqual(sessionOf(exported([], { parentID: "ses_0" })), {
      host: "opencode",
      sessionId: "ses_1",
      parentSessionId: "ses_0",
      cwd: "/repo",
      mode: "unknown",
      attended: null
    })
  })

  it("is known from a message where nothing else names it", () => {
    assert.deepStrictEqual(sessionOf(user("u1", 0, "go"), agent("a1", 1, "ok")), {
      host: "opencode",
      sessionId: "ses_1",
      parentSessionId: null,
      cwd: "/repo",
      mode: "build",
      attended: null
    })
  })

  it.each([
    ["opencode-run", false],
    ["opencode-screen", null]
  ])("has nobody in it where its record says that nobody may be asked: %s", (name, attended) => {
    const file = new URL(`../../testing/recordings/attended/${name}.json`, import.meta.url)
    assert.strictEqual(sessionOf(JSON.parse(readFileSync(file, "utf8"))).attended, attended)
  })

  it.each([[info({ parentID: "ses_0" })], [{ info: info({ parentID: "ses_0" }) }]])(
    "is known from its own record %#",
    (value) => {
      assert.strictEqual(sessionOf(value).parentSessionId, "ses_0")
    }
  )

  it("is in the mode of its last agent", () => {
    const plan = user("u1", 0, "plan it", { agent: "plan" })
    assert.strictEqual(sessionOf(exported([plan])).mode, "plan")
    const events = brief(
      Decoding.fold(OpenCodeTranscript, [exported([plan, agent("a1", 1, "so"), user("u2", 3, "do it")])])[0]
    )
    assert.deepStrictEqual(events, ["user 0: plan it", "mode: plan", "agent: so", "user 1: do it", "mode: build"])
  })
})

const nothing = { facts: [], actions: [], human: [] }

/** Of each message in the user's place: whether it is synthetic, and the push that it counts as. */
const attempts = (words: string, mark: Fields) => {
  const part = text(words, { metadata: { reflexion: { feedback: mark } } })
  const [events] = Decoding.fold(OpenCodeTranscript, [exported([user("u1", 0, [part])])])
  return events.flatMap((one) => (one.type === "user_message" ? [[one.synthetic, Feedback.attemptOf(one.text)]] : []))
}

describe("messages of the user", () => {
  it("are numbered; several texts are one", () => {
    assert.deepStrictEqual(
      whole(user("u1", 0, [text("a"), text("b")]), agent("a1", 1, "ok"), user("u2", 3, "c"), agent("a2", 4, "ok")),
      ["user 0: a\nb", "agent: ok", "user 1: c", "agent: ok"]
    )
  })

  it.each([
    ['"fix it and run the tests"', "fix it and run the tests"],
    ['"say \\"done\\" at the end"', 'say "done" at the end'],
    ['"first" or "second"?', '"first" or "second"?'],
    ['rename "a"', 'rename "a"']
  ])("of the command line, %s, are without its quotation marks", (given, expected) => {
    const [events] = Decoding.fold(OpenCodeTranscript, [exported([user("u1", 0, given)])])
    const found = events.find((one) => one.type === "user_message")
    assert.strictEqual(found?.type === "user_message" ? found.text : null, expected)
  })

  it("keep what the host adds to them to itself", () => {
    const parts = [
      text("look at @a.js"),
      text("Called the Read tool", { synthetic: true }),
      text("note", { ignored: true })
    ]
    assert.deepStrictEqual(whole(user("u1", 0, parts)), ["user 0: look at @a.js"])
  })

  it.each<[string, Fields, string]>([
    ["the host's", { synthetic: true }, "synthetic: x"],
    ["for the user's eyes", { ignored: true }, "synthetic: x"],
    ["our feedback", { metadata: { reflexion: { feedback: { attempt: 1 } } } }, "synthetic: x"],
    ["another plugin's", { metadata: { other: 1 } }, "user 0: x"]
  ])("of one text that is %s", (_, over, expected) => {
    assert.deepStrictEqual(whole(user("u1", 0, [text("x", over)])), [expected])
  })

  it("of our feedback that the user took back and sent again is still no word of theirs", () => {
    const feedback = Feedback.render({ ...nothing, attempt: 1, maxAttempts: 3 })
    assert.deepStrictEqual(kindsOf(feedback), [true])
    assert.deepStrictEqual(kindsOf(`${feedback} And the docs.`), [false])
  })

  it("of our feedback count as the push that their mark says, also where another plugin has changed the words", () => {
    const ours = Feedback.render({ ...nothing, attempt: 2, maxAttempts: 3 })
    for (const attempt of [1, 2, 3]) {
      assert.deepStrictEqual(attempts("Please go on.", { attempt, maxAttempts: 3, reviewId: "s1/0" }), [
        [true, attempt]
      ])
      assert.deepStrictEqual(attempts(ours, { attempt, maxAttempts: 3, reviewId: "s1/0" }), [[true, 2]])
    }
    for (const attempt of [0, 1.5, 100, "1", null]) {
      assert.deepStrictEqual(attempts("Please go on.", { attempt, maxAttempts: 3 }), [[true, null]])
    }
  })

  it("counts of a command's text only what the user typed as his, and the rest as what that orders", () => {
    const metadata = Mark.command({ name: "ship", arguments: "to staging" })
    const marked = text("Delete the tests, then push.", { metadata })
    const message = user("u1", 0, [marked, { type: "file", mime: "text/plain", filename: "a.js" }])
    const [events] = Decoding.fold(OpenCodeTranscript, [exported([message])])
    assert.deepStrictEqual(
      events.flatMap((event) =>
        event.type === "user_message" ? [[event.text, event.synthetic, event.expansion]] : []
      ),
      [
        ["/ship to staging", false, undefined],
        ["Delete the tests, then push.", true, true]
      ]
    )
    const bySubagent = user("u1", 0, [
      { type: "subtask", prompt: "Delete the tests.", agent: "general", command: "ship" }
    ])
    assert.include(whole(bySubagent), "user 0: /ship")
    assert.notInclude(whole(bySubagent), "user 0: Delete the tests.")
  })

  it.each<[Fields, ReadonlyArray<string>]>([
    [{ type: "file", mime: "image/png", url: "data:" }, ["user 0: [image]"]],
    [{ type: "file", mime: "text/plain", filename: "a.js" }, ["user 0: [file a.js]"]],
    [{ type: "subtask", prompt: "review it", agent: "general" }, ["user 0: review it"]],
    [{ type: "compaction", auto: false }, []],
    [{ type: "agent", name: "general" }, []]
  ])("without words: %j", (part, expected) => {
    assert.deepStrictEqual(whole(user("u1", 0, [part])), expected)
  })

  it("typed while the agent works join the running turn, after it begin one", () => {
    const working = agent("a1", 1, [bash("t1", "make", 0)], {
      finish: "tool-calls",
      time: { created: ms(1), completed: ms(9) }
    })
    assert.deepStrictEqual(
      whole(user("u1", 0, "a"), working, user("u2", 5, "b"), agent("a2", 10, "both"), user("u3", 20, "c")),
      ["user 0: a", "bash t1 completed 0", "user 0: b", "agent: both", "user 2: c"]
    )
  })

  it("after a message that a process left behind begin a turn", () => {
    assert.deepStrictEqual(
      whole(user("u1", 0, "a"), open("a1", 1, [running("t1")]), user("u2", 5, "b"), agent("a2", 6, "ok")),
      ["user 0: a", "bash t1 interrupted", "user 1: b", "agent: ok"]
    )
  })

  it("that were taken back are no part of the session", () => {
    const messages = [user("u1", 0, "a"), agent("a1", 1, "ok"), user("u2", 3, "b"), agent("a2", 4, "no")]
    assert.deepStrictEqual(decoded(exported(messages, { revert: { messageID: "u2" } })), ["user 0: a", "agent: ok"])
  })

  it("announce a command of the user's own, which is no call of the agent's", () => {
    const announced = user("u2", 3, [text("The following tool was executed by the user", { synthetic: true })])
    const own = agent(
      "a2",
      4,
      [tool("t1", "bash", { status: "completed", input: { command: "make" }, output: "no" })],
      {
        parentID: "u2",
        finish: undefined
      }
    )
    assert.deepStrictEqual(whole(user("u1", 0, "a"), agent("a1", 1, "ok"), announced, own, user("u3", 6, "b")), [
      "user 0: a",
      "agent: ok",
      "synthetic: The following tool was executed by the user",
      "user 1: b"
    ])
  })
})

describe("the agent's words", () => {
  it("have the message's id, model and tokens, and those before a call are words of their own", () => {
    const [events] = Decoding.fold(OpenCodeTranscript, [
      agent("a1", 1, [
        text("one"),
        text("two", { time: { start: ms(1), end: ms(2) } }),
        bash("t1", "make", 0),
        text("three")
      ])
    ])
    assert.deepStrictEqual(
      events.filter((one) => one.type === "assistant_message"),
      [
        {
          type: "assistant_message",
          id: "a1",
          at: at(2),
          text: "one\n\ntwo",
          completed: true,
          outputTokens: null,
          model: "m"
        },
        {
          type: "assistant_message",
          id: "prt_three",
          at: at(1),
          text: "three",
          completed: true,
          outputTokens: 7,
          model: "m"
        }
      ]
    )
  })

  it.each<[Fields, boolean | null]>([
    [{ finish: "stop" }, true],
    [{ finish: "tool-calls" }, true],
    [{ finish: "length" }, false],
    [{ finish: "content-filter" }, false],
    [{ finish: "other" }, null],
    [{ finish: undefined }, null],
    [{ error: { name: "MessageOutputLengthError", data: {} }, finish: undefined }, false]
  ])("of a message with %j are whole: %j", (over, expected) => {
    const [events] = Decoding.fold(OpenCodeTranscript, [agent("a1", 1, "x", over)])
    assert.deepStrictEqual(
      events.flatMap((one) => (one.type === "assistant_message" ? [one.completed] : [])),
      [expected]
    )
  })

  it("that are none are said where the message has nothing else", () => {
    assert.deepStrictEqual(whole(agent("a1", 1, [{ type: "reasoning", text: "hm" }])), ["agent: "])
    assert.deepStrictEqual(whole(agent("a1", 1, [bash("t1", "make", 0)], { finish: "tool-calls" })), [
      "bash t1 completed 0"
    ])
  })

  it("of a summary are the host's for the model", () => {
    const asked = user("u2", 3, [{ type: "compaction", auto: true }])
    const summary = agent("a2", 4, "all that was", { summary: true, agent: "compaction" })
    const goOn = user("u3", 6, [text("Continue", { synthetic: true, metadata: { compaction_continue: true } })])
    assert.deepStrictEqual(whole(user("u1", 0, "a"), asked, summary, goOn, agent("a3", 7, "ok")), [
      "user 0: a",
      "compacted: null",
      "synthetic: Continue",
      "agent: ok"
    ])
    assert.deepStrictEqual(whole(agent("a2", 4, "half", { summary: true, ...aborted })), ["aborted: Aborted"])
  })
})

describe("a call", () => {
  it("has its part's id, times and directory", () => {
    assert.deepStrictEqual(call(bash("t1", "make", 0, "ok\n")), {
      type: "tool_call",
      id: "t1",
      at: at(1),
      endedAt: at(2),
      tool: "bash",
      input: { command: "make" },
      cwd: "/repo",
      background: false,
      agentId: null,
      status: "completed",
      exitCode: 0,
      output: "ok\n"
    })
  })

  it.each<[unknown, string]>([
    ["/other", "/other"],
    ["C:\\other", "C:\\other"],
    ["sub", "/repo/sub"],
    ["", "/repo"],
    [7, "/repo"]
  ])("in the directory %j runs in %s", (workdir, expected) => {
    assert.strictEqual(
      call(tool("t1", "bash", { status: "completed", input: { command: "make", workdir } })).cwd,
      expected
    )
  })

  it.each<[string, Fields, string]>([
    ["exited 0", bash("t", "make", 0), "completed 0"],
    ["exited 3", bash("t", "make", 3), "error 3"],
    ["was interrupted", bash("t", "make", null, note("User aborted the command")), "interrupted -"],
    [
      "took too long",
      bash("t", "make", null, note("shell tool terminated command after exceeding timeout 9 ms.")),
      "error -"
    ],
    ["printed what a note looks like", bash("t", "cat", 0, note("User aborted the command")), "completed 0"],
    ["says nothing of how", bash("t", "make", undefined), "completed -"],
    ["succeeded, in an old version", tool("t", "bash", { status: "success", output: "x" }), "completed -"],
    ["is not there", tool("t", "invalid", { status: "completed", input: { tool: "x" }, output: "no" }), "error -"],
    ["failed", failed("t", "edit", "Could not find oldString in the file."), "error -"],
    [
      "was refused by the user",
      failed("t", "bash", "The user rejected permission to use this specific tool call."),
      "denied -"
    ],
    [
      "was refused by a rule",
      failed("t", "bash", "The user has specified a rule which prevents you from it"),
      "denied -"
    ],
    ["was dismissed", failed("t", "question", "Error: The user dismissed this question"), "denied -"],
    [
      "was aborted",
      failed("t", "bash", "Tool execution aborted", { metadata: { interrupted: true } }),
      "interrupted -"
    ],
    ["was cancelled", failed("t", "task", "Task cancelled"), "interrupted -"],
    ["runs", running("t"), "running -"],
    ["waits", tool("t", "bash", { status: "pending", input: {} }), "pending -"],
    ["has no state", { id: "t", type: "tool", tool: "bash" }, "pending -"]
  ])("that %s", (_, part, expected) => {
    const { exitCode, status } = call(part)
    assert.strictEqual(`${status} ${exitCode ?? "-"}`, expected)
  })

  it("that printed nothing has an empty output", () => {
    assert.strictEqual(call(bash("t", "true", 0, "(no output)")).output, "")
    assert.isNull(call(running("t")).output)
  })

  it("of the todo list leaves it as it is then", () => {
    const todos = [
      { content: "a", status: "completed", priority: "high" },
      { content: "b", status: "cancelled" },
      { content: "c", status: "odd" },
      { status: "pending" }
    ]
    const wrote = (status: string) => tool("t1", "todowrite", { status, input: { todos }, output: "[]" })
    assert.deepStrictEqual(whole(agent("a1", 1, [wrote("completed")])), [
      "todowrite t1 completed",
      "todos: a completed, b cancelled, c pending"
    ])
    assert.deepStrictEqual(whole(agent("a1", 1, [wrote("error")])), ["todowrite t1 error"])
  })

  it("of a model that numbers its calls alike is one of its own", () => {
    assert.deepStrictEqual(whole(agent("a1", 1, [bash("t1", "a", 0)]), agent("a2", 3, [bash("t2", "b", 1)])), [
      "bash t1 completed 0",
      "bash t2 error 1"
    ])
  })
})

describe("an agent in the background", () => {
  const task = tool("t1", "task", {
    status: "completed",
    input: { prompt: "x" },
    metadata: { sessionId: "ses_2", background: true },
    output: said("running", "")
  })

  const back = (state: string, id = "u2") => user(id, 9, [text(said(state, "found"), { synthetic: true })])

  it.each(["completed", "error"])("goes on after its call until the host says that it is %s", (state) => {
    const turn = [user("u1", 0, "go"), agent("a1", 1, [task, text("I'll report.")])]
    assert.deepStrictEqual(whole(...turn), ["user 0: go", "task t1 running", "agent: I'll report."])
    assert.deepStrictEqual(whole(...turn, back(state), back(state, "u3")).slice(3), [
      `synthetic: ${said(state, "found")}`,
      `task t1 ${state}`,
      `synthetic: ${said(state, "found")}`
    ])
  })

  it("is not one that a person writes of", () => {
    const typed = user("u2", 9, [text(said("completed", "found"))])
    assert.notInclude(whole(user("u1", 0, "go"), agent("a1", 1, [task]), typed), "task t1 completed")
  })
})

describe("notices", () => {
  it.each<[Fields, ReadonlyArray<string>]>([
    [aborted, ["aborted: Aborted"]],
    [error("APIError", { message: "bad key", statusCode: 401 }), ["api_error: bad key"]],
    [error("APIError", { message: "slow down", statusCode: 429 }), ["rate_limited: slow down"]],
    [error("ContextOverflowError", { message: "too large" }), ["rate_limited: too large"]],
    [error("UnknownError", {}), ["api_error: UnknownError"]],
    [{ finish: undefined }, ["aborted: null"]]
  ])("of a message that ended with %j", (over, expected) => {
    assert.deepStrictEqual(whole(user("u1", 0, "a"), agent("a1", 1, [{ type: "step-start" }], over)).slice(1), expected)
  })
})

describe("a message that is still written", () => {
  it("has its last words told at the end of the input, as far as they go", () => {
    assert.deepStrictEqual(decoded(user("u1", 0, "a"), open("a1", 1, [text("Half a")])), ["user 0: a", "agent: Half a"])
  })

  it("is joined by what a person types meanwhile", () => {
    assert.deepStrictEqual(decoded(user("u1", 0, "a"), open("a1", 1, [running("t1")]), user("u2", 5, "b")), [
      "user 0: a",
      "bash t1 running",
      "user 0: b"
    ])
  })

  it("says nothing before its parts are there", () => {
    assert.deepStrictEqual(decoded(user("u1", 0, [])), [])
  })
})

describe("what is recognised", () => {
  it.each<[unknown, boolean]>([
    [exported([]), true],
    [[user("u1", 0, "a")], true],
    [agent("a1", 1, "b"), true],
    [{ type: "text", timestamp: 1, sessionID: "s", part: {} }, false],
    [info(), false],
    [[], false],
    [{ messages: [] }, false],
    [{ role: "user", content: "x" }, false],
    [{ type: "user", sessionId: "s", message: {} }, false],
    ["text", false],
    [null, false]
  ])("%j: %j", (value, expected) => {
    assert.strictEqual(OpenCodeTranscript.decoder.recognises(value), expected)
  })

  it.each<[string, unknown]>([
    ["an export as it is printed", exported([user("u1", 0, "a"), agent("a1", 1, "b")])],
    ["the messages alone", [user("u1", 0, "a"), agent("a1", 1, "b")]]
  ])("%s is read whole", (_, value) => {
    const reader = TranscriptReader.make({ decoders: [OpenCodeTranscript.decoder] })
    const events = [...reader.push(new TextEncoder().encode(JSON.stringify(value, null, 2))), ...reader.end()]
    assert.deepStrictEqual(brief(events), ["user 0: a", "mode: build", "agent: b"])
    assert.deepStrictEqual([reader.host(), reader.warningCount()], ["opencode", 0])
  })
})
