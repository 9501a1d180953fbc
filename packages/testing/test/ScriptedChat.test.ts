import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"

const post = (url: string, request: object) =>
  Effect.promise(() =>
    fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: "m", stream: true, ...request })
    })
  )

const bash = [{ type: "function", function: { name: "bash" } }]

const ask = (url: string, messages: ReadonlyArray<object>, tools: ReadonlyArray<object> = bash) =>
  Effect.flatMap(post(url, { messages, tools }), (response) => Effect.promise(() => response.text()))

const user = (content: string) => ({ role: "user", content })

const tool = (content: string) => ({ role: "tool", tool_call_id: "c", content })

/** The chunks of an answer, without the one that says that there are no more. */
const chunks = (stream: string) => {
  const lines = stream.split("\n\n").filter((line) => line !== "")
  assert.strictEqual(lines.at(-1), "data: [DONE]")
  return lines.slice(0, -1).map((line) => JSON.parse(line.slice("data: ".length)))
}

const deltas = (stream: string) => chunks(stream).map(({ choices }) => choices[0].delta)

const content = (stream: string) => deltas(stream).flatMap((delta) => delta.content || [])

const begun = (index: number, id: string, name: string) => ({
  tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }]
})

const given = (index: number, input: object) => ({
  tool_calls: [{ index, function: { arguments: JSON.stringify(input) } }]
})

const serve = <A, E>(
  script: ScriptedChat.Script,
  use: (server: ScriptedChat.ScriptedChat["Type"]) => Effect.Effect<A, E>
) => Effect.scoped(Effect.flatMap(ScriptedChat.make(script), use))

const say = (text: string): ScriptedChat.Reply => ({ content: [{ text }] })

describe("ScriptedChat", () => {
  it.live("streams texts, thoughts and calls, and says why it ended and what it cost", () =>
    serve(
      {
        turns: [
          {
            content: [
              { reasoning: "Hm" },
              { text: "Look" },
              { tool: "bash", input: { command: "ls" } },
              { tool: "read", input: { filePath: "/a" } }
            ],
            usage: { input_tokens: 7, output_tokens: 3 }
          },
          say("Done")
        ]
      },
      (server) =>
        Effect.gen(function* () {
          const stream = yield* ask(server.url, [user("go")])
          assert.deepStrictEqual(deltas(stream), [
            { role: "assistant", content: "" },
            { reasoning_content: "Hm" },
            { content: "Look" },
            begun(0, "call_000100", "bash"),
            given(0, { command: "ls" }),
            begun(1, "call_000101", "read"),
            given(1, { filePath: "/a" }),
            {}
          ])
          const last = chunks(stream).at(-1)
          assert.strictEqual(last.choices[0].finish_reason, "tool_calls")
          assert.deepStrictEqual(last.usage, { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })
          const done = chunks(yield* ask(server.url, [user("go")])).at(-1)
          assert.strictEqual(done.choices[0].finish_reason, "stop")
        })
    )
  )

  it.live("streams a text in as many pieces as are asked for", () =>
    serve(
      { turns: [{ content: [{ text: "ab🙂".repeat(1000), deltas: 3000 }] }, { content: [{ text: "ab", deltas: 9 }] }] },
      ({ url }) =>
        Effect.gen(function* () {
          const long = content(yield* ask(url, [user("go")]))
          assert.strictEqual(long.length, 3000)
          assert.strictEqual(long.join(""), "ab🙂".repeat(1000))
          assert.deepStrictEqual(content(yield* ask(url, [user("go")])), ["a", "b"])
        })
    )
  )

  it.live("tells the script who said what, and lets an answer depend on what a tool printed last", () =>
    serve({ turns: [({ lastOutput }) => say(`saw ${lastOutput}`)] }, (server) =>
      Effect.gen(function* () {
        const messages = [{ role: "system", content: "Be kind" }, user("go"), tool("one"), tool("two"), user("and?")]
        assert.include(yield* ask(server.url, messages), "saw two")
        yield* ask(server.url, [user("title")], [])
        const [first, second] = yield* server.requests
        assert.deepInclude(first, {
          system: "Be kind",
          firstUser: "go",
          lastUser: "and?",
          messages: 5,
          tools: ["bash"]
        })
        assert.strictEqual(second?.answeredBy, "auxiliary")
      })
    )
  )

  it.live("leaves the host waiting in the middle of an answer", () =>
    serve({ turns: [{ content: [{ text: "I'll" }, { hangs: true }, { text: "never" }] }] }, ({ url }) =>
      Effect.gen(function* () {
        const response = yield* post(url, { messages: [user("go")], tools: bash })
        const reader = response.body?.getReader()
        const first = yield* Effect.promise(() => reader?.read() ?? Promise.reject(new Error("no body")))
        const text = new TextDecoder().decode(first.value)
        assert.include(text, "I'll")
        assert.notInclude(text, "never")
        assert.notInclude(text, "[DONE]")
        yield* Effect.promise(() => reader?.cancel() ?? Promise.resolve())
      })
    )
  )

  it.live("answers errors, cut answers, bad requests and unknown paths", () =>
    serve(
      {
        turns: [
          { status: 529, error: "Overloaded", retryAfterMillis: 1 },
          { ...say("half"), stopReason: "max_tokens" }
        ]
      },
      ({ url }) =>
        Effect.gen(function* () {
          const overloaded = yield* post(url, { messages: [], tools: bash })
          assert.strictEqual(overloaded.status, 529)
          assert.strictEqual(overloaded.headers.get("retry-after-ms"), "1")
          assert.include(yield* Effect.promise(() => overloaded.text()), "Overloaded")
          const cut = chunks(yield* ask(url, [user("go")])).at(-1)
          assert.strictEqual(cut.choices[0].finish_reason, "length")
          assert.strictEqual((yield* post(url, { messages: "none" })).status, 400)
          const unknown = yield* Effect.promise(() => fetch(`${url}/v1/other`, { method: "POST" }))
          assert.strictEqual(unknown.status, 404)
        })
    )
  )
})
