/** PORT: a model that gets one question at a time and answers with one text. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { failure, ModelFailure, noUsage, type Usage } from "./ModelFailures.ts"

/**
 * The purpose of a question.
 *
 * @category models
 */
export type Purpose = "self_assessment" | "stuck" | "review" | "audit" | "reflection" | "analysis"

/**
 * A question to a model.
 *
 * @category models
 */
export interface Question {
  readonly purpose: Purpose
  readonly system: string
  readonly prompt: string
  readonly schema: object
  readonly objectName: string
  /** Null if the provider decides. */
  readonly maxOutputTokens: number | null
}

/**
 * The model's answer.
 *
 * @category models
 */
export interface Answer {
  readonly text: string
  readonly model: string | null
  readonly usage: Usage
}

export interface Service {
  readonly ask: (question: Question) => Effect.Effect<Answer, ModelFailure>
}

/**
 * The questions that a test model got, oldest first.
 *
 * @category testing
 */
export class ModelRecord extends Context.Tag("@reflexion/core/Model/ModelRecord")<
  ModelRecord,
  { readonly asked: Effect.Effect<ReadonlyArray<Question>> }
>() {}

export type ScriptedAnswer = string | Answer | ModelFailure

const scripted = (answers: ReadonlyArray<ScriptedAnswer>) =>
  Effect.gen(function* () {
    const asked = yield* Ref.make<ReadonlyArray<Question>>([])
    const ask = Effect.fnUntraced(function* (question: Question) {
      const { length } = yield* Ref.getAndUpdate(asked, (all) => [...all, question])
      const next = answers[Math.min(length, answers.length - 1)] ?? failure("unavailable", "no answer is scripted")
      if (next instanceof ModelFailure) return yield* next
      return typeof next === "string" ? { text: next, model: null, usage: noUsage } : next
    })
    return Context.make(Model, { ask }).pipe(Context.add(ModelRecord, { asked: Ref.get(asked) }))
  })

/**
 * The model that `ModelCall.ask` uses. The program provides it. `EffectAiModel` converts a model of `@effect/ai`.
 *
 * @category services
 */
export class Model extends Context.Tag("@reflexion/core/Model")<Model, Service>() {
  /** Gives the answers in order and repeats the last one. */
  static readonly Test = (...answers: ReadonlyArray<ScriptedAnswer>): Layer.Layer<Model | ModelRecord> =>
    Layer.effectContext(scripted(answers))
}

/** Asks for the object in words, for a model that does not support a schema. */
export const asJson = (
  schema: object
): string => `Answer with one JSON object and nothing else: no code fence, and no words before or after it.
It has to fit this JSON schema:

${JSON.stringify(schema)}`

const maxText = 262_144

export const readable = ({ model, text, usage }: Answer): Effect.Effect<Answer, ModelFailure> => {
  if (text.trim() === "") return failure("malformed", "its answer is empty", { model, usage })
  if (text.length <= maxText) return Effect.succeed({ model, text, usage })
  return failure("malformed", `its answer has ${text.length} characters, and the limit is ${maxText}`, { model, usage })
}
