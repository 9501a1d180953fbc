/** A model that says what a file has, and writes down what it is asked: no question of a suite goes past the real tier. */
import { Model } from "@reflexion/core/Model"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"

/** What was asked, in its parts: what the reader is told to do, and the record. */
export interface Heard {
  readonly system: string
  readonly prompt: string
}

/** Without an answer it says nothing, which is none. */
export const layer = (answer: string | null, heard: Ref.Ref<ReadonlyArray<Heard>>) =>
  Layer.succeed(Model, {
    ask: ({ prompt, system }) =>
      Effect.as(
        Ref.update(heard, (all) => [...all, { system, prompt }]),
        { text: answer ?? "", model: null, usage: { inputTokens: 0, outputTokens: 0 } }
      )
  })
