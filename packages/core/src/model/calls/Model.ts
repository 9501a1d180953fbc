/** PORT: a model that is asked one question at a time, and answers with one text. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { failure, ModelFailure, noUsage, type Usage } from "./ModelFailures.ts"

/**
 * What a question is for.
 *
 * @category models
 */
export type Purpose = "self_assessment" | "judge" | "stuck" | "review" | "audit" | "reflection" | "analysis"

/**
 * `schema` is the JSON schema of the object that is asked for, under the name `objectName`. Null leaves the length of the
 * answer to the provider.
 *
 * @category models
 */
export interface Question {
  readonly purpose: Purpose
  readonly system: string
  readonly prompt: string
  readonly schema: object
  readonly objectName: string
  readonly maxOutputTokens: number | null
}

/**
 * What the model said, word for word. `model` is null where nobody says which one it was.
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
 * What a test model was asked, oldest first.
 *
 * @category testing
 */
export class ModelRecord extends Context.Tag("@reflexion/core/Model/ModelRecord")<
  ModelRecord,
  { readonly asked: Effect.Effect<ReadonlyArray<Question>> }
>() {}

/** What a test model says: a text alone was said by nobody in particular, for nothing. */
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
 * The model that `ModelCall.ask` asks. A program's own model is a layer of this; one of `@effect/ai` becomes one by
 * `EffectAiModel`.
 *
 * @category services
 */
export class Model extends Context.Tag("@reflexion/core/Model")<Model, Service>() {
  /** Gives the answers in order, the last of them for ever, and records what it was asked. */
  static readonly Test = (...answers: ReadonlyArray<ScriptedAnswer>): Layer.Layer<Model | ModelRecord> =>
    Layer.effectContext(scripted(answers))
}

/** Asks for an object in words, for a model that cannot be held to a schema. */
export const asJson = (
  schema: object
): string => `Answer with one JSON object and nothing else: no code fence, and no words before or after it.
It has to fit this JSON schema:

${JSON.stringify(schema)}`

/** Many times what any answer to a question of ours may be long. */
const maxText = 262_144

/** Fails where there is nothing to read in an answer, or far too much. */
export const readable = ({ model, text, usage }: Answer): Effect.Effect<Answer, ModelFailure> => {
  if (text.trim() === "") return failure("malformed", "its answer is empty", { model, usage })
  if (text.length <= maxText) return Effect.succeed({ model, text, usage })
  return failure("malformed", `its answer has ${text.length} characters, ${maxText} at most`, { model, usage })
}
