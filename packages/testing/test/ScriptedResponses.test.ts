import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ScriptedResponses from "../src/servers/ScriptedResponses.ts"

const post = (url: string, request: object) =>
  Effect.promise(() =>
    fetch(`${url}/v1/responses`, { method: "POST", body: JSON.stringify({ model: "m", stream: true, ...request }) })
  )

const ask = (url: string, input: ReadonlyArray<object>, tools: ReadonlyArray<object> = [{ type: "function" }]) =>
  Effect.flatMap(post(url, { input, tools }), (response) => Effect.promise(() => response.text()))

const user = (text: string) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] })

const output = (text: string) => ({ type: "function_call_output", call_id: "c", output: text })

/** The items of an answer, as the host takes them from the stream. */
const items = (stream: string): ReadonlyArray<unknown> =>
  stream
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice("data: ".length)))
    .flatMap((event) => (event.type === "response.output_item.done" ? [event.item] : []))

const serve = <A, E>(
  script: ScriptedResponses.Script,
  use: (server: ScriptedResponses.ScriptedResponses["Type"]) => Effect.Effect<A, E>
) => Effect.scoped(Effect.flatMap(ScriptedResponses.make(script), use))

const say = (text: string): ScriptedResponses.Reply => ({ content: [{ text }] })

describe("ScriptedResponses", () => {
  it.live("streams texts, functions and calls that take plain text", () =>
    serve(
      {
        turns: [
          {
            content: [
              { text: "Look" },
              { tool: "exec_command", input: { cmd: "ls" } },
              { tool: "spawn_agent", namespace: "agents", input: {} },
              { tool: "apply_patch", source: "*** Begin Patch" }
            ]
          },
          say("Done")
        ]
      },
      (server) =>
        Effect.gen(function* () {
          const stream = yield* ask(server.url, [user("go")])
          assert.match(stream, /^event: response.created\n/)
          assert.include(stream, `"delta":"Look"`)
          assert.include(stream, `event: response.completed\n`)
          const [text, call, agent, patch] = items(stream)
          assert.deepInclude(text, { type: "message", role: "assistant", phase: "commentary" })
          assert.deepInclude(call, { type: "function_call", name: "exec_command", arguments: `{"cmd":"ls"}` })
          assert.deepInclude(agent, { type: "function_call", name: "spawn_agent", namespace: "agents" })
          assert.deepInclude(patch, { type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch" })
          assert.deepInclude(items(yield* ask(server.url, [user("go")]))[0], { phase: "final_answer" })
        })
    )
  )

  it.live("lets an answer depend on what a tool printed last", () =>
    serve({ turns: [({ lastOutput }) => say(`saw ${lastOutput}`)] }, (server) =>
      Effect.gen(function* () {
        const stream = yield* ask(server.url, [user("go"), output("one"), output("two"), user("and?")])
        assert.include(stream, "saw two")
      })
    )
  )

  it.live("counts the tools among the input as tools", () =>
    serve({ turns: [say("turn")] }, (server) =>
      Effect.gen(function* () {
        const tools = { type: "additional_tools", tools: [{ type: "custom", name: "exec" }] }
        yield* ask(server.url, [user("go"), tools], [])
        yield* ask(server.url, [user("summarise")], [])
        const requests = yield* server.requests
        assert.deepStrictEqual(
          requests.map(({ answeredBy, tools }) => [answeredBy, ...tools]),
          [["turn 1", "exec"], ["auxiliary"]]
        )
      })
    )
  )

  it.live("answers errors, cut answers, bad requests and unknown paths", () =>
    serve(
      {
        turns: [
          { status: 429, error: "Slow down" },
          { ...say("half"), stopReason: "max_tokens" }
        ]
      },
      (server) =>
        Effect.gen(function* () {
          const limited = yield* post(server.url, { input: [], tools: [{ type: "function" }] })
          assert.strictEqual(limited.status, 429)
          assert.include(yield* Effect.promise(() => limited.text()), "Slow down")
          assert.include(yield* ask(server.url, [user("go")]), "event: response.incomplete\n")
          assert.strictEqual((yield* post(server.url, { input: "none" })).status, 400)
          const unknown = yield* Effect.promise(() => fetch(`${server.url}/v1/other`, { method: "POST" }))
          assert.strictEqual(unknown.status, 404)
        })
    )
  )
})
