import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as ModelCall from "@reflexion/core/ModelCall"
import * as HostProgram from "@reflexion/testing/sandbox/HostProgram"
import { Effect, Schema } from "effect"
import * as CodexModel from "../src/CodexModel.ts"
import * as ExecWords from "../src/internal/execWords.ts"

const long = 60_000

const Opinion = Schema.Struct({ done: Schema.Boolean })

const asking = ModelCall.ask({
  purpose: "judge",
  system: "Be brief.",
  prompt: "Done?",
  schema: Opinion,
  objectName: "opinion"
})

const lines = (...events: ReadonlyArray<object>): string => events.map((event) => `${JSON.stringify(event)}\n`).join("")

const began = [{ type: "thread.started", thread_id: "t" }, { type: "turn.started" }]

const said = (text: string) => ({ type: "item.completed", item: { id: "item_0", type: "agent_message", text } })

const usage = {
  input_tokens: 1200,
  cached_input_tokens: 1000,
  cache_write_input_tokens: 0,
  output_tokens: 70,
  reasoning_output_tokens: 60
}

const answered = (...texts: ReadonlyArray<string>) =>
  lines(...began, ...texts.map(said), { type: "turn.completed", usage })

const failed = (message: string, ...texts: ReadonlyArray<string>) =>
  lines(...began, ...texts.map(said), { type: "error", message }, { type: "turn.failed", error: { message } })

/** Asks once a program that prints so. */
const over = Effect.fnUntraced(function* (printing: HostProgram.Printing, options: CodexModel.Options = {}) {
  const { program, ...kept } = yield* HostProgram.fake(printing)
  const home = { CODEX_HOME: "/nowhere" }
  const model = CodexModel.layer({ program, ...options, env: { ...home, ...options.env } })
  return { ...kept, using: Effect.provide(model) }
})

