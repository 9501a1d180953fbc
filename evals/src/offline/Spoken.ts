/** A model that says what a file has, and writes down what it is asked: no question of a suite goes past the real tier. */
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"

/** What was asked, in its parts: what the reader is told to do, and the record. */
export interface Heard {
  readonly system: string
  readonly prompt: string
}

/** Without an answer it says nothing, which is none. */
export const layer = (answer: string | null, heard: Ref.Ref<ReadonlyArray<Heard>>) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({
      generateText: ({ prompt }) => {
        const texts = prompt.content.map(({ content, role }) => ({
          role,
          text:
            typeof content === "string"
              ? content
              : content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
        }))
        const of = (isSystem: boolean): string =>
          texts
            .filter(({ role }) => (role === "system") === isSystem)
            .map(({ text }) => text)
            .join("\n\n")
        return Effect.as(
          Ref.update(heard, (all) => [...all, { system: of(true), prompt: of(false) }]),
          [{ type: "text" as const, text: answer ?? "" }]
        )
      },
      streamText: () => Stream.die("not asked for")
    })
  )
