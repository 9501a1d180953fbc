/** Whose turn it is: what waits for the user excuses what only is not done yet. */
import { needsHuman as needsPerson, openItems } from "../../session/stop/HumanAction.ts"
import { wh } from "../../session/stop/LastWords.ts"
import type { Question } from "../../session/stop/StopSignal.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { type Found, isProved } from "../rules/Rules.ts"
import type { Outcome } from "./model.ts"
import * as Outcomes from "./outcomes.ts"

/** What only a person can do, as the text names it beside the agent's own part. */
export const humanParts = ({ reading: { dependsOn, prose } }: Facts): ReadonlyArray<string> => {
  const said = openItems(prose.closing)
  return dependsOn?.kind === "act" ? [...new Set([...said, dependsOn.text.slice(0, 200)])] : said
}

export const acted = ({ evidence }: Facts): boolean => evidence.actions > 0

const isPermission = ({ rule }: Found): boolean => rule.pattern === "permission_seeking"

/** A choice between extras, put as an offer after work that was done. */
const offered = /\b(?:want me to|would you like|should i|shall i|ready)\b/i

/** Who offers to do one thing, another, or both, has done what was asked. */
const isOpenChoice = ({ kind, text }: Question): boolean =>
  kind === "choice" && (wh.test(text) || /\bor (?!both\b)/i.test(text) || !offered.test(text))

/** What only the user can answer comes before everything that is missing; an offer only where nothing presses. */
export const asking = (facts: Facts, standing: ReadonlyArray<Found>): "waits" | "excuses" | "no" => {
  const { closing, question } = facts.reading
  if (closing !== "question") return "no"
  if (facts.task.asksLeave && !standing.some(isPermission)) return "waits"
  if (question === null || question.kind === "risk") return "waits"
  if (standing.some((one) => one.rule.presses === true && (isPermission(one) || !isOpenChoice(question)))) return "no"
  if (question.kind === "extra") return "excuses"
  if (isOpenChoice(question)) return "waits"
  const answers = question.kind === "offer" && facts.task.intent === "ask" && facts.evidence.calls > 0
  const firm = question.kind === "choice" && !offered.test(question.text)
  return firm || !((acted(facts) && isProved(facts)) || answers) ? "waits" : "excuses"
}

/** What fails for want of something that the user has, in the agent's words. */
const wanting =
  /\b(?:tests?|suite|failures?|build|specs?|this|ones?)\b[^.?!]{0,60}\b(?:needs?|requires?|means?|without|depends?|waits?|expects?|asks?)\b/i

export type Waits = (problem: Found) => boolean

/** Whether what stands waits for the user as well; what the agent broke itself does not. */
export const rests =
  (facts: Facts, waits: Waits): Waits =>
  (problem) => {
    const { gate, rule } = problem
    const { dependsOn, english } = facts.reading
    if (dependsOn === null || rule.waits === true) return rule.waits === true
    const { kind } = dependsOn
    return (
      (kind === "blocked" && facts.reminded) ||
      (kind === "act" && waits(problem)) ||
      (gate !== undefined && (!english || wanting.test(facts.stop.text.slice(-600))))
    )
  }

/** A check that must pass and of which it cannot be told how it went, if it went at all. */
const hasUnknown = ({ gates }: Facts): boolean => gates.some((gate) => gate.required && gate.result === "unknown")

/** The agent goes on after the user, and so does what stands. */
export const dependent = (facts: Facts, standing: ReadonlyArray<Found>, waits: Waits): Outcome | null => {
  const { dependsOn, english } = facts.reading
  if (!standing.every(rests(facts, waits))) return null
  if (dependsOn === null) return english || standing.length === 0 ? null : Outcomes.unread
  const { kind, text } = dependsOn
  if (kind === "blocked" && standing.length === 0 && !hasUnknown(facts)) return null
  if (kind === "act" || (kind === "blocked" && needsPerson(text) !== null))
    return Outcomes.onlyHuman([text.slice(0, 200)])
  return Outcomes.waiting(`The agent ${kind === "blocked" ? "is blocked" : "waits for the user"}: ${text}`)
}
