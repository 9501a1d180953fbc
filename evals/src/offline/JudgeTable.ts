/** What a model's answers are worth at the labelled stops: pushes found and false ones with exact bounds, over thresholds. */
import { defaults } from "@reflexion/core/ReflexionConfig"
import * as ExactBound from "../measure/ExactBound.ts"
import { percent, table } from "../measure/Text.ts"
import { type Answered, consequence, type JudgeAnswer, type OtherAnswer } from "./JudgeQuestions.ts"
import type { Kept } from "./model.ts"

export const thresholds: ReadonlyArray<number> = [0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.8, 0.9]

/** One of several ways to push: whether it does at a stop. */
interface Way<A extends Answered> {
  readonly name: string
  readonly pushes: (answer: A) => boolean
}

const byModel =
  (from: number) =>
  (answer: JudgeAnswer): boolean =>
    consequence(answer, from).verdict.shouldContinue

/** As in use: asked where a model is asked, and else what evidence says. */
export const inUse =
  (from: number) =>
  (answer: JudgeAnswer): boolean =>
    answer.question.open ? byModel(from)(answer) : byEvidence(answer)

const byEvidence = ({ question }: Answered): boolean => question.pushedBefore

const pushThreshold = defaults.models.pushFrom

const ways: ReadonlyArray<Way<JudgeAnswer>> = [
  { name: "evidence alone", pushes: byEvidence },
  {
    name: `model at ${pushThreshold}, where it is asked today`,
    pushes: inUse(pushThreshold)
  },
  ...thresholds.map((from) => ({ name: `model at ${from}, asked at every stop`, pushes: byModel(from) }))
]

const otherWays: ReadonlyArray<Way<OtherAnswer>> = [
  { name: "evidence alone", pushes: byEvidence },
  {
    name: "the other judge, where a model is asked today",
    pushes: (one) => (one.question.open ? one.push === true : byEvidence(one))
  },
  { name: "the other judge, asked at every stop", pushes: ({ push }) => push === true }
]

/** 90 of a hundred such intervals hold the true rate. */
const confidence = 0.95

const bounded = (hits: number, trials: number): string =>
  trials === 0
    ? "–"
    : `${percent(hits / trials)} (${(100 * ExactBound.lower(hits, trials, confidence)).toFixed(1)}–${(100 * ExactBound.upper(hits, trials, confidence)).toFixed(1)})`

/** What a way comes to at stops with a label. */
export interface Counted {
  readonly found: number
  readonly premature: number
  readonly false: number
  readonly right: number
}

export const count = <A extends Answered>(answers: ReadonlyArray<A>, pushes: Way<A>["pushes"]): Counted => {
  const premature = answers.filter(({ question }) => question.push === true)
  const right = answers.filter(({ question }) => question.push === false)
  return {
    found: premature.filter(pushes).length,
    premature: premature.length,
    false: right.filter(pushes).length,
    right: right.length
  }
}

const row =
  <A extends Answered>(answers: ReadonlyArray<A>) =>
  ({ name, pushes }: Way<A>): ReadonlyArray<string> => {
    const counted = count(answers, pushes)
    const random = answers.filter(({ question }) => question.sample === "random")
    const often = count(random, pushes)
    return [
      name,
      `${counted.found} of ${counted.premature}`,
      bounded(counted.found, counted.premature),
      `${counted.false} of ${counted.right}`,
      bounded(counted.found, counted.found + counted.false),
      bounded(often.false, random.length)
    ]
  }

const header = ["", "found", "recall", "false pushes", "precision", "false per 100 random stops"]

