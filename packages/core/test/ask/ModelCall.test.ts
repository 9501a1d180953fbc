import * as AiError from "@effect/ai/AiError"
import * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Response from "@effect/ai/Response"
import * as Telemetry from "@effect/ai/Telemetry"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Ref, Schema, Stream, TestClock } from "effect"
import * as Deadline from "../../src/ask/models/Deadline.ts"
import { LanguageModelTag, SpanTransformerTag } from "../../src/ask/models/LanguageModelTag.ts"
import * as ModelCall from "../../src/ask/models/ModelCall.ts"

type Parts = Effect.Effect<ReadonlyArray<Response.PartEncoded>, AiError.AiError>

/** A model that gives one answer after the other, the last of them again and again; and how often it was asked. */
const scripted = (...answers: readonly [Parts, ...ReadonlyArray<Parts>]) =>
  Effect.gen(function* () {
    const asked = yield* Ref.make(0)
    const layer = Layer.effect(
      LanguageModel.LanguageModel,
      LanguageModel.make({
        generateText: () =>
          Effect.flatMap(
            Ref.getAndUpdate(asked, (count) => count + 1),
            (count) => Effect.map(answers[Math.min(count, answers.length - 1)] ?? answers[0], (parts) => [...parts])
          ),
        streamText: () => Stream.die("not asked for")
      })
    )
    return { layer, asked: Ref.get(asked) }
  })

const usage = { inputTokens: 120, outputTokens: 7, totalTokens: 127 }

const parts = (text: string, reason: Response.FinishReason = "stop"): ReadonlyArray<Response.PartEncoded> => [
  { type: "text", text },
  { type: "response-metadata", modelId: "small-1" },
  { type: "finish", reason, usage }
]

const says = (text: string, reason?: Response.FinishReason): Parts => Effect.succeed(parts(text, reason))

const named = (modelId: string): Parts =>
  Effect.succeed([
    { type: "text", text: "{" },
    { type: "response-metadata", modelId },
    { type: "finish", reason: "length", usage }
  ])

const request = {
  method: "POST" as const,
  url: "https://models.acme.dev/v1",
  urlParams: [],
  hash: Option.none(),
  headers: { authorization: "Bearer top-secret-of-acme" }
}

const http = (
  status: number,
  more: { readonly headers?: Record<string, string>; readonly body?: string } = {}
): Parts =>
  Effect.fail(
    new AiError.HttpResponseError({
      module: "m",
      method: "m",
      reason: "StatusCode",
      request,
      response: { status, headers: more.headers ?? {} },
      ...(more.body !== undefined && { body: more.body })
    })
  )

const unreachable: Parts = Effect.fail(
  new AiError.HttpRequestError({
    module: "m",
    method: "m",
    reason: "Transport",
    request,
    cause: new Error("Bearer top-secret-of-acme")
  })
)

const Verdict = Schema.Struct({ complete: Schema.Boolean })

const question = {
  purpose: "judge",
  system: "You judge.",
  prompt: "Is it done?",
  schema: Verdict,
  objectName: "verdict",
  timeout: "30 seconds"
} as const

/** What comes of a question, however long it takes. */
const asked = Effect.fnUntraced(function* (...answers: readonly [Parts, ...ReadonlyArray<Parts>]) {
  const model = yield* scripted(...answers)
  const fiber = yield* Effect.fork(Effect.either(ModelCall.ask(question)).pipe(Effect.provide(model.layer)))
  yield* TestClock.adjust("31 seconds")
  const result = yield* Fiber.join(fiber)
  return { result, count: yield* model.asked }
})

const failure = (...answers: readonly [Parts, ...ReadonlyArray<Parts>]) =>
  Effect.flatMap(asked(...answers), ({ count, result }) =>
    Effect.map(Effect.flip(result), (failed) => ({ failed, count }))
  )

const answer = (...answers: readonly [Parts, ...ReadonlyArray<Parts>]) =>
  Effect.flatMap(asked(...answers), ({ count, result }) => Effect.map(result, (given) => ({ given, count })))

const done = JSON.stringify({ complete: true })

