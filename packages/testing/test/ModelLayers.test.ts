import { assert, describe, it } from "@effect/vitest"
import { Model } from "@reflexion/core/Model"
import * as ModelCall from "@reflexion/core/ModelCall"
import * as ProviderModel from "@reflexion/core/ProviderModel"
import { Clock, Duration, Effect, Either, type Layer, Logger, LogLevel, Redacted, Schema, type Scope } from "effect"
import { inspect } from "node:util"
import type * as ModelScript from "../src/servers/ModelScript.ts"
import * as ScriptedAnthropic from "../src/servers/ScriptedAnthropic.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"
import { live } from "../../core/test/support/works.ts"

const key = "acme-7f3Kq9Zx2LmVw8Rt5YbN"
const apiKey = Redacted.make(key)

const Verdict = Schema.Struct({ complete: Schema.Boolean, feedback: Schema.String })

const verdict = { complete: true, feedback: "All tests pass." }

const question = {
  purpose: "self_assessment",
  system: "You judge.",
  prompt: "Is it done?",
  schema: Verdict,
  objectName: "verdict",
  timeout: "20 minutes"
} as const

const plain = { ...question, schema: { type: "object" }, maxOutputTokens: null }

const whole = (given: unknown): string => inspect(given, { depth: 12, showHidden: true })

const clock = Clock.make()

/** A clock with a minute in three seconds, because real waiting would show nothing more. */
const fast = Effect.withClock<Clock.Clock>({
  [Clock.ClockTypeId]: Clock.ClockTypeId,
  currentTimeMillis: clock.currentTimeMillis,
  currentTimeNanos: clock.currentTimeNanos,
  unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis(),
  unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
  sleep: (duration) => clock.sleep(Duration.times(duration, 0.05))
})

/** The blocks that every protocol's answer may have. */
type Block = { readonly text: string } | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
type Reply = ModelScript.Reply<Block>
type Replies = readonly [Reply, ...ReadonlyArray<Reply>]

const say = (said: string): Reply => ({ content: [{ text: said }] })

const script = (replies: Replies) => ({ turns: [], rules: [{ name: "model", when: () => true, replies }] })

interface Protocol {
  readonly serve: (replies: Replies) => Effect.Effect<ModelScript.Server, ModelScript.ServerStartError, Scope.Scope>
  readonly layer: (url: string) => Layer.Layer<Model>
  /** The answer that returns a requested object. */
  readonly object: (value: Readonly<Record<string, unknown>>) => Reply
}

const chat: Protocol = {
  serve: (replies) => ScriptedChat.make(script(replies)),
  layer: (url) => ProviderModel.layer({ url: `${url}/v1/`, model: "small-1", apiKey }),
  object: (value) => say(JSON.stringify(value))
}

/** Its models must call a tool. Other text of theirs is not part of the answer. */
const anthropic: Protocol = {
  serve: (replies) => ScriptedAnthropic.make(script(replies)),
  layer: (url) => ProviderModel.layer({ api: "anthropic", url, model: "small-1", apiKey }),
  object: (input) => ({ content: [{ tool: "verdict", input }] })
}

const protocols = { "chat completions": chat, "Anthropic Messages": anthropic }

const ask = Effect.fnUntraced(
  function* (
    { layer, serve }: Protocol,
    replies: Replies,
    more: Partial<Pick<ModelCall.Question<never, never>, "timeout" | "maxOutputTokens">> = {}
  ) {
    const server = yield* serve(replies)
    const result = yield* Effect.either(ModelCall.ask({ ...question, ...more })).pipe(Effect.provide(layer(server.url)))
    return { result, requests: yield* server.requests }
  },
  Effect.scoped,
  fast
)

/** How a question ended, and how often the server was asked. */
const outcome = ({ result, requests }: Effect.Effect.Success<ReturnType<typeof ask>>) => [
  Either.match(result, { onLeft: ({ reason }) => reason, onRight: ({ value }) => value }),
  requests.length
]

const timeout = { timeout: "1 minute" } as const

/** Faults, and the result that every protocol must give. */
const mishaps: ReadonlyArray<
  readonly [string, (protocol: Protocol) => Replies, readonly [unknown, number], { readonly timeout?: "1 minute" }?]
> = [
  ["a 429 that passes", ({ object }) => [{ status: 429, retryAfter: "0" }, object(verdict)], [verdict, 2]],
  ["a 429 that stays", () => [{ status: 429 }], ["rate_limited", 2]],
  ["a 429 for longer than there is time", () => [{ status: 429, retryAfter: "3600" }], ["rate_limited", 1]],
  ["a 500 that passes", ({ object }) => [{ status: 500 }, object(verdict)], [verdict, 2]],
  ["a 401", () => [{ status: 401 }], ["unavailable", 1]],
  ["no answer in time", ({ object }) => [{ ...object(verdict), delay: "1 hour" }], ["timed_out", 1], timeout],
  ["a broken connection", ({ object }) => [{ ...object(verdict), brokenAfter: 40 }], ["truncated", 2]],
  ["an answer at its limit", ({ object }) => [{ ...object(verdict), stopReason: "max_tokens" }], ["truncated", 1]],
  ["a refusal", () => [{ ...say("I will not judge this."), stopReason: "refusal" }], ["refused", 1]],
  ["a wrong shape", ({ object }) => [object({ complete: "yes" })], [null, 1]],
  ["no words", () => [{ content: [] }], ["malformed", 1]],
  [
    "1 MB in the right shape",
    ({ object }) => [object({ ...verdict, feedback: "x".repeat(1_000_000) })],
    ["malformed", 1]
  ],
  ["9 MB of anything", () => [{ raw: "x".repeat(9_000_000) }], ["malformed", 1]]
]

