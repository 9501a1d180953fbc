import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import * as ModelCall from "@reflexion/core/ModelCall"
import * as HostProgram from "@reflexion/testing/sandbox/HostProgram"
import { Effect, Either, Schema } from "effect"
import { groups } from "../../core/test/support/rows.ts"
import { worksWith } from "../../core/test/support/works.ts"
import * as ClaudeCodeModel from "../src/ClaudeCodeModel.ts"
import * as Asked from "../src/internal/asked.ts"

const live = worksWith(NodeContext.layer, it.scopedLive)

const question = { purpose: "self_assessment", system: "Be brief.", prompt: "Done?", objectName: "opinion" } as const

const asking = ModelCall.ask({ ...question, schema: Schema.Struct({ done: Schema.Boolean }), maxOutputTokens: 900 })

const result = (more: object): string =>
  JSON.stringify({
    type: "result",
    subtype: "success",
    is_error: false,
    api_error_status: null,
    stop_reason: "end_turn",
    result: '{"done":true}',
    usage: { input_tokens: 200, cache_creation_input_tokens: 300, cache_read_input_tokens: 700, output_tokens: 70 },
    modelUsage: { "claude-small": { outputTokens: 1 }, "claude-large": { outputTokens: 70 } },
    ...more
  })

live("ClaudeCodeModel returns Claude Code's answer, and runs it without hooks, tools and sessions", function* () {
  for (const out of [result({}), `[{"type":"system"},${result({})}]`]) {
    const { env, program, question, words } = yield* HostProgram.fake({ out })
    const model = ClaudeCodeModel.layer({ program, model: "opus", effort: "low" })
    assert.deepStrictEqual(yield* Effect.provide(asking, model), {
      text: '{"done":true}',
      value: { done: true },
      model: "claude-code/claude-large",
      usage: { inputTokens: 1200, outputTokens: 70 },
      calls: 1
    })
    const line = (yield* words).join(" ")
    for (const part of [
      "-p --bare --tools  --strict-mcp-config --no-session-persistence --max-turns 1",
      "--output-format json --system-prompt-file /",
      "--effort low --model opus"
    ])
      assert.include(line, part)
    for (const part of ["Done?", "Be brief."]) assert.notInclude(line, part)
    assert.include(yield* question, "Done?")
    for (const set of ["REFLEXION_ASKING=1", "CLAUDE_CODE_MAX_RETRIES=0", "CLAUDE_CODE_MAX_OUTPUT_TOKENS=900"])
      assert.include(yield* env, set)
  }
})

live("ClaudeCodeModel asks as the logged-in user if configured, and says how to install Claude Code", function* () {
  const { program, words } = yield* HostProgram.fake({ out: result({}) })
  yield* Effect.provide(asking, ClaudeCodeModel.layer({ program, account: "login" }))
  assert.include(yield* words, "--safe-mode")
  assert.notInclude(yield* words, "--bare")
  const none = ClaudeCodeModel.layer({ program: "/nowhere/claude" })
  assert.include((yield* Effect.flip(Effect.provide(asking, none))).detail, "npm install -g @anthropic-ai/claude-code")
})

const reasonOf = (account: Asked.Account, printed: Partial<Parameters<ReturnType<typeof Asked.read>>[0]>) => {
  const reading = Asked.read(account)({ code: 1, err: "", out: "", ...printed })
  return Either.match(reading, {
    onLeft: ({ detail, reason }) => [reason, detail],
    onRight: ({ text }) => ["said", text]
  })
}

it.each(groups`
  no key :: Not logged in · Please run /login ¦ {} ¦ unavailable ¦ set ANTHROPIC_API_KEY .*account: "login"
  a key that is refused :: Failed to authenticate. API Error: 401 nope ¦ {"api_error_status":401} ¦ unavailable ¦ HTTP 401: .*check ANTHROPIC_API_KEY
  too many requests :: API Error: Request rejected (429) · slow down ¦ {"api_error_status":429} ¦ rate_limited ¦ slow down
  a provider out of order :: API Error: 529 overloaded ¦ {"api_error_status":529} ¦ unavailable ¦ 529
  no connection :: API Error: Connection refused (ECONNREFUSED) ¦ {"api_error":"connection_failed"} ¦ unavailable ¦ cannot be reached
  a stream that breaks off :: API Error: Connection dropped (ECONNRESET). ¦ {"api_error":"connection_failed"} ¦ truncated ¦ in the middle
  an answer that is cut off :: API Error: the 900 output token maximum. ¦ {"api_error":"max_output_tokens"} ¦ truncated ¦ cut off at the token limit
  a refusal :: API Error: safeguards flagged this message ¦ {"stop_reason":"refusal"} ¦ refused ¦ safeguards
  a call of a tool ::  ¦ {"subtype":"error_max_turns","stop_reason":"tool_use"} ¦ malformed ¦ called tools instead of answering, but it has no tools
  another end ::  ¦ {"subtype":"error_during_execution"} ¦ unavailable ¦ error_during_execution
`)(
  "ClaudeCodeModel says why there is no answer, and what to do: %s",
  (_, text, more = "{}", reason = "", says = "") => {
    const failed = { is_error: true, stop_reason: "stop_sequence", result: text, modelUsage: {}, ...JSON.parse(more) }
    const [is, detail] = reasonOf("key", { out: result(failed) })
    assert.strictEqual(is, reason)
    assert.match(detail ?? "", new RegExp(says))
  }
)

it("ClaudeCodeModel reports Claude Code's complaint if it never began or nobody is logged in", () => {
  for (const [printed, says] of [
    [{ err: "error: unknown option '--bare'\n" }, /could not be asked: error: unknown option '--bare' \(check/],
    [{ code: 0 }, /it ended with 0/],
    [{ out: "Yes, it is done.\n" }, /2.1.330 or later/],
    [{ out: result({}).slice(0, 200) }, /could not be asked/],
    [{ out: result({ is_error: true, result: "Not logged in · Please run /login" }) }, /run `claude` and log in/]
  ] as const) {
    const [is, detail] = reasonOf("login", printed)
    assert.strictEqual(is, "unavailable")
    assert.match(detail ?? "", says)
  }
})
