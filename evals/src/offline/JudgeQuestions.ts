/** The labelled stops as questions to a model, and what the tier makes of an answer to one. */
import type * as Judgment from "@reflexion/core/Judgment"
import * as ModelBudget from "@reflexion/core/ModelBudget"
import * as Answers from "@reflexion/core/internal/model/assessment/Answer"
import { decide, kept } from "@reflexion/core/internal/model/assessment/Decide"
import * as Prompts from "@reflexion/core/internal/model/assessment/Prompt"
import * as Quotations from "@reflexion/core/internal/model/assessment/Quotations"
import * as TurnRecord from "@reflexion/core/internal/model/assessment/TurnRecord"
import * as Path from "node:path"
import * as Fs from "node:fs"
import * as LabelledStops from "../sessions/LabelledStops.ts"
import * as StopQuestion from "./StopQuestion.ts"
import * as Corpus from "../sessions/Corpus.ts"
import type { Asked } from "./model.ts"
import * as JudgeTemplate from "./JudgeTemplate.ts"
import { idOf } from "./OfflineFiles.ts"
import type { OfflineOptions } from "./OfflineOptions.ts"

/** A stop with its question. `open`: in use, with what it is asked about today, a model would be asked. */
export interface JudgeQuestion extends Asked {
  readonly sample: string
  readonly session: string
  readonly push: boolean | null
  readonly open: boolean
  /** Whether evidence alone pushes. */
  readonly pushedBefore: boolean
  readonly turn: TurnRecord.Turn
}

const first = { attempt: 1, maxAttempts: 3 }

/** Another judge's prompt is all that it is asked. */
const asked = (turn: TurnRecord.Turn, id: string, template: JudgeTemplate.Template | null) => {
  if (template !== null) return { system: "", prompt: JudgeTemplate.fill(template, turn) }
  return Prompts.selfAssessment(turn, { ...first, nonce: `record-${id}`, guidance: null, instructions: null })
}

const asQuestion = (labelled: LabelledStops.Labelled, template: JudgeTemplate.Template | null): JudgeQuestion => {
  const { label, open, seen, session } = StopQuestion.ofStop(labelled)
  const { stop, suite } = labelled
  const { judged, options, state, transcript } = seen
  const turn = TurnRecord.turnOf(state, { ...options, transcript, judged })
  const id = idOf(suite, session, `${stop.turn}`, stop.stoppedAt ?? "")
  const { prompt, system } = asked(turn, id, template)
  const pushedBefore = judged.verdict.shouldContinue
  return {
    suite: "judge",
    id,
    system,
    prompt,
    sample: stop.sample,
    session,
    push: label.push,
    open,
    pushedBefore,
    turn
  }
}

/** The folders of labelled stops in a folder, or that folder itself. */
const foldersOf = (data: string): ReadonlyArray<string> =>
  Corpus.hasStops(data)
    ? [data]
    : Fs.readdirSync(data)
        .toSorted()
        .map((name) => Path.join(data, name))
        .filter((folder) => Corpus.hasStops(folder))

const isWanted =
  ({ samples, sessions }: Pick<OfflineOptions, "samples" | "sessions">) =>
  ({ stop }: LabelledStops.Labelled): boolean =>
    (samples.length === 0 || samples.includes(stop.sample)) &&
    (sessions.length === 0 || sessions.includes(stop.session))

/** With `--right` all that are a push and the first so many that are none: their ids are hashes, which is as good as at random. */
const chosen = (all: ReadonlyArray<JudgeQuestion>, right: number | null): ReadonlyArray<JudgeQuestion> => {
  if (right === null) return all
  const kept = new Set(all.filter(({ push }) => push === false).slice(0, right))
  return all.filter((one) => one.push === true || kept.has(one))
}

/** Every labelled stop that was asked for, by its id: an order that tells nothing. */
export const all = (
  options: Pick<OfflineOptions, "data" | "prompt" | "right" | "samples" | "sessions">
): ReadonlyArray<JudgeQuestion> =>
  options.data === null
    ? []
    : chosen(
        foldersOf(options.data)
          .flatMap((folder) => LabelledStops.labelledIn(folder, Path.basename(folder)))
          .filter(isWanted(options))
          .map((labelled) => asQuestion(labelled, options.prompt))
          .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
        options.right
      )

/** An answer to a question, and what it takes. */
export interface Answered {
  readonly question: JudgeQuestion
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What was answered, read as the tier reads it: null where that reads nothing. */
export interface JudgeAnswer extends Answered {
  readonly assessment: Answers.Answer | null
}

/** What another judge answered: whether that is a push, null where it cannot be read. */
export interface OtherAnswer extends Answered {
  readonly push: boolean | null
}

const taken = (question: JudgeQuestion, text: string): Answered => ({
  question,
  inputTokens: ModelBudget.estimate(question.system) + ModelBudget.estimate(question.prompt),
  outputTokens: ModelBudget.estimate(text)
})

/** What another judge says, read as its template says. */
export const readOther = (template: JudgeTemplate.Template, question: JudgeQuestion, text: string): OtherAnswer => ({
  ...taken(question, text),
  push: JudgeTemplate.pushes(template, text)
})

/** Reads a text as a model's answer is read. */
export const read = (question: JudgeQuestion, text: string): JudgeAnswer => ({
  ...taken(question, text),
  assessment: Answers.read(text, Quotations.shown(question.turn))
})

/** What the tier makes of an answer at a threshold. */
export const consequence = ({ assessment, question }: JudgeAnswer, from: number): Judgment.Judged =>
  assessment === null ? kept(question.turn, "") : decide(question.turn, assessment, { ...first, from })
