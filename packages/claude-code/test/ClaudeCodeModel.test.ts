import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as ModelCall from "@reflexion/core/ModelCall"
import * as HostProgram from "@reflexion/testing/sandbox/HostProgram"
import { Effect, Schema } from "effect"
import * as ClaudeCodeModel from "../src/ClaudeCodeModel.ts"

const long = 60_000

const Opinion = Schema.Struct({ done: Schema.Boolean })

const question = {
  purpose: "judge",
  system: "Be brief.",
  prompt: "Done?",
  schema: Opinion,
  objectName: "opinion"
} as const

const asking = ModelCall.ask(question)

const answered = {
  type: "result",
  subtype: "success",
  is_error: false,
  api_error_status: null,
  stop_reason: "end_turn",
  result: '{"done":true}',
  usage: {
    input_tokens: 200,
    cache_creation_input_tokens: 300,
    cache_read_input_tokens: 700,
    output_tokens: 70,
    output_tokens_details: { thinking_tokens: 60 }
  },
  modelUsage: {
    "claude-small": { inputTokens: 10, outputTokens: 1 },
    "claude-large": { inputTokens: 1200, outputTokens: 70 }
  }
}

const result = (more: object): string => `${JSON.stringify({ ...answered, ...more })}\n`

const failed = (text: string, more: object = {}): HostProgram.Printing => ({
  out: result({ is_error: true, stop_reason: "stop_sequence", result: text, modelUsage: {}, ...more }),
  code: 1
})

/** Asks once a program that prints so. */
const over = Effect.fnUntraced(function* (printing: HostProgram.Printing, options: ClaudeCodeModel.Options = {}) {
  const { program, ...kept } = yield* HostProgram.fake(printing)
  return { ...kept, using: Effect.provide(ClaudeCodeModel.layer({ program, ...options })) }
})

describe("ClaudeCodeModel", () => {
  it.scopedLive(
    "answers with what Claude Code says, names the model that said it, and counts its tokens",
    () =>
      Effect.gen(function* () {
        for (const out of [result({}), `[{"type":"system"},${result({})}]`]) {
          const { using } = yield* over({ out })
          const answer = yield* using(asking)
          assert.deepStrictEqual(answer, {
            text: '{"done":true}',
            value: { done: true },
            model: "claude-code/claude-large",
            usage: { inputTokens: 1200, outputTokens: 70 },
            calls: 1
          })
        }
      }).pipe(Effect.provide(NodeContext.layer)),
    long
  )

  it.scopedLive(
    "keeps hooks, tools and sessions out, and the question out of the arguments",
    () =>
      Effect.gen(function* () {
        const {
          env,
          question: given,
          using,
          words
        } = yield* over({ out: result({}) }, { model: "opus", effort: "low" })
        yield* using(ModelCall.ask({ ...question, maxOutputTokens: 900 }))
        const line = (yield* words).join(" ")
        for (const part of [
          "-p --bare --tools  --strict-mcp-config --no-session-persistence --max-turns 1",
          "--output-format json --system-prompt-file /",
          "--effort low --model opus"
        ]) {
          assert.include(line, part)
        }
        assert.notInclude(line, "Done?")
        assert.notInclude(line, "Be brief.")
        assert.include(yield* given, "Done?")
        for (const set of ["REFLEXION_ASKING=1", "CLAUDE_CODE_MAX_RETRIES=0", "CLAUDE_CODE_MAX_OUTPUT_TOKENS=900"]) {
          assert.include(yield* env, set)
        }
      }).pipe(Effect.provide(NodeContext.layer)),
    long
  )

  it.scopedLive(
    "asks as the user who is logged in, if told to",
    () =>
      Effect.gen(function* () {
        const { using, words } = yield* over({ out: result({}) }, { account: "login" })
        yield* using(asking)
        assert.include(yield* words, "--safe-mode")
        assert.notInclude(yield* words, "--bare")
        const out = failed("Not logged in · Please run /login")
        const failure = yield* Effect.flip((yield* over(out, { account: "login" })).using(asking))
        assert.match(failure.detail, /run `claude` and log in/)
      }).pipe(Effect.provide(NodeContext.layer)),
    long
  )

  const rows: ReadonlyArray<readonly [name: string, printing: HostProgram.Printing, reason: string, says: RegExp]> = [
    ["no key", failed("Not logged in · Please run /login"), "unavailable", /set ANTHROPIC_API_KEY .*account: "login"/],
    [
      "a key that is refused",
      failed("Failed to authenticate. API Error: 401 nope", { api_error_status: 401 }),
      "unavailable",
      /HTTP 401: .*check ANTHROPIC_API_KEY/
    ],
    [
      "too many requests",
      failed("API Error: Request rejected (429) · slow down", { api_error_status: 429 }),
      "rate_limited",
      /slow down/
    ],
    ["a provider out of order", failed("API Error: 529 overloaded", { api_error_status: 529 }), "unavailable", /529/],
    [
      "no connection",
      failed("API Error: Connection refused (ECONNREFUSED)", { api_error: "connection_failed" }),
      "unavailable",
      /cannot be reached/
    ],
    [
      "a stream that breaks off",
      failed("API Error: Connection dropped (ECONNRESET). Check the gateway", { api_error: "connection_failed" }),
      "truncated",
      /in the middle/
    ],
    [
      "an answer that is cut off",
      failed("API Error: Claude's response exceeded the 900 output token maximum.", { api_error: "max_output_tokens" }),
      "truncated",
      /limit of tokens/
    ],
    [
      "a refusal",
      failed("API Error: safeguards flagged this message", { stop_reason: "refusal" }),
      "refused",
      /safeguards/
    ],
    [
      "a call of a tool",
      failed("", { subtype: "error_max_turns", stop_reason: "tool_use" }),
      "malformed",
      /has no tools, and called some/
    ],
    ["another end", failed("", { subtype: "error_during_execution" }), "unavailable", /error_during_execution/],
    ["an empty answer", { out: result({ result: "" }) }, "malformed", /empty/],
    [
      "an older Claude Code",
      { err: "error: unknown option '--bare'\n", code: 1 },
      "unavailable",
      /could not be asked: error: unknown option '--bare' \(check/
    ],
    ["no word", {}, "unavailable", /it ended with 0/],
    ["no JSON", { out: "Yes, it is done.\n" }, "unavailable", /2.1.330 or later/],
    ["half an answer", { out: result({}).slice(0, 200) }, "unavailable", /could not be asked/]
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
    "says how to get Claude Code where there is none",
    () =>
      Effect.gen(function* () {
        const model = ClaudeCodeModel.layer({ program: "/nowhere/claude" })
        const failure = yield* Effect.flip(Effect.provide(asking, model))
        assert.include(failure.detail, "npm install -g @anthropic-ai/claude-code")
      }).pipe(Effect.provide(NodeContext.layer)),
    long
  )
})
