/** One question put to a model once, and what came of it. */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as JudgeService from "@reflexion/core/JudgeService"
import * as ModelCall from "@reflexion/core/ModelCall"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as SelfAssessment from "@reflexion/core/internal/ask/assessment/SelfAssessment"
import type { Status, Verdict } from "@reflexion/core/Verdict"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { Label, Question } from "./Question.ts"

/**
 * `right` is null where there is nothing to grade: no answer, or a verdict that abstains where the readers do not.
 * `ms` is the time from the question to the verdict, waiting and second tries included.
 */
export interface Trial {
  readonly suite: string
  readonly id: string
  readonly session: string
  readonly repeat: number
  readonly label: Label
  /** What evidence alone says. */
  readonly before: Answer
  /** What the verdict is with the model's answer in it. */
  readonly after: Answer
  /** The model's own word for it, null where it gave none that can be read. */
  readonly said: Status | null
  readonly saidRight: boolean | null
  readonly right: boolean | null
  /** Why there is no answer. */
  readonly problem: string | null
  readonly model: string | null
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly ms: number
}

export interface Answer {
  readonly status: Status
  readonly push: boolean
}

export const answerOf = ({ shouldContinue, status }: Verdict): Answer => ({ status, push: shouldContinue })

/** Whether a verdict is what the readers say. */
export const grade = ({ push, statuses }: Label, answer: Answer): boolean | null => {
  const known = statuses.includes(answer.status)
  if (answer.status === "abstained" && !known) return null
  return known && (push === null || push === answer.push)
}

const words = {
  complete: "complete",
  in_progress: "incomplete",
  stuck: "stuck",
  waiting_for_user: "waiting_for_user",
  blocked: "needs_human"
} as const

/** The answer in the words of a verdict, before anything of it is held against the record. */
const wordOf = (answer: SelfAssessment.SelfAssessment | SelfAssessment.JudgeAnswer | null): Status | null => {
  if (answer === null) return null
  if ("status" in answer) return words[answer.status]
  return answer.complete ? "complete" : answer.requires_human_action ? "needs_human" : "incomplete"
}

/** What stops a turn from going on is told by a question as well as by an obstacle. */
const alike: Partial<Readonly<Record<Status, ReadonlyArray<Status>>>> = {
  needs_human: ["waiting_for_user"],
  waiting_for_user: ["needs_human"],
  stuck: ["incomplete"]
}

const gradeWord = ({ statuses }: Label, said: Status | null): boolean | null =>
  said === null ? null : [said, ...(alike[said] ?? [])].some((status) => statuses.includes(status))

const named = /did not answer \((\w{1,40})\)/u

/** The failure's name out of the line that a review shows. */
const problemOf = (text: string | null): string | null =>
  text === null ? null : (named.exec(text)?.[1] ?? (text.includes("unparseable") ? "unparseable" : "unanswered"))

interface Asked {
  readonly verdict: Verdict
  readonly problem: string | null
  readonly asked: SelfAssessment.Asked | undefined
}

const nothing = { modelCalls: 0, inputTokens: 0, outputTokens: 0 }

/** The judge's own way: one question, a second reader where the answer cannot be read. */
const throughJudge = Effect.fnUntraced(function* ({ seen }: Question) {
  const consult = yield* JudgeService.makeConsult
  const judged = yield* consult(seen)
  const found: Asked = {
    verdict: judged.verdict,
    problem: problemOf(judged.asked?.problem ?? null),
    asked: judged.asked
  }
  return found
})

const nonce = Effect.map(Random.nextIntBetween(0, 2 ** 31), (number) => `record-${number.toString(36)}`)

const maxOutputTokens = 4000

/** The same first question about a stop that evidence has decided, where in use nobody is asked. */
const anyway = Effect.fnUntraced(function* ({ seen: { attempt, judged, options, state, transcript } }: Question) {
  const { maxAttempts, models } = yield* CurrentConfig
  const turn = SelfAssessment.turnOf(state, { ...options, transcript, judged })
  const telling = { attempt, maxAttempts, nonce: yield* nonce, guidance: null, instructions: null }
  const answer = yield* Effect.either(
    ModelCall.ask({
      ...SelfAssessment.prompt(turn, telling),
      purpose: "self_assessment",
      schema: SelfAssessment.SelfAssessment,
      objectName: "self_assessment",
      timeout: models.timeout * 1000,
      maxOutputTokens
    })
  )
  const { calls, model, usage } = Either.merge(answer)
  const decoded = Option.flatMap(Option.fromIterable(Either.isRight(answer) ? [answer.right] : []), ({ text }) =>
    SelfAssessment.decode(text)
  )
  const consulted = Option.match(decoded, {
    onNone: () => SelfAssessment.unanswered(turn, ""),
    onSome: (assessment) => SelfAssessment.apply(turn, assessment, telling)
  })
  const cost = { ...nothing, modelCalls: calls, ...usage, durationMs: 0 }
  const failure = Either.isLeft(answer) ? answer.left.reason : "unparseable"
  const found: Asked = {
    verdict: { ...consulted.verdict, cost },
    problem: Option.isNone(decoded) ? failure : null,
    asked: { ...consulted.asked, model }
  }
  return found
})

/** Puts the question to the model; it never fails, for no answer is one of the things that are counted. */
export const ask = (question: Question, repeat: number) =>
  Effect.gen(function* () {
    const { id, label, open, seen, session, suite } = question
    const started = yield* Clock.currentTimeNanos
    const { asked, problem, verdict } = yield* open ? throughJudge(question) : anyway(question)
    const ms = Number((yield* Clock.currentTimeNanos) - started) / 1e6
    const said = wordOf(asked?.answer ?? null)
    const after = answerOf(verdict)
    const { inputTokens, modelCalls: calls, outputTokens } = verdict.cost
    const trial: Trial = {
      suite,
      id,
      session,
      repeat,
      label,
      before: answerOf(seen.judged.verdict),
      after,
      said,
      problem,
      saidRight: problem === null ? gradeWord(label, said) : null,
      right: problem === null ? grade(label, after) : null,
      model: asked?.model ?? null,
      calls,
      inputTokens,
      outputTokens,
      ms
    }
    return trial
  })

/** What a trial needs. */
export type Needs = Effect.Effect.Context<ReturnType<typeof ask>> | LanguageModel.LanguageModel