describe("CodexModel", () => {
  it.scopedLive(
    "answers with the last that Codex said, and counts its tokens",
    () =>
      Effect.gen(function* () {
        const { using } = yield* over({ out: answered("I look.", '{"done":true}'), err: "WARNING: no aliases\n" })
        const answer = yield* using(asking)
        assert.deepStrictEqual(answer, {
          text: '{"done":true}',
          value: { done: true },
          model: "codex/default",
          usage: { inputTokens: 1200, outputTokens: 70 },
          calls: 1
        })
      }).pipe(Effect.provide(NodeContext.layer)),
    long
  )

  it.scopedLive(
    "keeps hooks, tools, sessions and notifications out, and the question out of the arguments",
    () =>
      Effect.gen(function* () {
        const { env, question, using, words } = yield* over(
          { out: answered("Yes.") },
          { model: "gpt-5.5", effort: "low" }
        )
        yield* using(asking)
        const line = (yield* words).join(" ")
        for (const part of [
          "exec --json --ephemeral",
          "--disable hooks",
          "--sandbox read-only",
          "-c notify=[]",
          '-c approval_policy="never"',
          "-c features.shell_tool=false",
          '-c model_reasoning_effort="low"',
          "--model gpt-5.5 -"
        ]) {
          assert.include(line, part)
        }
        assert.notInclude(line, "Done?")
        assert.notInclude(line, "Be brief.")
        assert.include(yield* question, "Done?")
        assert.include(yield* env, "REFLEXION_ASKING=1")
      }).pipe(Effect.provide(NodeContext.layer)),
    long
  )

  it.scopedLive(
    "starts none of the user's MCP servers",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const home = yield* fs.makeTempDirectoryScoped()
        const toml = '[mcp_servers.docs]\ncommand = "x"\n[mcp_servers.docs.env]\nA = "b"\n'
        yield* fs.writeFileString(`${home}/config.toml`, toml)
        const { using, words } = yield* over({ out: answered("Yes.") }, { env: { CODEX_HOME: home } })
        yield* using(asking)
        assert.include((yield* words).join(" "), "-c mcp_servers.docs.enabled=false")
      }).pipe(Effect.provide(NodeContext.layer)),
    long
  )

  it("finds the servers of a configuration, whatever it looks like", () => {
    const found = [
      'mcp_servers.a = { command = "x" }\nmcp_servers."b c" = { command = "x" }',
      '[mcp_servers]\na = { url = "http://x" }\n[mcp_servers.b-2]\ncommand = "x"',
      "mcp_servers = 3",
      "mcp_servers = [",
      ""
    ].map((toml) => ExecWords.serversIn(toml))
    assert.deepStrictEqual(found, [["a"], ["a", "b-2"], [], [], []])
  })

  const rows: ReadonlyArray<readonly [name: string, printing: HostProgram.Printing, reason: string, says: RegExp]> = [
    [
      "a key that is refused",
      { out: failed("unexpected status 401 Unauthorized: bad key, url: http://x/v1/responses"), code: 1 },
      "unavailable",
      /HTTP 401: .*bad key.*codex login status/
    ],
    [
      "too many requests",
      { out: failed("exceeded retry limit, last status: 429 Too Many Requests"), code: 1 },
      "rate_limited",
      /429/
    ],
    [
      "a plan that is used up",
      { out: failed("You've hit your usage limit. Try again at 5 PM."), code: 1 },
      "rate_limited",
      /usage limit/
    ],
    [
      "a provider out of order",
      { out: failed("We’re currently experiencing high demand, which may cause temporary errors."), code: 1 },
      "unavailable",
      /HTTP 503: .*high demand/
    ],
    [
      "a question that is refused",
      { out: failed('{"error":{"message":"Invalid model","type":"x","code":null}}'), code: 1 },
      "unavailable",
      /^Invalid model$/
    ],
    [
      "no connection",
      { out: failed("Connection failed: error sending request"), code: 1 },
      "unavailable",
      /cannot be reached/
    ],
    [
      "a stream that breaks off",
      { out: failed("stream disconnected before completion: stream closed", '{"done":'), code: 1 },
      "truncated",
      /in the middle/
    ],
    [
      "an answer that is cut off",
      { out: failed("Incomplete response returned, reason: max_output_tokens", '{"done":'), code: 1 },
      "truncated",
      /limit of tokens/
    ],
    [
      "an answer that is filtered",
      { out: failed("Incomplete response returned, reason: content_filter", "I would"), code: 1 },
      "refused",
      /I would/
    ],
    [
      "no key",
      { out: failed("Missing environment variable: `OPENAI_API_KEY`."), code: 1 },
      "unavailable",
      /Missing environment variable/
    ],
    ["an empty answer", { out: answered() }, "malformed", /empty/],
    [
      "an older Codex",
      { err: "WARNING: x\nerror: unexpected argument '--ephemeral' found\n", code: 2 },
      "unavailable",
      /could not be asked: error: unexpected argument '--ephemeral' found \(check/
    ],
    ["a broken configuration", { err: "Error loading config.toml:\nx\n", code: 1 }, "unavailable", /loading config/],
    ["no word", {}, "unavailable", /it ended with 0/],
    ["no JSON", { out: "Yes, it is done.\n" }, "unavailable", /0.169 or later/],
    ["half a line", { out: answered('{"done":true}').slice(0, -30) }, "unavailable", /could not be asked/]
  ]

  it.scopedLive(
    "says why there is no answer, and what to do",
    () =>
      Effect.gen(function* () {
        for (const [name, printing, reason, says] of rows) {
          const { using } = yield* over(printing)
          const failure = yield* Effect.flip(using(asking))
          assert.strictEqual(failure.reason, reason, name)
          assert.match(failure.detail, says, name)
        }
      }).pipe(Effect.provide(NodeContext.layer)),
    long
  )

  it.scopedLive(
    "says how to get Codex where there is none",
    () =>
      Effect.gen(function* () {
        const model = CodexModel.layer({ program: "/nowhere/codex", env: { CODEX_HOME: "/nowhere" } })
        const failure = yield* Effect.flip(Effect.provide(asking, model))
        assert.include(failure.detail, "npm install -g @openai/codex")
      }).pipe(Effect.provide(NodeContext.layer)),
    long
  )
})