describe.each(Object.entries(protocols))("%s", (_, protocol) => {
  it.live("answers, and reports the token usage", () =>
    Effect.map(
      ask(protocol, [{ ...protocol.object(verdict), usage: { input_tokens: 900, output_tokens: 40 } }], {
        maxOutputTokens: 321
      }),
      ({ requests, result }) => {
        const { text, ...answer } = Either.getOrThrow(result)
        const usage = { inputTokens: 900, outputTokens: 40 }
        assert.deepInclude(answer, { value: verdict, usage, model: "small-1", calls: 1 })
        assert.deepStrictEqual([JSON.parse(text), requests.length], [verdict, 1])
        const [request] = requests
        assert.include(request?.conversation ?? "", "Is it done?")
        assert.include(request?.payload ?? "", "You judge.")
        assert.include(request?.payload ?? "", "321")
      }
    )
  )

  it.live.each(mishaps)("handles %s", ([, replies, expected, more]) =>
    Effect.map(ask(protocol, replies(protocol), more), (given) => assert.deepStrictEqual(outcome(given), [...expected]))
  )

  it.live("sends the key and no trace headers", () =>
    Effect.map(ask(protocol, [protocol.object(verdict)]).pipe(Effect.withSpan("review")), ({ requests: [request] }) => {
      const { headers = {} } = request ?? {}
      assert.include([headers["authorization"], headers["x-api-key"]].join(), key)
      assert.notProperty(headers, "traceparent")
      assert.notProperty(headers, "b3")
    })
  )

  it.live.each<readonly [string, Reply]>([
    ["refused", { status: 401, error: `Incorrect API key provided: ${key}` }],
    ["broken off", { raw: `{"key": "${key}"}`, brokenAfter: 10 }],
    ["answered with a page", { raw: `<html>authorization: Bearer ${key}</html>` }]
  ])("shows no key in errors if the request is %s", ([, reply]) =>
    Effect.gen(function* () {
      const server = yield* protocol.serve([reply])
      const logged: Array<string> = []
      const logger = Logger.make((entry) => void logged.push(whole(entry)))
      const failed = <A, E>(effect: Effect.Effect<A, E, Model>) =>
        effect.pipe(
          Effect.tapErrorCause(Effect.logError),
          Logger.withMinimumLogLevel(LogLevel.All),
          Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
          Effect.provide(protocol.layer(server.url)),
          Effect.flip
        )
      const asked = yield* failed(ModelCall.ask(question))
      const plainly = yield* failed(Effect.flatMap(Model, (model) => model.ask(plain)))
      for (const given of [asked, plainly])
        assert.notInclude([JSON.stringify(given), String(given), given.stack, whole(given)].join("\n"), key)
      assert.isNotEmpty(logged)
      assert.notInclude(logged.join("\n"), key)
    }).pipe(Effect.scoped, fast)
  )
})

/** The answer format that each request asked for. */
const formsOf = ({ requests }: ModelScript.Server) =>
  Effect.map(requests, (all) => all.map(({ payload }) => JSON.parse(payload).response_format?.type))

describe("ChatCompletions", () => {
  const value = Effect.map(ModelCall.ask(question), (answer) => answer.value)

  live("asks for any JSON object if schemas are not supported, and remembers that", function* () {
    const unknown = { status: 400, error: "response_format json_schema is not supported" }
    const server = yield* chat.serve([unknown, chat.object(verdict)])
    const twice = Effect.all([value, value])
    assert.deepStrictEqual(yield* Effect.provide(twice, chat.layer(server.url)), [verdict, verdict])
    assert.deepStrictEqual(yield* formsOf(server), ["json_schema", "json_object", "json_object"])
    const [first, second] = yield* server.requests
    assert.notInclude(first?.system ?? "", "JSON schema")
    assert.include(second?.system ?? "", '"feedback"')
  })

  live("names the token limit with the endpoint's own parameter", function* () {
    const unknown = { status: 400, error: "Unsupported parameter: use 'max_completion_tokens' instead" }
    const given = yield* ask(chat, [unknown, chat.object(verdict)], { maxOutputTokens: 50 })
    assert.deepStrictEqual(outcome(given), [verdict, 2])
    assert.include(given.requests[0]?.payload ?? "", '"max_tokens":50')
    assert.include(given.requests[1]?.payload ?? "", '"max_completion_tokens":50')
    assert.include(given.requests[1]?.payload ?? "", "json_schema")
  })

  live("recognises a router's error in an answer with status 200", function* () {
    const raw = JSON.stringify({ error: { message: "Provider returned error", code: 429 } })
    const given = yield* ask(chat, [{ raw }, chat.object(verdict)])
    assert.deepStrictEqual(outcome(given), [verdict, 2])
    assert.deepStrictEqual(outcome(yield* ask(chat, [{ raw }])), ["rate_limited", 2])
  })

  live("does not follow a redirect with a key", function* () {
    const server = yield* chat.serve([{ status: 307, error: "moved" }])
    const failed = yield* Effect.flip(value).pipe(Effect.provide(chat.layer(server.url)))
    assert.deepStrictEqual([failed.reason, failed.calls], ["unavailable", 1])
  })
})
