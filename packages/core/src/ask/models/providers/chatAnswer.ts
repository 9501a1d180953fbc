/** What a chat completions endpoint answers, by whatever program it is. */
import type * as Response from "@effect/ai/Response"
import * as Schema from "effect/Schema"
import type { Parts } from "../oneShotModel.ts"

const Text = Schema.Union(
  Schema.String,
  Schema.Array(Schema.Struct({ type: Schema.String, text: Schema.optional(Schema.String) }))
)

const Choice = Schema.Struct({
  message: Schema.Struct({
    content: Schema.optional(Schema.NullOr(Text)),
    refusal: Schema.optional(Schema.NullOr(Schema.String))
  }),
  finish_reason: Schema.optional(Schema.NullOr(Schema.String))
})

const Usage = Schema.Struct({
  prompt_tokens: Schema.optional(Schema.NullOr(Schema.Number)),
  completion_tokens: Schema.optional(Schema.NullOr(Schema.Number))
})

const Completion = Schema.Struct({
  choices: Schema.NonEmptyArray(Choice),
  model: Schema.optional(Schema.NullOr(Schema.String)),
  usage: Schema.optional(Schema.NullOr(Usage))
})

type Completion = typeof Completion.Type

/** Routers answer 200 and put the error of whom they asked into the body. */
const Failure = Schema.Struct({
  error: Schema.Union(
    Schema.String,
    Schema.Struct({
      message: Schema.String,
      code: Schema.optional(Schema.NullOr(Schema.Union(Schema.Number, Schema.String)))
    })
  )
})

type Failure = typeof Failure.Type

export const decode = Schema.decodeUnknownEither(Schema.parseJson(Schema.Union(Failure, Completion)))

export const isFailure = (answer: Failure | Completion): answer is Failure => "error" in answer

export const statusOf = ({ error }: Failure): number => {
  const code = Number(typeof error === "string" ? undefined : error.code)
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : 500
}

const reasons: Readonly<Record<string, Response.FinishReason>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls",
  error: "error"
}

const textOf = (content: typeof Text.Type | null | undefined): string =>
  typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("")

export const parts = ({ choices: [{ finish_reason, message }], model, usage }: Completion): Parts => {
  const refused = typeof message.refusal === "string" && message.refusal !== ""
  const inputTokens = usage?.prompt_tokens ?? undefined
  const outputTokens = usage?.completion_tokens ?? undefined
  return [
    { type: "text", text: refused ? (message.refusal ?? "") : textOf(message.content) },
    ...(typeof model === "string" ? [{ type: "response-metadata" as const, modelId: model }] : []),
    {
      type: "finish",
      reason: refused ? "content-filter" : (reasons[finish_reason ?? ""] ?? "unknown"),
      usage: { inputTokens, outputTokens, totalTokens: (inputTokens ?? 0) + (outputTokens ?? 0) }
    }
  ]
}
