/**
 * What a model says of a session that evidence cannot decide, and how far it is believed: the threshold is ours, what a fact
 * contradicts voids the answer, and no word of the model's goes anywhere.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Json from "../../base/json/Json.ts"
import * as JsonAnswer from "../../base/json/JsonAnswer.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import { type Assessment, Reason, type Say } from "../../judge/stuck/model.ts"
import { conclude, cutOff, type Look } from "../../judge/stuck/StuckLook.ts"
import { pushThreshold } from "../assessment/SelfAssessment.ts"

const Problem = Schema.Literal("cut_off", "announced_step", "unhandled_failure", "only_planned", "none")

type Problem = typeof Problem.Type

/** `push`: the probability that a reminder would be right now; what follows from it is not the model's to say. */
export const Answer = Schema.Struct({
  reason: Reason,
  problem: Problem,
  confidence: Schema.Number,
  push: Schema.Number
}).annotations({ identifier: "StuckAnswer" })

export type Answer = typeof Answer.Type

const decode = Schema.decodeUnknownOption(Answer)

/** An answer that leaves the probability out has still said how sure it is that the agent is stuck. */
export const loosely = (text: string): Answer | null => {
  const given = Json.object(JsonAnswer.lastValue(text))
  const push = given["push"] ?? (given["reason"] === "genuinely_stuck" ? given["confidence"] : 0)
  return Option.getOrNull(decode({ ...given, push }))
}

/** What is wrong, what the agent is told of it, and what on record speaks against it. */
const problems: Readonly<
  Record<
    Exclude<Problem, "none">,
    { readonly fact: string; readonly say: Say; readonly isRefuted: (look: Look) => boolean }
  >
> = {
  cut_off: {
    fact: "its message was cut off",
    say: cutOff,
    isRefuted: ({ known }) => known.judgment.stop.completed === true
  },
  announced_step: {
    fact: "it announced a step and took none",
    say: {
      fact: "You announced a next step and stopped before taking it.",
      action: "Take the step that you announced."
    },
    isRefuted: () => false
  },
  unhandled_failure: {
    fact: "a call failed, and it did nothing about it",
    say: {
      fact: "Your last call failed, and you stopped as if it had not.",
      action: "Read its error, fix what causes it or try another way; or say that it failed and why you leave it so."
    },
    isRefuted: ({ known }) => known.pulse.failed === null
  },
  only_planned: {
    fact: "it only planned what it was told to do",
    say: {
      fact: "You wrote a plan and took no step of it.",
      action: "Carry the plan out now, beginning with its first step."
    },
    isRefuted: ({ known: { judgment } }) => judgment.evidence.edits.length > 0 || judgment.evidence.actions > 0
  }
}

const words: Readonly<Record<Exclude<Reason, "genuinely_stuck">, string>> = {
  waiting_for_user: "waits for its user",
  working: "is still at work",
  complete: "did what it was told"
}

const least = 0.6
const most = 0.8

const bounded = (share: number): number => (share > 0 ? Math.min(most, share) : 0)

/** That nobody is to be sent on needs no threshold of a reminder's: it is enough that the model is rather sure. */
const calm = (look: Look, reason: Exclude<Reason, "genuinely_stuck">, { confidence, problem, push }: Answer) => {
  const { judgment, verdict } = look.known
  const isOpen = () =>
    verdict().findings.length > 0 || StopSignal.openTodos(judgment.stop).length > 0 || judgment.stop.completed === false
  if (problem !== "none" || confidence < least || push >= pushThreshold || (reason === "complete" && isOpen()))
    return null
  return { reason, confidence: bounded(confidence), said: words[reason], say: null }
}

const stopped = (look: Look, { problem, push }: Answer) => {
  const { judgment, reading } = look.known
  if (problem === "none" || push < pushThreshold || push > 1 || problems[problem].isRefuted(look)) return null
  if (reading().question !== null || reading().dependsOn !== null || !judgment.stop.spokeLast) return null
  const { fact, say } = problems[problem]
  return { reason: "genuinely_stuck", confidence: bounded(push), said: `stopped by mistake: ${fact}`, say } as const
}

/** The assessment with the model's answer in it; what is not believed leaves it as evidence has it. */
export const believe = (look: Look, answer: Answer | null): Assessment => {
  if (answer === null) return look.assessment
  const believed = answer.reason === "genuinely_stuck" ? stopped(look, answer) : calm(look, answer.reason, answer)
  if (believed === null) return look.assessment
  const { said, ...found } = believed
  const facts = [...look.found.facts, `a model says that the agent ${said}`]
  return conclude(look, { ...found, facts, decided: true }, "model")
}
