/** A model's answer as it came, even where no object could be read in it. */
import type * as AiError from "@effect/ai/AiError"
import type * as Response from "@effect/ai/Response"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import { redact } from "../../../base/redaction/Redaction.ts"
import { SpanTransformerTag } from "../LanguageModelTag.ts"

/** An answer as the provider gave it, before anything is made of it. */
export interface Raw {
  readonly text: string
  readonly model: string | null
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
  readonly finish: Response.FinishReason
}

type Part = Response.AnyPart

/** OpenAI's way to say no is a part of its own. */
const refusalIn = ({ metadata }: Part): string | null => {
  const own: unknown = Predicate.hasProperty(metadata, "openai") ? metadata.openai : undefined
  return Predicate.hasProperty(own, "refusal") && typeof own.refusal === "string" ? own.refusal : null
}

/** A name as providers give it. It is shown, so that it may not be a sentence, an address or a key. */
const name = /^[\w@][\w@:./+-]{0,99}(?:\[\w{1,9}\])?$/

const nameOf = (id: string): string | null => (name.test(id) && redact(id) === id ? id : null)

const rawOf = (parts: ReadonlyArray<Part>): Raw => {
  const texts: Array<string> = []
  let model: string | null = null
  let usage = { inputTokens: 0, outputTokens: 0 }
  let finish: Response.FinishReason = "unknown"
  let refusal: string | null = null
  for (const part of parts) {
    refusal ??= refusalIn(part)
    if (part.type === "text") texts.push(part.text)
    if (part.type === "response-metadata") model = nameOf(Option.getOrElse(part.modelId, () => ""))
    if (part.type !== "finish") continue
    finish = part.reason
    usage = { inputTokens: part.usage.inputTokens ?? 0, outputTokens: part.usage.outputTokens ?? 0 }
  }
  if (refusal !== null) return { text: refusal, model, usage, finish: "content-filter" }
  return { text: texts.join(""), model, usage, finish }
}

/** What a model that shows nothing else says in its error: the text that is no object. */
const saidIn = (error: AiError.AiError): string | null => {
  const cause = error._tag === "MalformedOutput" ? error.cause : undefined
  const actual = ParseResult.isParseError(cause) && "actual" in cause.issue ? cause.issue.actual : undefined
  return typeof actual === "string" ? actual : null
}

/** Runs a request. What came before a failure to read it as an object is an answer all the same. */
export const seen = Effect.fnUntraced(function* <R>(
  request: Effect.Effect<{ readonly content: ReadonlyArray<Part> }, AiError.AiError, R>
) {
  const others = yield* Effect.serviceOption(SpanTransformerTag)
  let shown: Raw | null = null
  return yield* request.pipe(
    Effect.map(({ content }) => rawOf(content)),
    Effect.provideService(SpanTransformerTag, (options) => {
      shown = rawOf(options.response)
      if (Option.isSome(others)) others.value(options)
    }),
    Effect.catchAll((error) => {
      const text = saidIn(error)
      if (shown !== null) return Effect.succeed<Raw>(shown)
      return text === null ? Effect.fail(error) : Effect.succeed<Raw>({ ...rawOf([]), text })
    })
  )
})