const perStop = (answers: ReadonlyArray<Answered>): string => {
  const open = answers.filter(({ question }) => question.open).length
  const mean = (of: (one: Answered) => number): string =>
    (answers.reduce((sum, one) => sum + of(one), 0) / Math.max(1, answers.length)).toFixed(0)
  const sizes = answers.map(({ inputTokens }) => inputTokens).toSorted((one, other) => one - other)
  const most = sizes[Math.max(0, Math.ceil(sizes.length * 0.95) - 1)] ?? 0
  return [
    `Calls: one at every stop; as a model is asked today at ${open} of ${answers.length}.`,
    `Tokens a call, by the project's estimate: ${mean((one) => one.inputTokens)} in (95 of 100 have at most ${most}), ${mean((one) => one.outputTokens)} out.`
  ].join("\n")
}

/** Answers that say nothing. */
const lost = (answers: ReadonlyArray<JudgeAnswer>): string =>
  `Could not be read: ${answers.filter(({ assessment }) => assessment === null).length}.`

const figures = <A extends Answered>(
  answers: ReadonlyArray<A>,
  given: { readonly questions: number; readonly ways: ReadonlyArray<Way<A>>; readonly lost: string }
): string =>
  [
    `The judge: ${answers.length} of ${given.questions} questions were answered.`,
    table([header, ...given.ways.map(row(answers))]),
    "In brackets 90 % intervals (Clopper and Pearson). Rates per 100 are of the random sample alone.",
    perStop(answers),
    given.lost
  ].join("\n\n")

/** The figures for a reader. */
export const text = (answers: ReadonlyArray<JudgeAnswer>, questions: number): string =>
  figures(answers, { questions, ways, lost: lost(answers) })

/** The figures of another judge: the same table of the same stops. */
export const otherText = (answers: ReadonlyArray<OtherAnswer>, questions: number): string => {
  const unread = answers.filter(({ push }) => push === null).length
  return figures(answers, { questions, ways: otherWays, lost: `Could not be read, and so no push: ${unread}.` })
}

const missed = ({ question }: Answered): string =>
  `  ${question.id} ${question.push === true ? "not found" : "false push"}`

/** Where another judge's push and the label differ. */
export const otherMisses = (answers: ReadonlyArray<OtherAnswer>): string =>
  answers
    .filter(({ push, question }) => question.push !== null && (push === true) !== question.push)
    .map(missed)
    .join("\n")

/** Where push and label differ, with the label's own words for it. */
export const misses = (answers: ReadonlyArray<JudgeAnswer>): string =>
  answers
    .filter((one) => one.question.push !== null && byModel(pushThreshold)(one) !== one.question.push)
    .map((one) => {
      const { reason } = consequence(one, pushThreshold).verdict
      return `${missed(one)} at ${one.assessment?.push ?? "no answer"}: ${reason}`
    })
    .join("\n")

/** What is kept of an answer. */
export const kept = (one: JudgeAnswer): Kept => {
  return {
    id: one.question.id,
    status: one.assessment?.status ?? null,
    probability: one.assessment?.push ?? null,
    kinds: [...new Set((one.assessment?.remaining_work ?? []).map(({ kind }) => kind))].toSorted(),
    pushed: byModel(pushThreshold)(one),
    inputTokens: one.inputTokens,
    outputTokens: one.outputTokens
  }
}

/** How it comes out where some of the answers are those of other stops that were sure of a push. */
export const swapped = (answers: ReadonlyArray<JudgeAnswer>): string => {
  const sure = answers.filter(({ assessment }) => (assessment?.push ?? 0) >= pushThreshold)
  if (sure.length < 2) return ""
  const rows = [0, 5, 10, 25, 50, 100].map((share) => {
    const mixed = answers.map((one, at): JudgeAnswer => {
      const other = sure[(at * 7) % sure.length]
      return (at * 37) % 100 < share && other !== undefined ? { ...one, assessment: other.assessment } : one
    })
    const { false: wrong, found, premature, right } = count(mixed, byModel(pushThreshold))
    return [`${share} % swapped`, `${found} of ${premature}`, `${wrong} of ${right}`]
  })
  return `With confident answers of other stops in place of its own\n\n${table([["", "found", "false pushes"], ...rows])}`
}
