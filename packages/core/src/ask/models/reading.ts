/** One question to a model, and what can be made of its answer. */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Prompt from "@effect/ai/Prompt"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as JsonAnswer from "../../base/json/JsonAnswer.ts"
import { type Failed, failed, ofAiError, ofOthers } from "./ModelFailures.ts"
import type { Raw } from "./providers/raw.ts"
import * as ModelRaw from "./providers/raw.ts"

export interface Reading<A> {
  readonly text: string
  readonly value: A | null
  readonly model: string | null
  readonly usage: Raw["usage"]
}

interface Asked<A, I extends Record<string, unknown>> {
  readonly system: string
  readonly prompt: string
  readonly schema: Schema.Schema<A, I>
  readonly objectName: string
}

/** Many times what any answer to a question of ours may be long. */
const maxText = 262_144

const messages = ({ prompt, system }: { readonly prompt: string; readonly system: string }) =>
  [
    { role: "system", content: system },
    { role: "user", content: [{ type: "text", text: prompt }] }
  ] satisfies ReadonlyArray<Prompt.MessageEncoded>

/** Why what a model said is no answer, null where it is one, fitting or not. */
export const unusable = ({ finish, text }: Raw): Failed | null => {
  if (finish === "content-filter") return failed("refused", text === "" ? "it declines to answer" : ofOthers(text))
  if (finish === "length") return failed("truncated", "its answer reached the limit of tokens before its end")
  if (finish === "error") return failed("unavailable", "the provider broke the answer off with an error", 0)
  if (text.trim() === "") return failed("malformed", "its answer is empty")
  if (text.length > maxText) return failed("malformed", `its answer has ${text.length} characters, ${maxText} at most`)
  return null
}

/** The whole text, or the last object in it, for a model puts a fence or a sentence around what it was asked for. */
const valueIn = <A, I extends Record<string, unknown>>(schema: Schema.Schema<A, I>, text: string): A | null => {
  const decode = Schema.decodeOption(Schema.parseJson(schema))
  const last = () => Option.flatMap(Option.fromNullable(JsonAnswer.lastObject(text)), (object) => decode(object))
  return Option.getOrNull(Option.orElse(decode(text), last))
}

/** A defect is a provider's mistake, of which only the kind is told: its message may show what was sent. */
const kindOf = (defect: unknown): string =>
  Predicate.hasProperty(defect, "_tag") ? String(defect._tag) : defect instanceof Error ? defect.name : "a defect"

const rawFrom = <A, I extends Record<string, unknown>>(
  model: LanguageModel.Service,
  { objectName, prompt, schema, system }: Asked<A, I>
) =>
  ModelRaw.seen(model.generateObject({ prompt: messages({ prompt, system }), schema, objectName })).pipe(
    Effect.catchAll((error) => Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(ofAiError(error, now)))),
    Effect.catchAllDefect((defect) => Effect.fail(failed("unavailable", `it broke with ${kindOf(defect)}`)))
  )

/** Asks once. `spent` is told of every answer, whether it can be used or not. */
export const answered = Effect.fnUntraced(function* <A, I extends Record<string, unknown>>(
  model: LanguageModel.Service,
  asked: Asked<A, I>,
  spent: (raw: Pick<Raw, "model" | "usage">) => Effect.Effect<void>
) {
  const raw = yield* rawFrom(model, asked)
  yield* spent(raw)
  const problem = unusable(raw)
  if (problem !== null) return yield* Effect.fail(problem)
  const reading: Reading<A> = {
    text: raw.text,
    value: valueIn(asked.schema, raw.text),
    model: raw.model,
    usage: raw.usage
  }
  return reading
})
