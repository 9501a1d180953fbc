import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import * as ModelCall from "@reflexion/core/ModelCall"
import * as HostProgram from "@reflexion/testing/sandbox/HostProgram"
import { Effect, Either, Schema } from "effect"
import { groups, list } from "../../core/test/support/rows.ts"
import { worksWith } from "../../core/test/support/works.ts"
import * as CodexModel from "../src/CodexModel.ts"
import * as AskedEvents from "../src/internal/askedEvents.ts"
import * as ExecWords from "../src/internal/execWords.ts"
import { failed, succeeded } from "./support/lines.ts"

const live = worksWith(NodeContext.layer, it.scopedLive)

const question = { purpose: "self_assessment", system: "Be brief.", prompt: "Done?", objectName: "opinion" } as const

const asking = ModelCall.ask({ ...question, schema: Schema.Struct({ done: Schema.Boolean }) })

live("CodexModel answers with Codex's last message, and starts no user hook, tool or server", function* () {
  const fs = yield* FileSystem.FileSystem
  const home = yield* fs.makeTempDirectoryScoped()
  const toml = '[mcp_servers.docs]\ncommand = "x"\n[mcp_servers.docs.env]\nA = "b"\n'
  yield* fs.writeFileString(`${home}/config.toml`, toml)
  const out = succeeded("I look.", '{"done":true}')
  const { env, program, question, words } = yield* HostProgram.fake({ out, err: "WARNING: no aliases\n" })
  const options = { program, model: "gpt-5.5", effort: "low", env: { CODEX_HOME: home } } as const
  assert.deepStrictEqual(yield* Effect.provide(asking, CodexModel.layer(options)), {
    text: '{"done":true}',
    value: { done: true },
    model: "codex/gpt-5.5",
    usage: { inputTokens: 1200, outputTokens: 70 },
    calls: 1
  })
  const line = (yield* words).join(" ")
  for (const part of list`
      exec --json --ephemeral ¦ --disable hooks ¦ --sandbox read-only ¦ -c notify=[] ¦ -c approval_policy="never"
      -c features.shell_tool=false ¦ -c model_reasoning_effort="low" ¦ --model gpt-5.5 - ¦ -c mcp_servers.docs.enabled=false
    `)
    assert.include(line, part)
  for (const part of ["Done?", "Be brief."]) assert.notInclude(line, part)
  assert.include(yield* question, "Done?")
  assert.include(yield* env, "REFLEXION_ASKING=1")
})

live("CodexModel says how to install a missing Codex", function* () {
  const model = CodexModel.layer({ program: "/nowhere/codex", env: { CODEX_HOME: "/nowhere" } })
  assert.include((yield* Effect.flip(Effect.provide(asking, model))).detail, "npm install -g @openai/codex")
})

it("the MCP servers in each form of configuration are found; a broken one has none", () => {
  const found = [
    'mcp_servers.a = { command = "x" }\nmcp_servers."b c" = { command = "x" }',
    '[mcp_servers]\na = { url = "http://x" }\n[mcp_servers.b-2]\ncommand = "x"',
    "mcp_servers = 3",
    "mcp_servers = [",
    ""
  ].map((toml) => ExecWords.serversIn(toml))
  assert.deepStrictEqual(found, [["a"], ["a", "b-2"], [], [], []])
})

const reasonOf = (printed: Partial<Parameters<typeof AskedEvents.read>[0]>) => {
  const reading = AskedEvents.read({ code: 1, err: "", out: "", ...printed })
  return Either.match(reading, {
    onLeft: ({ detail, reason }) => [reason, detail],
    onRight: ({ text }) => ["said", text]
  })
}

it.each(groups`
  a key that is refused :: unexpected status 401 Unauthorized: bad key, url: http://x/v1/r ¦ unavailable ¦ HTTP 401: .*bad key.*codex login
  too many requests :: exceeded retry limit, last status: 429 Too Many Requests ¦ rate_limited ¦ 429
  a plan that is used up :: You've hit your usage limit. Try again at 5 PM. ¦ rate_limited ¦ usage limit
  a provider out of order :: We’re currently experiencing high demand, which may cause errors. ¦ unavailable ¦ HTTP 503: .*high demand
  a question that is refused :: {"error":{"message":"Invalid model","type":"x","code":null}} ¦ unavailable ¦ ^Invalid model$
  no connection :: Connection failed: error sending request ¦ unavailable ¦ cannot be reached
  a stream that breaks off :: stream disconnected before completion: stream closed ¦ truncated ¦ in the middle
  an answer that is cut off :: Incomplete response returned, reason: max_output_tokens ¦ truncated ¦ cut off at the token limit
  an answer that is filtered :: Incomplete response returned, reason: content_filter ¦ refused ¦ I would
  no key :: Missing environment variable: \`OPENAI_API_KEY\`. ¦ unavailable ¦ Missing environment variable
`)("CodexModel says why there is no answer, and what to do: %s", (_, message = "", reason = "", says = "") => {
  const [is, detail] = reasonOf({ out: failed(message, "I would") })
  assert.strictEqual(is, reason)
  assert.match(detail ?? "", new RegExp(says))
})

it("CodexModel reports Codex's complaint if Codex never began", () => {
  for (const [printed, says] of [
    [
      { err: "WARNING: x\nerror: unexpected argument '--ephemeral' found\n", code: 2 },
      /could not be asked: error: unexpected argument '--ephemeral' found \(check/
    ],
    [{ err: "Error loading config.toml:\nx\n" }, /loading config/],
    [{ code: 0 }, /it ended with 0/],
    [{ out: "Yes, it is done.\n" }, /0.169 or later/],
    [{ out: succeeded('{"done":true}').slice(0, -30) }, /could not be asked/]
  ] as const) {
    const [is, detail] = reasonOf(printed)
    assert.strictEqual(is, "unavailable")
    assert.match(detail ?? "", says)
  }
})
