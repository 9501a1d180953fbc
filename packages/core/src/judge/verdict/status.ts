/** The status that follows from the findings: what the host says, then whose turn it is, then what is missing. */
import { demanded, isBlocked, openItems } from "../../session/stop/HumanAction.ts"
import { isImperative } from "../../session/task/Intent.ts"
import { type Facts, unanswered } from "../../session/facts/Facts.ts"
import { type Found, isListed, isProved, isPushed, isRepeating } from "../rules/Rules.ts"
import { asDone } from "./asDone.ts"
import * as Missing from "./Missing.ts"
import { hostEnd, stuckBy } from "./hostEnd.ts"
import type { Outcome } from "./model.ts"
import { abstained, onlyHuman, waiting } from "./outcomes.ts"
import type { StopPattern } from "./Verdict.ts"
import { acted, asking, dependent, humanParts, rests, type Waits } from "./whoseTurn.ts"

/** The only thing that was done failed: a fact of the record, whether the agent tells of it or not. */
const allFailed = ({ what }: NonNullable<Facts["evidence"]["failedWork"]>): Outcome => ({
  ...abstained(`Not done: \`${what.replaceAll("`", "'")}\` failed, and nothing that was done since made up for it.`),
  status: "incomplete",
  kind: "premature"
})

const gaveUp = abstained("The same call failed over and over, as the agent says.")

const unproved = abstained("Evidence cannot tell whether it is done.")

/** Nothing was to be changed: what came of it is the answer, whatever it is. */
const isReport = ({ task }: Facts): boolean => task.intent !== "act"

const tells = /\b(?:list|show|report|tell|check|verify|see|count|print|find|summari[sz]e|how|what|which|whether)\b/i

/** Something was to be done, and not only to be told of. */
const isToWork = ({ task }: Facts): boolean =>
  (task.intent !== "ask" || isImperative(task.message)) && !tells.test(task.message.slice(0, 2000))

/** The one that says most of the stop comes first. */
const telling: ReadonlyArray<StopPattern> = ["permission_seeking", "false_complete", "stopped_with_todos", "unverified"]

const patternOf = ({ contradictions, reading }: Facts, found: ReadonlyArray<Found>): StopPattern | null => {
  if (contradictions.length > 0) return "false_complete"
  const asks = reading.question?.kind === "offer" || reading.question?.kind === "extra"
  const patterns = new Set(
    found.map(({ gate, rule }) => (asks && gate !== undefined ? ("permission_seeking" as const) : rule.pattern))
  )
  return telling.find((pattern) => patterns.has(pattern)) ?? null
}

/** A quotation at the end has brought its own full stop. */
const ended = (text: string): string => (/[.?!…]["”]$/.test(text) ? text : `${text}.`)

/** `isResting`: what waits for the user, and sends nobody on. */
const incomplete = (facts: Facts, found: ReadonlyArray<Found>, isResting: Waits): Outcome => {
  const named = Missing.inWords(found.map(Missing.ofRule)).map((text) => text.replace(/\.$/, ""))
  return {
    status: "incomplete",
    kind: "premature",
    pattern: patternOf(facts, found),
    push: found.some((problem) => isPushed(problem) && !isResting(problem)),
    reason: ended(`Not done: ${named.slice(0, 2).join("; ")}`),
    confidence: found.some(({ gate }) => gate !== undefined) || facts.contradictions.length > 0 ? 0.85 : 0.7,
    human: humanParts(facts)
  }
}

/** What credentials or rights keep from being done, rather than the agent. */
const needsAccess = ({ gate, rule }: Found): boolean =>
  rule.needsRights === true || gate === "push" || gate === "pr" || gate === "ci"

/** Whose turn it is, and else what is missing. */
const byFindings = (facts: Facts, found: ReadonlyArray<Found>): Outcome => {
  const { prose, question } = facts.reading
  const closing = prose.closing.slice(-8)
  const blocked = isBlocked(closing)
  const listed = found.filter(isListed)
  const standing = listed.filter(({ stands }) => stands)
  // A check that fails for want of a password is not mended by another run of it.
  const waits = (problem: Found): boolean => needsAccess(problem) || (blocked && problem.gate !== undefined)
  // Of work that a check proves only what the agent says that it could not do itself, of other work what it ends with.
  const human = !acted(facts) || blocked ? openItems(closing) : isProved(facts) ? [] : demanded(closing)
  if (human.length > 0 && standing.every(waits)) return onlyHuman(human)
  const open = unanswered(facts)
  const asks = asking(facts, standing)
  if (open?.by === "person" && asks !== "excuses") return onlyHuman([open.text])
  const depends = dependent(facts, standing, waits)
  if (depends !== null && (asks !== "waits" || depends.status === "needs_human")) return depends
  if (asks === "waits") return waiting(`The agent asks the user: ${question?.text ?? "…"}`)
  const loop = stuckBy(found)
  // What is only told of does not stand before what the agent is sent on for.
  if (loop !== null && (loop.push || !standing.some(isPushed))) return loop
  const resting = facts.reading.dependsOn === null ? () => false : rests(facts, waits)
  const isResting = (problem: Found): boolean => (human.length > 0 && waits(problem)) || resting(problem)
  if (standing.length > 0 && asks === "no") return incomplete(facts, listed, isResting)
  const gates = listed.filter(({ gate }) => gate !== undefined)
  if (gates.length > 0) return incomplete(facts, gates, isResting)
  const { failedWork } = facts.evidence
  if (failedWork !== null && isToWork(facts)) return allFailed(failedWork)
  return isRepeating(facts) && !isReport(facts) ? gaveUp : asDone(facts)
}

/**
 * A rule that is off accuses nobody, and what it would find is not called done for that. That a check fails is a fact of the
 * record, whatever any rule makes of it.
 */
const heldBack = ({ gate, missing }: Found): Outcome =>
  gate === undefined
    ? unproved
    : { ...abstained(ended(`Not done: ${missing}`)), status: "incomplete", kind: "premature" }

/** Decides the status. */
export const outcome = (facts: Facts, found: ReadonlyArray<Found>): Outcome => {
  const named = found.filter(({ level }) => level !== "off")
  const ended = hostEnd(facts, named)
  if (ended !== null) return ended
  const result = byFindings(facts, named)
  const held = found.find(({ level, stands }) => level === "off" && stands)
  const isOpen = result.status === "complete" || (result.status === "abstained" && held?.gate !== undefined)
  return held !== undefined && isOpen ? heldBack(held) : result
}
