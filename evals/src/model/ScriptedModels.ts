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

const tests = {
  ran: false,
  results: "unknown",
  ran_after_changes: false,
  commands: [],
  skipped: false,
  skip_reason: null
}

const evidence = {
  tests,
  build: { ran: false, results: "unknown" },
  pr: { created: false, url: null, ci_status: "unknown", checked: false }
}

const assessment = (given: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    status: "complete",
    confidence: 1,
    evidence,
    remaining_work: [],
    next_steps: [],
    needs_user_action: [],
    stuck: false,
    alternate_approach: null,
    ...given
  })

const open = (work: ReadonlyArray<Item>): string =>
  assessment({ status: "in_progress", remaining_work: work, next_steps: ["Finish the task."] })

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
  [...prompt.matchAll(/^\[(e\d+)\] \S+.*→ (?:exit [1-9]|failed)/gm)].slice(-4).map(([, event = ""]) => item(event, ""))

/** What failing calls printed, by pieces that each of several may have. */
const outputs = (prompt: string): ReadonlyArray<Item> =>
  [...prompt.matchAll(/^\[(e\d+)\] \S+.*→ (?:exit [1-9]\d*|failed)\n((?: {2}.*\n)*)/gm)]
    .slice(-4)
    .flatMap(([, event = "", lines = ""]) => {
      const text = lines
        .split("\n")
        .filter((line) => !line.startsWith("  $ "))
        .join(" ")
        .trim()
      return [text, ...sentences(text), text.slice(0, 40), text.slice(-40)]
        .slice(0, 5)
        .map((quote) => item(event, quote))
    })

const lastWords = (prompt: string): ReadonlyArray<Item> => {
  const found = /^The agent's last words \[(e\d+)\]:\n(.*)/ms.exec(prompt)
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

const agreeable: Scripted = { name: "complete to everything", answer: () => assessment({}) }

/** Says of every test that it was passed over, for no good reason. */
const skipping = (confidence: number): Scripted => ({
  name: `tests skipped as flaky, ${confidence}`,
  answer: () =>
    assessment({
      confidence,
      evidence: { ...evidence, tests: { ...tests, skipped: true, skip_reason: "flaky and unimportant" } }
    })
})

/** Finds that the agent goes round in circles, and cites what failed and what was said. */
const circling = (confidence: number): Scripted => ({
  name: `stuck, citing the record, ${confidence}`,
  answer: (prompt) =>
    assessment({
      status: "stuck",
      confidence,
      stuck: true,
      remaining_work: [...outputs(prompt), ...failures(prompt), ...lastWords(prompt)].slice(0, 20),
      alternate_approach: "Begin anew."
    })
})

/** Claims all that could be claimed. */
const claiming: Scripted = {
  name: "complete, all green, with a pull request",
  answer: () =>
    assessment({
      evidence: {
        tests: { ...tests, ran: true, results: "pass", ran_after_changes: true, commands: ["npm test"] },
        build: { ran: true, results: "pass" },
        pr: { created: true, url: "https://github.com/example/app/pull/1", ci_status: "pass", checked: true }
      }
    })
}

/** Answers the second question to the first, so that it is asked both, and finds the worst. */
const blocking: Scripted = {
  name: "a blocker, citing the record",
  answer: (prompt) =>
    JSON.stringify({
      complete: false,
      severity: "BLOCKER",
      feedback: "This endangers the data.",
      missing: [...messages(prompt), ...failures(prompt), ...lastWords(prompt)].slice(0, 20),
      next_actions: ["Finish the task."],
      requires_human_action: false
    })
}

const babbling: Scripted = { name: "no JSON at all", answer: () => "I would say that it looks fine to me." }

export const all: ReadonlyArray<Scripted> = [
  stubborn,
  citing,
  agreeable,
  babbling,
  skipping(1),
  skipping(0.3),
  circling(1),
  circling(0.3),
  claiming,
  blocking
]

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
