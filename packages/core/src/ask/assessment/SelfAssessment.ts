/**
 * What a model says of a turn that evidence leaves open, and what comes of it. Pure; who asks is `JudgeService.Live`.
 */
import * as Answers from "./answer.ts"
import type { Answer } from "./answer.ts"
import * as Decide from "./decide.ts"
import * as Prompts from "./prompt.ts"
import * as Quotations from "./quotations.ts"
import * as Record from "./TurnRecord.ts"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import { defaults } from "../../session/config/Defaults.ts"
import { gather } from "../../session/facts/Facts.ts"
import type { Judged, JudgmentState, VerdictOptions } from "../../judge/verdict/Judgment.ts"
import type { AskEnd, AskLine } from "../models/AskLines.ts"
import type { Transcript } from "../../session/transcript/Transcript.ts"

export { JudgeAnswer, SelfAssessment } from "./answer.ts"

export type { Answer } from "./answer.ts"

export type { Attempt } from "./decide.ts"

export {
  judge as judgePrompt,
  type Prompt,
  selfAssessment as prompt,
  type Telling,
  version as promptVersion
} from "./prompt.ts"

export type { Turn } from "./TurnRecord.ts"

export type { AskEnd } from "../models/AskLines.ts"

/**
 * The least probability of a right push at which the agent is pushed, unless the configuration names another. It is ours: a
 * model gives the probability, and is not told what follows from it.
 *
 * @category constants
 */
export const pushThreshold: number = defaults.models.pushFrom

/**
 * The last turn of a transcript, from its judgement's state and the verdict on it.
 *
 * @category constructors
 */
export const turnOf = (
  state: JudgmentState,
  options: VerdictOptions & { readonly transcript: Transcript; readonly judged: Judged }
): Record.Turn => {
  const known = gather(state, options)
  return {
    known,
    judged: options.judged,
    told: state.pushes.unsure === true,
    entries: [...Record.conditionsOf(known), ...Record.entriesOf(options.transcript, known.task)],
    notes: Record.notesOf(options.transcript, known.task),
    before: (state.earlier ?? []).filter(({ turn }) => turn < known.task.since)
  }
}

const maxWords = 2000

/**
 * The answer in a text, in whichever form, without secrets, unseen characters and addresses that the user did not write; null
 * where there is none.
 *
 * @category decoding
 */
export const read = (turn: Record.Turn, text: string): Answer | null => {
  const own = Quotations.ownWords(turn)
  return Answers.read(text, (words) => withoutUnnamed(Record.clean(words.slice(0, maxWords)), own))
}

/**
 * What a question took. `model` is the name under which the model was chosen.
 *
 * @category models
 */
export interface Question extends Pick<AskLine, "model" | "ms" | "inputTokens" | "outputTokens"> {}

/**
 * What came of asking, for the record of a review. `by` is the form in which the answer came that counted, null where none
 * could be read; `problem` then names the failure. `end` is how the question ended, null where none was put; `question` has what
 * it took, and `told` is a line that the user is told once.
 *
 * @category models
 */
export interface Asked {
  readonly promptVersion: number
  readonly model: string | null
  readonly by: "self_assessment" | "judge" | null
  readonly problem: string | null
  readonly answer: Answer | null
  readonly end: AskEnd | null
  readonly question: Question | null
  readonly told: string | null
}

/**
 * A verdict with what a model was asked about it.
 *
 * @category models
 */
export interface Consulted extends Judged {
  readonly asked: Asked
}

const nobody: Asked = {
  promptVersion: Prompts.version,
  model: null,
  by: null,
  problem: null,
  answer: null,
  end: null,
  question: null,
  told: null
}

/**
 * The verdict with an answer in it. It settles what evidence leaves open and may lower what is complete; it makes nothing
 * complete over a required gate that is not passed.
 *
 * @category judging
 */
export const apply = (
  turn: Record.Turn,
  answer: Answer,
  attempt: Decide.Attempt,
  by: Asked["by"] = "self_assessment"
): Consulted => ({
  ...Decide.decide(turn, answer, attempt),
  asked: { ...nobody, by, end: "answered", answer }
})

/**
 * Tier 1's verdict where there is no answer, with what went wrong in its reason. `end` is null where nobody was asked.
 *
 * @category judging
 */
export const unanswered = (turn: Record.Turn, problem: string, end: AskEnd | null = null): Consulted => ({
  ...Decide.kept(turn, problem),
  asked: { ...nobody, problem, end }
})
