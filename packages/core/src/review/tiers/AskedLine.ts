/** Tells the user which model was asked, and what the question cost. */
import type { AskEnd, AskSummary } from "../../model/calls/AskLines.ts"
import type { ModelRecord } from "./model.ts"

const failures: Readonly<Record<Exclude<AskEnd, "answered">, string>> = {
  late: "no answer in time",
  failed: "no answer",
  unreadable: "its answer cannot be read",
  overtaken: "nobody waited for its answer"
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const tokens = (count: number): string => `${count.toLocaleString("en-US")} ${count === 1 ? "token" : "tokens"}`

/**
 * For example "asked claude-code/small: 4.1 s, 3,612 tokens". Null if no model was asked.
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
 * Describes today's questions in a sentence.
 *
 * @category rendering
 */
export const today = ({ answered, calls, inputTokens, medianMs, outputTokens }: AskSummary): string =>
  calls === 0 || medianMs === null
    ? "Nothing was asked today."
    : `Today: ${calls} ${calls === 1 ? "question" : "questions"}, ${answered} answered, a median wait of ${seconds(medianMs)}, ${tokens(inputTokens)} in and ${outputTokens.toLocaleString("en-US")} out.`
