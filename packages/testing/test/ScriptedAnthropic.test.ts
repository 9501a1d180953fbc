import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as ScriptedAnthropic from "../src/servers/ScriptedAnthropic.ts"

const Body = Schema.Struct({ content: Schema.Array(Schema.Unknown), stop_reason: Schema.String })

const post = (url: string, request: object) =>
  Effect.promise(() =>
    fetch(`${url}/v1/messages?beta=true`, { method: "POST", body: JSON.stringify({ model: "m", ...request }) })
  )

const ask = (url: string, content: string, tools: ReadonlyArray<string> = ["Bash"]) =>
  post(url, { messages: [{ role: "user", content }], tools: tools.map((name) => ({ name })) }).pipe(
    Effect.flatMap((response) => Effect.promise(() => response.json())),
    Effect.flatMap(Schema.decodeUnknown(Body))
  )

const serve = <A, E>(
  script: ScriptedAnthropic.Script,
  use: (server: ScriptedAnthropic.ScriptedAnthropic["Type"]) => Effect.Effect<A, E>
) => Effect.scoped(Effect.flatMap(ScriptedAnthropic.make(script), use))

const text = (value: string): ScriptedAnthropic.Reply => ({ content: [{ text: value }] })

describe("ScriptedAnthropic", () => {
  it.live("answers the turns in order, then says that the script has ended", () =>
    serve({ turns: [{ content: [{ tool: "Bash", input: { command: "ls" } }] }, text("done")] }, (server) =>
      Effect.gen(function* () {
        const first = yield* ask(server.url, "go")
        assert.strictEqual(first.stop_reason, "tool_use")
        assert.deepInclude(first.content[0], { type: "tool_use", name: "Bash", input: { command: "ls" } })
        const second = yield* ask(server.url, "result")
        assert.deepStrictEqual(second, { content: [{ type: "text", text: "done" }], stop_reason: "end_turn" })
        yield* ask(server.url, "more?")
        const answeredBy = (yield* server.requests).map((request) => request.answeredBy)
        assert.deepStrictEqual(answeredBy, ["turn 1", "turn 2", "unscripted"])
      })
    )
  )

  it.live("lets rules and requests without tools pass by the turns", () =>
    serve(
      {
        turns: [text("turn")],
        rules: [{ name: "sub", when: (request) => request.lastUser === "sub", replies: [text("a"), text("b")] }]
      },
      (server) =>
        Effect.gen(function* () {
          const answers = yield* Effect.forEach(["sub", "sub", "sub", "main"], (content) => ask(server.url, content))
          assert.deepStrictEqual(
            answers.map((answer) => answer.content),
            ["a", "b", "b", "turn"].map((value) => [{ type: "text", text: value }])
          )
          yield* ask(server.url, "title", [])
          assert.strictEqual((yield* server.requests).at(-1)?.answeredBy, "auxiliary")
        })
    )
  )

  it.live("streams an answer as server-sent events that put the tool's input together", () =>
    serve({ turns: [{ content: [{ text: "Hi" }, { tool: "Read", input: { file_path: "/a" } }] }] }, (server) =>
      Effect.gen(function* () {
        const response = yield* post(server.url, { stream: true, messages: [], tools: [{ name: "Read" }] })
        assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
        const stream = yield* Effect.promise(() => response.text())
        const types = [...stream.matchAll(/^event: (\w{1,40})$/gm)].map((match) => match[1])
        assert.deepStrictEqual(types, [
          "message_start",
          "content_block_start",
          "content_block_delta",
          "content_block_stop",
          "content_block_start",
          "content_block_delta",
          "content_block_stop",
          "message_delta",
          "message_stop"
        ])
        assert.include(stream, JSON.stringify(JSON.stringify({ file_path: "/a" })))
      })
    )
  )

  it.live("answers errors, bad requests and unknown paths as the real service does", () =>
    serve({ turns: [{ status: 529, error: "Overloaded" }] }, (server) =>
      Effect.gen(function* () {
        const overloaded = yield* post(server.url, { messages: [], tools: [{ name: "Bash" }] })
        assert.strictEqual(overloaded.status, 529)
        assert.deepStrictEqual(yield* Effect.promise(() => overloaded.json()), {
          type: "error",
          error: { type: "overloaded_error", message: "Overloaded" }
        })
        const bad = yield* post(server.url, { messages: "none" })
        assert.strictEqual(bad.status, 400)
        const unknown = yield* Effect.promise(() => fetch(`${server.url}/v1/other`))
        assert.strictEqual(unknown.status, 404)
      })
    )
  )

  it.live("stops with its scope", () =>
    Effect.gen(function* () {
      const url = yield* serve({ turns: [] }, (server) => Effect.succeed(server.url))
      const refused = yield* Effect.tryPromise(() => fetch(url)).pipe(Effect.either)
      assert.strictEqual(refused._tag, "Left")
    })
  )
})
