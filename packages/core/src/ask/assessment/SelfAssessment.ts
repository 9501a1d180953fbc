/**
 * What a model says of a turn that evidence leaves open, and how much of it stands: every claim is held against the tool
 * calls, and what it calls missing against the line of the record that it cites. Pure; who asks is `JudgeService.Live`.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AnswerRecord from "./answerRecord.ts"
import * as AnswerShape from "./answerShape.ts"
import * as Prompts from "./prompt.ts"
import { type Skipped, skipped, type Unproved, unproved } from "./claimCheck.ts"
import { gather } from "../../session/facts/Facts.ts"
import * as MadeVerdicts from "./madeVerdicts.ts"
import * as ModelVerdict from "./modelVerdict.ts"
import * as Weighed from "./weighed.ts"
import { contradicted } from "./contradictions.ts"
import { ofAssessment, ofJudge, pushFrom } from "./modelOpinion.ts"
import * as Record from "./TurnRecord.ts"
import * as JsonAnswer from "../../base/json/JsonAnswer.ts"
import type { Judged, JudgmentState, VerdictOptions } from "../../judge/verdict/Judgment.ts"
import type { AskEnd, AskLine } from "../models/AskLines.ts"
import type { Transcript } from "../../session/transcript/Transcript.ts"
import { SelfAssessment, JudgeAnswer } from "./model.ts"

export { isTold } from "./mayPush.ts"

export { JudgeAnswer, RemainingWork, SelfAssessment } from "./model.ts"

/**
 * Counts the changes of the prompts.
 *
 * @category constants
 */
export const promptVersion: number = Prompts.version

/**
 * The least probability of a right push at which the agent is pushed on a model's word. It is ours: a model gives the
 * probability, and is not told what follows from it.
 *
 * @category constants
 */
export const pushThreshold: number = pushFrom

/**
 * A turn with what tier 1 knows and says of it, and the record on which it rests.
 *
 * @category models
 */
export interface Turn extends Record.Turn {}

/**
 * The last turn of a transcript, from its judgement's state and the verdict on it.
 *
 * @category constructors
 */
export const turnOf = (
  state: JudgmentState,
  options: VerdictOptions & { readonly transcript: Transcript; readonly judged: Judged }
): Turn => {
  const known = gather(state, options)
  const { judged } = options
  return {
    known,
    judged,
    entries: [...Record.conditionsOf(known), ...Record.entriesOf(options.transcript, known.task)],
    notes: Record.notesOf(options.transcript, known.task),
    before: (state.earlier ?? []).filter(({ turn }) => turn < known.task.since)
  }
}

/**
 * What a model is told beside the record. `nonce` delimits what is untrusted, and must be known to nobody who wrote it.
 *
 * @category prompts
 */
export interface Telling extends Prompts.Telling {}

/**
 * A prompt in its two parts; everything untrusted is in `prompt`, without secrets.
 *
 * @category prompts
 */
export interface Prompt extends Prompts.Prompt {}

/**
 * Asks for a `SelfAssessment` of the turn.
 *
 * @category prompts
 */
export const prompt: (turn: Turn, telling: Telling) => Prompt = Prompts.selfAssessment

/**
 * Asks for a `JudgeAnswer` on the turn, showing an answer that could not be read.
 *
 * @category prompts
 */
export const judgePrompt: (turn: Turn, raw: string, telling: Telling) => Prompt = Prompts.judge

const decodeAssessment = Schema.decodeUnknownOption(SelfAssessment)

const decodeJudge = Schema.decodeUnknownOption(JudgeAnswer)

/**
 * The assessment in an answer: its last object, also where that is nearly JSON or leaves fields out. None without a status
 * and a confidence, and none where the answer was cut off.
 *
 * @category decoding
 */
export const decode = (text: string): Option.Option<SelfAssessment> =>
  Option.filter(
    decodeAssessment(AnswerShape.asAssessment(JsonAnswer.lastValue(text))),
    ({ confidence, push }) => isShare(confidence) && isShare(push)
  )

const isShare = (value: number): boolean => value >= 0 && value <= 1