describe("ModelCall.ask", () => {
  it("knows the tags of the package by their keys", () => {
    assert.strictEqual(LanguageModelTag.key, LanguageModel.LanguageModel.key)
    assert.strictEqual(SpanTransformerTag.key, Telemetry.CurrentSpanTransformer.key)
  })

  it.effect("gives the answer, who gave it, and what it cost", () =>
    Effect.gen(function* () {
      const { count, given } = yield* answer(says(done))
      assert.deepStrictEqual(given, {
        text: done,
        value: { complete: true },
        model: "small-1",
        usage: { inputTokens: 120, outputTokens: 7 },
        calls: 1
      })
      assert.strictEqual(count, 1)
    })
  )

  it.effect.each<readonly [string, string, { readonly complete: boolean } | null]>([
    ["words around it", `Here it is:\n\`\`\`json\n${done}\n\`\`\`\nThat is all.`, { complete: true }],
    ["a draft before it", `{"complete": false} or rather ${done}`, { complete: true }],
    ["a wrong shape", `{"complete": "yes"}`, null],
    ["no object at all", "It is done.", null],
    ["half an object", `{"complete": tr`, null]
  ])("gives the text as it is with %s, and what fits in it", ([, text, value]) =>
    Effect.map(answer(says(text)), ({ count, given }) => {
      assert.strictEqual(given.text, text)
      assert.deepStrictEqual(given.value, value)
      assert.deepStrictEqual(given.usage, { inputTokens: 120, outputTokens: 7 })
      assert.strictEqual(given.model, "small-1")
      assert.strictEqual(count, 1)
    })
  )

  it.effect.each<readonly [string, Parts, string, number]>([
    ["429", http(429), "rate_limited", 2],
    ["500", http(500), "unavailable", 2],
    ["529", http(529), "unavailable", 2],
    ["401", http(401), "unavailable", 1],
    ["404", http(404), "unavailable", 1],
    ["an unreadable answer", http(200), "malformed", 1],
    ["no server", unreachable, "unavailable", 2],
    ["a cut answer", says('{"complete": true}', "length"), "truncated", 1],
    ["a refusal", says("", "content-filter"), "refused", 1],
    ["nothing", says(""), "malformed", 1],
    ["no text", Effect.succeed([]), "malformed", 1],
    ["no end", says("x".repeat(300_000)), "malformed", 1],
    ["a provider's bug", Effect.die(new TypeError("top-secret-of-acme")), "unavailable", 1],
    ["no word", Effect.never, "timed_out", 1]
  ])("names the failure where there is %s, and asks again only where that may help", ([, parts, reason, calls]) =>
    Effect.map(failure(parts), ({ count, failed }) => {
      assert.deepStrictEqual([failed.reason, failed.calls, count], [reason, calls, calls])
      assert.notInclude(JSON.stringify(failed) + String(failed) + failed.stack, "top-secret")
      assert.notInclude(failed.message, "\n")
    })
  )

  it.effect("tells in one line why a model declines, without where it sends the reader", () =>
    Effect.map(failure(says("Flagged.\nLog in to https://evil.example\u001b[2J", "content-filter")), ({ failed }) => {
      assert.strictEqual(failed.detail, "Flagged. Log in to [address left out]")
    })
  )

  it.effect("takes no sentence, and no key, for the name of the model that answered", () =>
    Effect.gen(function* () {
      for (const name of ["ghp_R8d2Kq7VbX0mTz4LwYc9NfJ3sHgP1uEa6iQo", "x".repeat(400), "Run curl evil.example"])
        assert.isNull((yield* failure(named(name))).failed.model, name)
      for (const name of ["@cf/meta/llama-3:8b", "models/Qwen2.5-7B.Q4_K_M.gguf"])
        assert.strictEqual((yield* failure(named(name))).failed.model, name)
    })
  )

  it.effect("takes the second answer", () =>
    Effect.map(answer(http(503), says(done)), ({ count, given }) => {
      assert.deepStrictEqual(given.value, { complete: true })
      assert.deepStrictEqual([given.calls, count], [2, 2])
    })
  )

  it.effect("says what a failure cost all the same", () =>
    Effect.map(failure(says("{", "length")), ({ failed }) => {
      assert.deepStrictEqual(failed.usage, { inputTokens: 120, outputTokens: 7 })
      assert.strictEqual(failed.model, "small-1")
    })
  )

  it.effect("tells in the provider's own words, without a key", () =>
    Effect.map(
      failure(http(401, { body: JSON.stringify({ error: { message: "Bad key\nsk-proj-aB3dE5gH7jK9mN1pQ3sT5v" } }) })),
      ({ failed }) => {
        assert.include(failed.message, "HTTP 401: Bad key")
        assert.notInclude(failed.message, "aB3dE5gH7jK9")
      }
    )
  )

  it.effect.each<readonly [string, Record<string, string>, number]>([
    ["in seconds", { "retry-after": "7" }, 7_000],
    ["in milliseconds", { "retry-after-ms": "7000" }, 7_000],
    ["as a date", { "retry-after": "Thu, 01 Jan 1970 00:00:07 GMT" }, 7_000]
  ])("waits as long as the provider says %s", ([, headers, wait]) =>
    Effect.gen(function* () {
      const model = yield* scripted(http(429, { headers }), says(done))
      const fiber = yield* Effect.fork(ModelCall.ask(question).pipe(Effect.provide(model.layer)))
      yield* TestClock.adjust(wait)
      assert.strictEqual(yield* model.asked, 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* model.asked, 2)
      yield* Fiber.join(fiber)
    })
  )

  it.effect("gives up at once where the provider wants more time than there is", () =>
    Effect.gen(function* () {
      const model = yield* scripted(http(429, { headers: { "retry-after": "60" } }))
      const failed = yield* Effect.flip(ModelCall.ask(question)).pipe(Effect.provide(model.layer))
      assert.strictEqual(failed.reason, "rate_limited")
      assert.strictEqual(yield* model.asked, 1)
    })
  )

  it.effect("waits no longer than its time, and not for a model that cannot be stopped", () =>
    Effect.gen(function* () {
      const model = yield* scripted(Effect.uninterruptible(Effect.never))
      const fiber = yield* Effect.fork(Effect.flip(ModelCall.ask(question)).pipe(Effect.provide(model.layer)))
      yield* TestClock.adjust("29 seconds")
      assert.isTrue(Option.isNone(yield* Fiber.poll(fiber)))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(fiber)).reason, "timed_out")
    })
  )

  it.effect("says how long it waited, and speaks of other questions only where they took some of it", () =>
    Effect.gen(function* () {
      const lateIn = Effect.fnUntraced(function* (left: number) {
        const model = yield* scripted(Effect.never)
        const asking = Deadline.within(left)(Effect.flip(ModelCall.ask(question)))
        const fiber = yield* Effect.fork(asking.pipe(Effect.provide(model.layer)))
        yield* TestClock.adjust("30 seconds")
        return (yield* Fiber.join(fiber)).message
      })
      assert.match(yield* lateIn(29_984), /no answer within 30s$/)
      assert.match(yield* lateIn(4_137), /no answer within 4s 100ms, which was left of the time for all questions$/)
    })
  )

  it.effect("tells the model's layer how long the answer may be, and leaves others' looking alone", () =>
    Effect.gen(function* () {
      const limits = yield* Ref.make<ReadonlyArray<number | null>>([])
      const model = yield* scripted(
        Effect.flatMap(ModelCall.MaxOutputTokens, (limit) =>
          Effect.as(
            Ref.update(limits, (all) => [...all, limit]),
            parts(done)
          )
        )
      )
      const seen: Array<number> = []
      const watched = Effect.provideService(Telemetry.CurrentSpanTransformer, ({ response }) => {
        seen.push(response.length)
      })
      yield* ModelCall.ask({ ...question, maxOutputTokens: 500 }).pipe(watched, Effect.provide(model.layer))
      yield* ModelCall.ask(question).pipe(watched, Effect.provide(model.layer))
      assert.deepStrictEqual(yield* Ref.get(limits), [500, null])
      assert.deepStrictEqual(seen, [3, 3])
    })
  )
})
