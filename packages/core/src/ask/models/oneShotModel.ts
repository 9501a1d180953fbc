/** A model that is asked for one text or one object: no tools, no files, and its answer in one piece. */
import * as AiError from "@effect/ai/AiError"
import type * as IdGenerator from "@effect/ai/IdGenerator"
import * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Response from "@effect/ai/Response"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as JsonAnswer from "../../base/json/JsonAnswer.ts"

export type Parts = ReadonlyArray<Response.PartEncoded>

export interface Options {
  readonly module: string
  readonly answer: (
    method: string,
    options: LanguageModel.ProviderOptions
  ) => Effect.Effect<Parts, AiError.AiError, IdGenerator.IdGenerator>
}

/** Whether a text is what was asked for; of one that is not, more can be made than of a part of it. */
const fits = (schema: Schema.Schema.Any, text: string): boolean => {
  const decode = Schema.decodeUnknownOption(Schema.parseJson(Schema.make(schema.ast)))
  return Option.isSome(decode(text))
}

/** The object without the fence or the words around it. */
const salvaged = ({ responseFormat }: LanguageModel.ProviderOptions, parts: Parts): Parts => {
  if (responseFormat.type === "text") return parts
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")
  const object = JsonAnswer.lastObject(text)
  if (object === null || object === text || !fits(responseFormat.schema, object)) return parts
  return [{ type: "text", text: object }, ...parts.filter(({ type }) => type !== "text")]
}

const piecesOf = (part: Response.PartEncoded, index: number): ReadonlyArray<Response.StreamPartEncoded> => {
  const id = String(index)
  switch (part.type) {
    case "text":
      return [
        { type: "text-start", id },
        { type: "text-delta", id, delta: part.text },
        { type: "text-end", id }
      ]
    case "response-metadata":
    case "finish":
      return [part]
    default:
      return []
  }
}

export const make = ({ answer, module }: Options): Effect.Effect<LanguageModel.Service> => {
  const ask = Effect.fnUntraced(function* (method: string, options: LanguageModel.ProviderOptions) {
    if (options.tools.length === 0) return salvaged(options, yield* answer(method, options))
    const description = "A model that only answers has no tools: give none, or bring a layer of the provider's package"
    return yield* new AiError.MalformedInput({ module, method, description })
  })
  return LanguageModel.make({
    generateText: (options) => Effect.map(ask("generateText", options), (parts) => [...parts]),
    streamText: (options) =>
      Stream.unwrap(Effect.map(ask("streamText", options), (parts) => Stream.fromIterable(parts.flatMap(piecesOf))))
  })
}