/**
 * The second reader's answer, read as loosely; none without `complete` and `severity`.
 *
 * @category decoding
 */
export const decodeJudgeAnswer = (text: string): Option.Option<JudgeAnswer> =>
  Option.filter(decodeJudge(AnswerShape.asJudgeAnswer(JsonAnswer.lastValue(text))), ({ push }) => isShare(push))

/**
 * What is left of an assessment beside the record: the claims that nothing bears out, the statements that a fact contradicts,
 * the required gate that was passed over, and how many of the things it calls missing are shown by what they cite.
 *
 * @category models
 */
export interface Checked {
  readonly unproved: ReadonlyArray<Unproved>
  readonly contradicted: ReadonlyArray<Unproved>
  readonly skipped: Skipped | null
  readonly shown: number
}

/**
 * Holds an assessment against the record.
 *
 * @category checking
 */
export const check = (turn: Turn, assessment: SelfAssessment): Checked => ({
  unproved: unproved(turn, assessment),
  contradicted: contradicted(turn, ofAssessment(assessment)),
  skipped: skipped(turn, assessment),
  shown: Weighed.shownOf(turn, ofAssessment(assessment)).length
})

/**
 * What a question took. `model` is the name under which the model was chosen.
 *
 * @category models
 */
export interface Question extends Pick<AskLine, "model" | "ms" | "inputTokens" | "outputTokens"> {}

/**
 * What came of asking, for the record of a review. `by` is the reader whose answer counted, null where none could be
 * read; `problem` then names the failure. `unproved` are the claims that the record does not bear out, `contradicted` the
 * statements that void the answer, `shown` how many of the things that are called missing the record bears out. `end` is how
 * the question ended, null where none was put; `question` has what it took, and `told` is a line that the user is told once.
 *
 * @category models
 */
export interface Asked {
  readonly promptVersion: number
  readonly model: string | null
  readonly by: "self_assessment" | "judge" | null
  readonly problem: string | null
  readonly answer: SelfAssessment | JudgeAnswer | null
  readonly unproved: ReadonlyArray<Unproved>
  readonly contradicted: ReadonlyArray<Unproved>
  readonly shown: number
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
  promptVersion,
  model: null,
  by: null,
  problem: null,
  answer: null,
  unproved: [],
  contradicted: [],
  shown: 0,
  end: null,
  question: null,
  told: null
}

/**
 * What feedback is counted by.
 *
 * @category models
 */
export interface Attempt extends ModelVerdict.Attempt {}

/**
 * The verdict with an assessment in it. It settles what evidence leaves open and may lower what is complete; it makes
 * nothing complete over a required gate that is not passed, and pushes from `pushFrom` on where no fact speaks against it.
 *
 * @category judging
 */
export const apply = (turn: Turn, assessment: SelfAssessment, attempt: Attempt): Consulted => {
  const { contradicted: disproved, shown, unproved: claims } = check(turn, assessment)
  const asked: Asked = {
    ...nobody,
    by: "self_assessment",
    end: "answered",
    answer: AnswerRecord.assessment(turn, assessment),
    unproved: claims,
    contradicted: disproved,
    shown
  }
  return { ...ModelVerdict.modelVerdict(turn, ofAssessment(assessment), attempt), asked }
}

/**
 * The same with the second reader's answer, of which a blocker leaves nothing complete.
 *
 * @category judging
 */
export const applyJudge = (turn: Turn, answer: JudgeAnswer, attempt: Attempt): Consulted => ({
  ...ModelVerdict.modelVerdict(turn, ofJudge(answer), attempt),
  asked: {
    ...nobody,
    by: "judge",
    end: "answered",
    answer: AnswerRecord.judge(turn, answer),
    contradicted: contradicted(turn, ofJudge(answer)),
    shown: Weighed.shownOf(turn, ofJudge(answer)).length
  }
})

/**
 * Tier 1's verdict where there is no answer, with what went wrong in its reason. `end` is null where nobody was asked.
 *
 * @category judging
 */
export const unanswered = (turn: Turn, problem: string, end: AskEnd | null = null): Consulted => ({
  ...MadeVerdicts.kept(turn, problem),
  asked: { ...nobody, problem, end }
})
