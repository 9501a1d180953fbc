/** The tags of `@effect/ai`, by their keys: whoever asks no model needs no such package. */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Telemetry from "@effect/ai/Telemetry"
import * as Context from "effect/Context"

export const LanguageModelTag = Context.GenericTag<LanguageModel.LanguageModel, LanguageModel.Service>(
  "@effect/ai/LanguageModel"
)

/** Shown every answer as it came, before it is read as an object. */
export const SpanTransformerTag = Context.GenericTag<Telemetry.CurrentSpanTransformer, Telemetry.SpanTransformer>(
  "@effect/ai/Telemetry/CurrentSpanTransformer"
)
