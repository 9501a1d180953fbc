/**
 * Any endpoint that speaks chat completions as a `Model`: OpenAI, Google, OpenRouter, Groq, Ollama, vLLM, LM Studio,
 * gateways and their like.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Json from "../../../base/json/Json.ts"
import { type Answer, asJson, Model, type Question, type Service } from "../Model.ts"
import { cutOff, declined, failure, type ModelFailure, ofStatus } from "../ModelFailures.ts"
import * as Http from "./http.ts"

/**
 * `url` is the API's base, with its version: `http://localhost:11434/v1`; OpenAI's where it is left out. A null key is for a
 * server that asks for none.
 *
 * @category models
 */
export interface Options {
  readonly model: string
  readonly apiKey: Redacted.Redacted | null
  readonly url?: string
}

/** What this endpoint takes, as far as it is known. */
interface Dialect {
  readonly json: "json_schema" | "json_object"
  readonly limit: "max_tokens" | "max_completion_tokens"
}

const bodyOf = (
  { maxOutputTokens, objectName, prompt, schema, system }: Question,
  model: string,
  { json, limit }: Dialect
): object => {
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
}

/** What else to try with an endpoint that does not understand the request; null where that is not what it says. */
const otherwise = ({ status, text }: Http.Response, dialect: Dialect): Dialect | null => {
  if (status !== 400 && status !== 422) return null
  if (dialect.limit === "max_tokens" && text.includes("max_completion_tokens"))
    return { ...dialect, limit: "max_completion_tokens" }
  return dialect.json === "json_schema" ? { ...dialect, json: "json_object" } : null
}

export const headersOf = (apiKey: Redacted.Redacted | null): Readonly<Record<string, string>> =>
  apiKey === null ? {} : { authorization: `Bearer ${Redacted.value(apiKey)}` }

const tokens = (value: unknown): number => Json.number(value) ?? 0

/** A router answers 200 and puts the error of whom it asked into the body. */
const answerOf = (given: Json.Json): Effect.Effect<Answer, ModelFailure> => {
  if (given["error"] !== undefined && given["choices"] === undefined) {
    const code = Number(Json.object(given["error"])["code"])
    return ofStatus(code >= 400 && code < 600 ? code : 500, Http.wordsIn(JSON.stringify(given)))
  }
  const [first] = Json.list(given["choices"])
  if (first === undefined) return Http.unread()
  const choice = Json.object(first)
  const { content, refusal } = Json.object(choice["message"])
  const usage = Json.object(given["usage"])
  const known = {
    model: Json.string(given["model"]),
    usage: { inputTokens: tokens(usage["prompt_tokens"]), outputTokens: tokens(usage["completion_tokens"]) }
  }
  const text = typeof content === "string" ? content : Json.list(content).map(Json.contentText).join("")
  const end = choice["finish_reason"]
  if (Json.text(refusal) !== "" || end === "content_filter") return declined(Json.text(refusal) || text, known)
  if (end === "length") return cutOff(known)
  return end === "error"
    ? failure("unavailable", "the provider broke the answer off with an error", { ...known, again: 0 })
    : Effect.succeed({ ...known, text })
}

const openAi = "https://api.openai.com/v1"

/**
 * The model as a service, for a program that has several.
 *
 * @category constructors
 */
export const make = ({ apiKey, model, url = openAi }: Options): Service => {
  const address = `${Http.baseOf(url)}/chat/completions`
  const headers = headersOf(apiKey)
  const known = Ref.unsafeMake<Dialect>({
    json: "json_schema",
    // OpenAI's newer models know the newer name alone, and many other servers the older one.
    limit: url.startsWith(openAi) ? "max_completion_tokens" : "max_tokens"
  })
  const ask = (question: Question, dialect: Dialect): Effect.Effect<Answer, ModelFailure> =>
    Effect.gen(function* () {
      const body = bodyOf(question, model, dialect)
      const response = yield* Http.send({ url: address, key: apiKey, headers, body })
      const next = otherwise(response, dialect)
      if (next !== null) return yield* ask(question, next)
      const given = yield* Http.answered(response)
      yield* Ref.set(known, dialect)
      return yield* answerOf(given)
    })
  return { ask: (question) => Effect.flatMap(Ref.get(known), (dialect) => ask(question, dialect)) }
}

/**
 * Asks for an object by its schema; an endpoint that answers 400 to that is asked for any object, with the schema in
 * words, and from then on at once.
 *
 * @example
 * ```ts
 * import * as ChatCompletions from "@reflexion/core/ChatCompletions"
 * import * as ModelCall from "@reflexion/core/ModelCall"
 * import { Effect, Schema } from "effect"
 *
 * // Port 9 is nobody's: where no server answers, the call says so and throws nothing.
 * const LocalModel = ChatCompletions.layer({ url: "http://127.0.0.1:9/v1", model: "qwen3:32b", apiKey: null })
 *
 * const answer = ModelCall.ask({
 *   purpose: "judge",
 *   system: "You judge work.",
 *   prompt: "Is it done?",
 *   schema: Schema.Struct({ complete: Schema.Boolean }),
 *   objectName: "verdict",
 *   timeout: "5 seconds"
 * }).pipe(
 *   Effect.as("answered"),
 *   Effect.catchTag("ModelFailure", ({ _tag }) => Effect.succeed(_tag)),
 *   Effect.provide(LocalModel)
 * )
 *
 * console.log(await Effect.runPromise(answer)) // => ModelFailure
 * ```
 *
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<Model> => Layer.sync(Model, () => make(options))
