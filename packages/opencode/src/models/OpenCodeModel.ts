/**
 * The host's own models as `LanguageModel` of `@effect/ai`: what the user has set up in OpenCode answers, with no key of
 * ours. Every request is a session that is gone after its answer.
 */
import * as AiError from "@effect/ai/AiError"
import * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Response from "@effect/ai/Response"
import * as JsonAnswer from "@reflexion/core/internal/base/json/JsonAnswer"
import * as ModelPrompt from "@reflexion/core/internal/ask/models/ModelPrompt"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Answer, JudgeSessionError } from "./judgeAnswer.ts"
import { JudgeSession } from "./JudgeSession.ts"
import type { Prompt } from "../host/OpenCodeClient.ts"

/**
 * Which model is asked about a session, null for that session's own; or why none is.
 *
 * @category models
 */
export type Choose = (sessionId: string) => Effect.Effect<Prompt["model"], string>

/**
 * With a null `model` it is the one of the session that the request is about. `timeout` is for one answer, with all that
 * the host does to get it. `refusal` says why nothing is to be asked about a session, null where nothing speaks against it.
 *
 * @category models
 */
export interface Options {
  readonly model: Prompt["model"] | Choose
  readonly timeout: Duration.DurationInput
  readonly refusal?: (sessionId: string) => Effect.Effect<string | null>
}

/** Of the fiber, not of the context: a cache between who asks and the model has a context of its own. */
const currentSession = FiberRef.unsafeMake<string | null>(null)

/**
 * Says of all requests in an effect which session they are about.
 *
 * @category combinators
 */
export const inSession: (sessionId: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = (
  sessionId
) => Effect.locally(currentSession, sessionId)

/**
 * Which session requests are about here, null where `inSession` has named none.
 *
 * @category accessors
 */
export const session: Effect.Effect<string | null> = FiberRef.get(currentSession)

const module = "OpenCodeModel"

const nameOf = (model: Prompt["model"]): string => (model === null ? "default" : `${model.providerID}/${model.modelID}`)

/** The provider's status as such; of its headers the error knows nothing. */
const failed =
  (method: string, model: Prompt["model"]) =>
  (error: JudgeSessionError): AiError.AiError => {
    if (error.status === null) {
      return new AiError.UnknownError({ module, method, description: error.message, cause: error })
    }
    const url = `opencode:${nameOf(model)}`
    return new AiError.HttpResponseError({
      module,
      method,
      reason: "StatusCode",
      description: error.detail,
      request: { method: "POST", url, urlParams: [], hash: Option.none(), headers: {} },
      response: { status: error.status, headers: {} }
    })
  }

const reasons: Readonly<Record<string, Response.FinishReason>> = {
  stop: "stop",
  length: "length",
  "content-filter": "content-filter",
  error: "error",
  other: "other"
}

const usageOf = ({ tokens }: Answer): Response.FinishPartEncoded["usage"] => {
  const inputTokens = tokens.input + tokens.cacheRead + tokens.cacheWrite
  const outputTokens = tokens.output + tokens.reasoning
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    reasoningTokens: tokens.reasoning,
    cachedInputTokens: tokens.cacheRead
  }
}

const endOf = (answer: Answer): readonly [Response.ResponseMetadataPartEncoded, Response.FinishPartEncoded] => [
  { type: "response-metadata", modelId: nameOf(answer) },
  { type: "finish", reason: reasons[answer.finish] ?? "unknown", usage: usageOf(answer) }
]

const nobody = () => Effect.succeed(null)

const make = Effect.fnUntraced(function* ({ model: given, refusal = nobody, timeout }: Options) {
  const sessions = yield* JudgeSession
  const ask = Effect.fnUntraced(function* (method: string, options: LanguageModel.ProviderOptions) {
    const parentId = yield* FiberRef.get(currentSession)
    const prompt = yield* ModelPrompt.make({ ...options, module, method })
    if (parentId === null) {
      const description = "No session was named that the request is about: use OpenCodeModel.inSession"
      return yield* new AiError.MalformedInput({ module, method, description })
    }
    const refused = (description: string) => new AiError.MalformedInput({ module, method, description })
    const description = yield* refusal(parentId)
    if (description !== null) return yield* refused(description)
    const model = typeof given === "function" ? yield* Effect.mapError(given(parentId), refused) : given
    return yield* Effect.mapError(sessions.ask({ ...prompt, parentId, model, timeout }), failed(method, model))
  })
  return yield* LanguageModel.make({
    generateText: Effect.fnUntraced(function* (options) {
      const answer = yield* ask("generateText", options)
      const text =
        options.responseFormat.type === "json" ? (JsonAnswer.lastObject(answer.text) ?? answer.text) : answer.text
      return [{ type: "text" as const, text }, ...endOf(answer)]
    }),
    streamText: (options) =>
      Stream.unwrap(
        Effect.map(ask("streamText", options), (answer) =>
          Stream.fromIterable<Response.StreamPartEncoded>([
            { type: "text-start", id: "0" },
            { type: "text-delta", id: "0", delta: answer.text },
            { type: "text-end", id: "0" },
            ...endOf(answer)
          ])
        )
      )
  })
})

/**
 * Requests are about the session that `inSession` names; a stream's answer comes in one piece.
 *
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel, never, JudgeSession> =>
  Layer.effect(LanguageModel.LanguageModel, make(options))
