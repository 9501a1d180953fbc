/** Builds a `Model` from a provider's API: chat completions, which most servers speak, or Anthropic's messages. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Json from "../../base/json/Json.ts"
import type { Provider } from "../../session/config/ReflexionConfig.ts"
import * as Http from "./Http.ts"
import { type Answer, asJson, Model, type Question, type Service } from "./Model.ts"
import { cutOff, declined, failure, type ModelFailure, ofStatus } from "./ModelFailures.ts"

/**
 * How a provider is reached.
 *
 * @category models
 */
export interface Options {
  /** The default is "chat-completions". */
  readonly api?: Provider["api"]
  readonly model: string
  /** Null for a server that needs no key. */
  readonly apiKey: Redacted.Redacted | null
  /** Includes the version: `http://localhost:11434/v1`. The default is the address of Anthropic or OpenAI. */
  readonly url?: string
}

interface Dialect {
  readonly json: "json_schema" | "json_object"
  readonly limit: "max_tokens" | "max_completion_tokens"
}

interface Form {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyOf: (question: Question, model: string, dialect: Dialect) => object
  readonly answerOf: (given: Json.Json) => Effect.Effect<Answer, ModelFailure>
}

const count = (value: unknown): number => Json.number(value) ?? 0

/** The model must call a tool. The tool's input is the requested object. */
const messages = (base: string, key: string | null): Form => ({
  // A gateway's address may or may not include the version.
  address: `${base.replace(/\/v1$/u, "")}/v1/messages`,
  headers: { "anthropic-version": "2023-06-01", ...(key !== null && { "x-api-key": key }) },
  bodyOf: ({ maxOutputTokens, objectName, prompt, schema, system }, model) => ({
    model,
    max_tokens: maxOutputTokens ?? 4096,
    system,
    messages: [{ role: "user", content: prompt }],
    tools: [{ name: objectName, description: "Call this with your answer.", input_schema: schema }],
    tool_choice: { type: "tool", name: objectName }
  }),
  answerOf: (given) => {
    if (!Array.isArray(given["content"])) return Http.unread()
    const parts = Json.list(given["content"]).map(Json.object)
    const usage = Json.object(given["usage"])
    const input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]
    const known = {
      model: Json.string(given["model"]),
      usage: {
        inputTokens: input.reduce((total, name) => total + count(usage[name]), 0),
        outputTokens: count(usage["output_tokens"])
      }
    }
    const said = parts.map(({ text }) => Json.text(text)).join("")
    if (given["stop_reason"] === "refusal") return declined(said, known)
    if (given["stop_reason"] === "max_tokens") return cutOff(known)
    const called = parts.find(({ type }) => type === "tool_use")
    return Effect.succeed({ ...known, text: called === undefined ? said : JSON.stringify(called["input"] ?? {}) })
  }
})

/** The object is requested by schema, or in words if the endpoint does not support schemas. */
const completions = (base: string, key: string | null): Form => ({
  address: `${base}/chat/completions`,
  headers: key === null ? {} : { authorization: `Bearer ${key}` },
  bodyOf: ({ maxOutputTokens, objectName, prompt, schema, system }, model, { json, limit }) => {
    const held = json === "json_schema"
    return {
      model,
      messages: [
        ...(held ? [] : [{ role: "system", content: asJson(schema) }]),
        { role: "system", content: system },
        { role: "user", content: prompt }
      ],
      response_format: held ? { type: json, json_schema: { name: objectName, schema, strict: false } } : { type: json },
      ...(maxOutputTokens !== null && { [limit]: maxOutputTokens })
    }
  },
  answerOf: (given) => {
    // A router may answer with status 200 although the body is the provider's error.
    if (given["error"] !== undefined && given["choices"] === undefined) {
      const code = Number(Json.object(given["error"])["code"])
      return ofStatus(code >= 400 && code < 600 ? code : 500, Http.wordsIn(JSON.stringify(given)))
    }
    const [first] = Json.list(given["choices"])
    if (first === undefined) return Http.unread()
    const { finish_reason: end, message } = Json.object(first)
    const { content, refusal } = Json.object(message)
    const usage = Json.object(given["usage"])
    const known = {
      model: Json.string(given["model"]),
      usage: { inputTokens: count(usage["prompt_tokens"]), outputTokens: count(usage["completion_tokens"]) }
    }
    const text = typeof content === "string" ? content : Json.list(content).map(Json.contentText).join("")
    if (Json.text(refusal) !== "" || end === "content_filter") return declined(Json.text(refusal) || text, known)
    if (end === "length") return cutOff(known)
    return end === "error"
      ? failure("unavailable", "the provider broke the answer off with an error", { ...known, again: 0 })
      : Effect.succeed({ ...known, text })
  }
})

/** Another dialect to try if the endpoint did not understand the request. */
const otherwise = ({ status, text }: Http.Response, dialect: Dialect): Dialect | null => {
  if (status !== 400 && status !== 422) return null
  if (dialect.limit === "max_tokens" && text.includes("max_completion_tokens"))
    return { ...dialect, limit: "max_completion_tokens" }
  return dialect.json === "json_schema" ? { ...dialect, json: "json_object" } : null
}

export const places = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com/v1",
  "chat-completions": "https://api.openai.com/v1"
} as const

/**
 * Builds the model as a service, for a program with several models.
 *
 * @category constructors
 */
export const make = ({ api = "chat-completions", apiKey, model, url = places[api] }: Options): Service => {
  const key = apiKey === null ? null : Redacted.value(apiKey)
  const isAnthropic = api === "anthropic"
  const form = (isAnthropic ? messages : completions)(url.replace(/\/{1,4}$/u, ""), key)
  const known = Ref.unsafeMake<Dialect>({
    json: "json_schema",
    // OpenAI's newer models accept only `max_completion_tokens`. Many other servers accept only `max_tokens`.
    limit: url.startsWith(places.openai) ? "max_completion_tokens" : "max_tokens"
  })
  const ask = (question: Question, dialect: Dialect): Effect.Effect<Answer, ModelFailure> =>
    Effect.gen(function* () {
      const body = form.bodyOf(question, model, dialect)
      const response = yield* Http.send({ url: form.address, key, headers: form.headers, body })
      const next = isAnthropic ? null : otherwise(response, dialect)
      if (next !== null) return yield* ask(question, next)
      const given = yield* Http.answered(response)
      yield* Ref.set(known, dialect)
      return yield* form.answerOf(given)
    })
  return { ask: (question) => Effect.flatMap(Ref.get(known), (dialect) => ask(question, dialect)) }
}

/**
 * Builds the model as a layer. A wrong key is noticed at the first question. If a chat completions endpoint rejects the
 * schema, the model gets the schema in words. Later questions use this form too.
 *
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<Model> => Layer.sync(Model, () => make(options))
