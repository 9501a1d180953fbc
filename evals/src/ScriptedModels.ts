/** Models that answer by a rule, so that what they could do to a verdict can be counted without a network. */
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"

/** What a model says to a prompt. */
export interface Scripted {
  readonly name: string
  readonly answer: (prompt: string) => string
}

interface Item {
  readonly what: string
  readonly event: string
  readonly quote: string
}

const open = (work: ReadonlyArray<Item>): string =>
  JSON.stringify({
    status: "in_progress",
    confidence: 1,
    evidence: {},
    remaining_work: work,
    next_steps: ["Finish the task."],
    needs_user_action: [],
    stuck: false,
    alternate_approach: null
  })

/** Sentences of a text, as a model would quote them. */
const sentences = (text: string): ReadonlyArray<string> =>
  text
    .split(/(?<=[.!?:])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 7)

const item = (event: string, quote: string): Item => ({ what: "this is not done", event, quote })

const messages = (prompt: string): ReadonlyArray<Item> =>
  [...prompt.matchAll(/^\[(e\d+)\] user: (.*)$/gm)]
    .slice(-2)
    .flatMap(([, event = "", text = ""]) => [text, ...sentences(text)].slice(0, 5).map((quote) => item(event, quote)))

const failures = (prompt: string): ReadonlyArray<Item> =>
  [...prompt.matchAll(/^\[(e\d+)\] \S+ `.*→ (?:exit [1-9]|error)/gm)].slice(-4).map(([, event = ""]) => item(event, ""))

const lastWords = (prompt: string): ReadonlyArray<Item> => {
  const found = /^The agent's last response \[(e\d+)\]:\n(.*)/ms.exec(prompt)
  return sentences(found?.[2] ?? "")
    .slice(-6)
    .map((quote) => item(found?.[1] ?? "", quote))
}

/** Says that nothing is ever done, without a word of why. */
const stubborn: Scripted = { name: "in_progress to everything", answer: () => open([item("", "")]) }

/** Says so as well, and cites whatever of the record could be taken for a reason: the worst that a model can do. */
const citing: Scripted = {
  name: "in_progress, citing the record",
  answer: (prompt) => open([...messages(prompt), ...failures(prompt), ...lastWords(prompt)].slice(0, 20))
}

const agreeable: Scripted = {
  name: "complete to everything",
  answer: () => open([]).replace("in_progress", "complete").replace("Finish the task.", "")
}

const babbling: Scripted = { name: "no JSON at all", answer: () => "I would say that it looks fine to me." }

export const all: ReadonlyArray<Scripted> = [stubborn, citing, agreeable, babbling]

/** The model as a provider's layer; `calls` counts how often it is asked. */
export const layer = ({ answer }: Scripted, calls: Ref.Ref<number>) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({
      generateText: ({ prompt }) => {
        const asked = prompt.content.flatMap(({ content }) =>
          typeof content === "string" ? [content] : content.flatMap((part) => (part.type === "text" ? [part.text] : []))
        )
        return Effect.as(
          Ref.update(calls, (count) => count + 1),
          [{ type: "text" as const, text: answer(asked.join("\n\n")) }]
        )
      },
      streamText: () => Stream.die("not asked for")
    })
  )
