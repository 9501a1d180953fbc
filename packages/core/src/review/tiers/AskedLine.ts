/** What the user is told of a question that was put to a model at a stop: who was asked, and what it took. */
import type { AskEnd, AskSummary } from "../../model/calls/AskLines.ts"
import type { ModelRecord } from "./model.ts"

const failures: Readonly<Record<Exclude<AskEnd, "answered">, string>> = {
  late: "no answer in time",
  failed: "no answer",
  unreadable: "its answer cannot be read",
  overtaken: "nobody waited for its answer"
}

/** A wait, as people say it: `4.1 s`. */
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** A number of tokens: `3,612 tokens`. */
const tokens = (count: number): string => `${count.toLocaleString("en-US")} ${count === 1 ? "token" : "tokens"}`

/**
 * In a few words, as in "asked claude-code/small: 4.1 s, 3,612 tokens"; null where nobody was asked.
 *
 * @category rendering
 */
export const describe = (asked: Pick<ModelRecord, "end" | "question"> | undefined): string | null => {
  const { end = null, question = null } = asked ?? {}
  if (end === null || question === null) return null
  const { inputTokens, model, ms, outputTokens } = question
  const paid = inputTokens + outputTokens
  const took = [...(end === "answered" ? [] : [failures[end]]), seconds(ms), ...(paid === 0 ? [] : [tokens(paid)])]
  return `asked ${model ?? "a model"}: ${took.join(", ")}`
}

/**
 * What was asked today, as a sentence.
 *
 * @category rendering
 */
export const today = ({ answered, calls, inputTokens, medianMs, outputTokens }: AskSummary): string =>
  calls === 0 || medianMs === null
    ? "Nothing was asked today."
    : `Today: ${calls} ${calls === 1 ? "question" : "questions"}, ${answered} answered, a median wait of ${seconds(medianMs)}, ${tokens(inputTokens)} in and ${outputTokens.toLocaleString("en-US")} out.`
