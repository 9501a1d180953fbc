/** A provider package's model, for one question at a time: what it fails with carries no request, and no key. */
import * as AiError from "@effect/ai/AiError"
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { ModelFailure } from "../ModelCall.ts"
import { redact } from "../../../base/redaction/Redaction.ts"
import type { Raw } from "./raw.ts"
import * as ModelRaw from "./raw.ts"
import * as OneShotModel from "../oneShotModel.ts"

export interface Options {
  readonly module: string
  readonly model: LanguageModel.Service
  /** Sets for one request what the port has no word for. */
  readonly configured: (
    options: LanguageModel.ProviderOptions
  ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const request = { method: "POST" as const, urlParams: [], headers: {} }

/** The same error without what it was caused by: that holds the whole request. */
const scrubbed = (error: AiError.AiError): AiError.AiError => {
  const { method, module } = error
  const said = error.description === undefined ? {} : { description: error.description }
  switch (error._tag) {
    case "HttpResponseError": {
      const {
        body,
        reason,
        request: { hash, url },
        response
      } = error
      const more = body === undefined ? {} : { body: body.slice(0, 8_000) }
      return new AiError.HttpResponseError({
        module,
        method,
        reason,
        request: { ...request, hash, url: redact(url) },
        response,
        ...said,
        ...more
      })
    }
    case "HttpRequestError": {
      const {
        reason,
        request: { hash, url }
      } = error
      return new AiError.HttpRequestError({
        module,
        method,
        reason,
        request: { ...request, hash, url: redact(url) },
        ...said
      })
    }
    case "MalformedInput":
      return new AiError.MalformedInput({ module, method, ...said })
    case "MalformedOutput":
      return new AiError.MalformedOutput({ module, method, ...said })
    case "UnknownError":
      return new AiError.UnknownError({ module, method, ...said })
  }
}

export const ask = (
  model: LanguageModel.Service,
  { prompt, responseFormat }: LanguageModel.ProviderOptions
): Effect.Effect<Raw, AiError.AiError> => {
  if (responseFormat.type === "text") return ModelRaw.seen(model.generateText({ prompt }))
  const schema = Schema.make<unknown, Record<string, unknown>>(responseFormat.schema.ast)
  return ModelRaw.seen(model.generateObject({ prompt, schema, objectName: responseFormat.objectName }))
}

export const partsOf = ({ finish, model, text, usage }: Raw): OneShotModel.Parts => [
  { type: "text", text },
  ...(model === null ? [] : [{ type: "response-metadata" as const, modelId: model }]),
  { type: "finish", reason: finish, usage: { ...usage, totalTokens: usage.inputTokens + usage.outputTokens } }
]

export const make = ({ configured, model, module }: Options): Effect.Effect<LanguageModel.Service> =>
  OneShotModel.make({
    module,
    answer: (_, options) =>
      ask(model, options).pipe(configured(options), Effect.map(partsOf), Effect.mapError(scrubbed))
  })

const isMissing = (error: unknown): boolean =>
  Predicate.hasProperty(error, "code") && (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND")

/** A package that only those have who use it. */
export const loaded = <A>(name: string, load: () => Promise<A>): Effect.Effect<A, ModelFailure> =>
  Effect.tryPromise({
    try: load,
    catch: (error) => {
      const kind = error instanceof Error ? error.name : typeof error
      const detail = isMissing(error)
        ? `the package ${name} is not installed: add it to your project (npm install ${name})`
        : `the package ${name} could not be loaded (${kind}): install the version that this one asks for`
      return new ModelFailure({ reason: "unavailable", model: null, detail })
    }
  })

export const layer = (
  model: Effect.Effect<LanguageModel.Service, ModelFailure>
): Layer.Layer<LanguageModel.LanguageModel, ModelFailure> => Layer.effect(LanguageModel.LanguageModel, model)
