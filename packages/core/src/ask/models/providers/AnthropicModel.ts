/** Anthropic's models as a `Model`, through its messages: made to call a tool, whose input is the object asked for. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Json from "../../../base/json/Json.ts"
import { type Answer, Model, type Question, type Service } from "../Model.ts"
import { cutOff, declined, type ModelFailure } from "../ModelFailures.ts"
import * as Http from "./http.ts"

/**
 * `url` is for a gateway or a proxy, with or without the API's version. An answer has at most 4,096 tokens unless the
 * question says otherwise.
 *
 * @category models
 */
export interface Options {
  readonly model: string
  readonly apiKey: Redacted.Redacted | null
  readonly url?: string
}

/** Where the API of an address is: others give its version with it. */
export const apiOf = (url: string): string => `${Http.baseOf(url).replace(/\/v1$/u, "")}/v1`

export const headersOf = (apiKey: Redacted.Redacted | null): Readonly<Record<string, string>> => ({
  "anthropic-version": "2023-06-01",
  ...(apiKey !== null && { "x-api-key": Redacted.value(apiKey) })
})

const bodyOf = ({ maxOutputTokens, objectName, prompt, schema, system }: Question, model: string): object => ({
  model,
  max_tokens: maxOutputTokens ?? 4096,
  system,
  messages: [{ role: "user", content: prompt }],
  tools: [{ name: objectName, description: "Call this with your answer.", input_schema: schema }],
  tool_choice: { type: "tool", name: objectName }
})

const answerOf = (given: Json.Json): Effect.Effect<Answer, ModelFailure> => {
  if (!Array.isArray(given["content"])) return Http.unread()
  const parts = Json.list(given["content"]).map(Json.object)
  const usage = Json.object(given["usage"])
  const tokens = (name: string): number => Json.number(usage[name]) ?? 0
  const known = {
    model: Json.string(given["model"]),
    usage: {
      inputTokens: tokens("input_tokens") + tokens("cache_creation_input_tokens") + tokens("cache_read_input_tokens"),
      outputTokens: tokens("output_tokens")
    }
  }
  const said = parts.map(({ text }) => Json.text(text)).join("")
  if (given["stop_reason"] === "refusal") return declined(said, known)
  if (given["stop_reason"] === "max_tokens") return cutOff(known)
  const called = parts.find(({ type }) => type === "tool_use")
  return Effect.succeed({ ...known, text: called === undefined ? said : JSON.stringify(called["input"] ?? {}) })
}

/**
 * The model as a service, for a program that has several.
 *
 * @category constructors
 */
export const make = ({ apiKey, model, url = "https://api.anthropic.com" }: Options): Service => {
  const request = { url: `${apiOf(url)}/messages`, key: apiKey, headers: headersOf(apiKey) }
  return {
    ask: (question) =>
      Http.send({ ...request, body: bodyOf(question, model) }).pipe(
        Effect.flatMap(Http.answered),
        Effect.flatMap(answerOf)
      )
  }
}

/**
 * A wrong key shows with the first question.
 *
 * @example
 * ```ts
 * import { NodeContext } from "@effect/platform-node"
 * import * as AnthropicModel from "@reflexion/core/AnthropicModel"
 * import { JudgeService } from "@reflexion/core/JudgeService"
 * import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
 * import { Config, Effect, Layer } from "effect"
 *
 * const ModelLive = Layer.unwrapEffect(
 *   Effect.map(Config.redacted("ANTHROPIC_API_KEY"), (apiKey) =>
 *     AnthropicModel.layer({ model: "claude-sonnet-4-5", apiKey })
 *   )
 * )
 *
 * export const JudgeLive = JudgeService.Live.pipe(
 *   Layer.provide([ModelLive, CurrentConfig.layer()]),
 *   Layer.provide(NodeContext.layer)
 * )
 * ```
 *
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<Model> => Layer.sync(Model, () => make(options))
