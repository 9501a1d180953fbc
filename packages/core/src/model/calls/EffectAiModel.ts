/** Uses a `LanguageModel` of `@effect/ai` as a `Model`. Only this module needs that package. */
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { asJson, Model } from "./Model.ts"
import { cutOff, declined, failure, ofOthers } from "./ModelFailures.ts"

/**
 * Asks for the JSON object in words. An answer that does not fit the schema is returned too.
 *
 * The program that makes the `LanguageModel` limits the length of an answer.
 *
 * @category layers
 */
export const layer: Layer.Layer<Model, never, LanguageModel.LanguageModel> = Layer.effect(
  Model,
  Effect.map(LanguageModel.LanguageModel, ({ generateText }) => ({
    ask: Effect.fnUntraced(function* ({ prompt, schema, system }) {
      const response = yield* generateText({
        prompt: [
          { role: "system", content: system },
          { role: "user", content: [{ type: "text", text: `${prompt}\n\n${asJson(schema)}` }] }
        ]
      }).pipe(Effect.mapError(({ description, name }) => failure("unavailable", ofOthers(description ?? name))))
      const { inputTokens, outputTokens } = response.usage
      const [metadata] = response.content.filter((part) => part.type === "response-metadata")
      const model = metadata === undefined ? null : Option.getOrNull(metadata.modelId)
      const known = { model, usage: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 } }
      if (response.finishReason === "length") return yield* cutOff(known)
      if (response.finishReason === "content-filter") return yield* declined(response.text, known)
      return { ...known, text: response.text }
    })
  }))
)
