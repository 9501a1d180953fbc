/** The status that follows from the findings: whose turn it is, then what is missing. */
import { isBlocked, needsHuman as needsPerson, openItems } from "../../session/stop/HumanAction.ts"
import * as Evidence from "../../session/evidence/Evidence.ts"
import * as StandingOrders from "../../session/task/StandingOrders.ts"
import { isHalted } from "../../session/task/TaskContext.ts"
import type { StopPattern } from "./Verdict.ts"
import { asksFirst, isOrder, wantsReportOnly } from "../../session/task/Intent.ts"
import { type Found, isPushed, isRepeating, refusesAccount } from "../rules/Rules.ts"
import { contentWords, overlaps } from "../../ground/text/Text.ts"
import { bare, offered as offeredIn, wh } from "../../session/stop/Questions.ts"
import type { Question } from "../../session/stop/StopSignal.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import type { Outcome } from "./model.ts"

const base = { pattern: null, push: false, human: [] }

const aborted: Outcome = {
  ...base,
  status: "aborted",
  kind: "aborted",
  reason: "The user interrupted the agent.",
  confidence: 0.95
}

const working = (reason: string): Outcome => ({ ...base, status: "working", kind: "working", reason, confidence: 0.8 })

const stuck = (reason: string, found: ReadonlyArray<Found> = []): Outcome => ({
  ...base,
  status: "stuck",
  kind: "stuck",
  push: found.some(isPushed),
  reason,
  confidence: 0.85,
  stuck: found
})

/** What a rule found that takes the agent for stuck; null where none did. */
const stuckBy = (found: ReadonlyArray<Found>): Outcome | null => {
  const [first] = found.filter(({ rule, stands }) => rule.stuck === true && stands)
  return first === undefined ? null : stuck(first.missing, [first])
}

const waiting = (reason: string, confidence: number): Outcome => ({
  ...base,
  status: "waiting_for_user",
  kind: "waiting_for_user",
  reason,
  confidence
})

const abstained = (reason: string): Outcome => ({
  ...base,
  status: "abstained",
  kind: "complete",
  reason,
  confidence: 0.4
})

const unread = abstained("The final text cannot be read with certainty, and no evidence decides.")

const gaveUp = abstained("The same call failed over and over, as the agent says.")

/** Nothing was to be changed: what came of it is the answer, whatever it is. */
const isReport = ({ task }: Facts): boolean => task.intent !== "act" || wantsReportOnly(task.message)

const onlyHuman = (human: ReadonlyArray<string>): Outcome => ({
  ...waiting(`Only a human can go on: ${human[0] ?? ""}`, 0.75),
  status: "needs_human",
  human
})

const patternOf = ({ contradictions, reading }: Facts, found: ReadonlyArray<Found>): StopPattern | null => {
  if (contradictions.length > 0) return "false_complete"
  const asks = reading.question?.kind === "offer" || reading.question?.kind === "extra"
  const patterns = new Set(found.map(({ gate, rule }) => (asks && gate !== undefined ? askedFor : rule.pattern)))
  return telling.find((pattern) => patterns.has(pattern)) ?? null
}

const askedFor: StopPattern = "permission_seeking"

/** The one that says most of the stop comes first. */
const telling: ReadonlyArray<StopPattern> = ["permission_seeking", "false_complete", "stopped_with_todos", "unverified"]

const hardStops = (facts: Facts, found: ReadonlyArray<Found>): Outcome | null => {
  const { reading, stop } = facts
  if (facts.task.turn < 0)
    return {
      ...base,
      status: "abstained",
      kind: "complete",
      reason: "There is no task: no message of a user was found.",
      confidence: 0.2
    }
  if (reading.closing === "aborted") return aborted
  if (isHalted(facts.task)) return { ...aborted, reason: "The user told the agent to stop." }
  if (reading.closing === "open_call")
    return working(`A tool call is still running (${stop.pending[0]?.tool ?? "tool"}).`)
  if (reading.closing === "awaits") return working("Background work is still running.")
  if (reading.closing === "error") return failedService(facts, found)
  if (reading.closing === "limited")
    return stuck(`A usage limit stopped the agent: ${stop.notice?.detail ?? "rate limited"}`)
  if (reading.closing === "silent") return silent(facts, found)
  return null
}

/** The model's service failed: a new attempt may help, unless only the user can mend the account. */
const failedService = (facts: Facts, found: ReadonlyArray<Found>): Outcome => {
  const detail = facts.stop.notice?.detail ?? "an API error"
  if (!refusesAccount(facts)) return stuckBy(found) ?? stuck(`The model's service failed: ${detail}`)
  return {
    ...base,
    status: "needs_human",
    kind: "stuck",
    reason: `The model's service refuses the account: ${detail}`,
    confidence: 0.9,
    human: [detail]
  }
}

const silent = (facts: Facts, found: ReadonlyArray<Found>): Outcome =>
  stuckBy(found) ?? {
    ...base,
    status: "abstained",
    kind: facts.evidence.calls > 0 ? "working" : "aborted",
    reason: "The turn ends without a closing word of the agent: it cannot be told how it stopped.",
    confidence: 0.3
  }

const acted = (facts: Facts): boolean => facts.evidence.actions > 0

/** What only a person can do; of finished work only what the agent says that it could not do itself. */
const needsHuman = (facts: Facts): { readonly items: ReadonlyArray<string>; readonly blocked: boolean } => {
  const closing = facts.reading.prose.closing.slice(-8)
  const blocked = isBlocked(closing)
  return { items: acted(facts) && !blocked ? [] : openItems(closing), blocked }
}

/** An order, and an answer and edits that have not one word of it: perhaps another task was done. */
const besideTheTask = (facts: Facts): boolean =>
  facts.task.message.length <= 400 &&
  !facts.task.continued &&
  isOrder(facts.task.message) &&
  contentWords(facts.task.message).size > 2 &&
  facts.stop.text.length > 60 &&
  facts.reading.english &&
  !overlaps(
    `${facts.stop.text.slice(-3500)} ${facts.evidence.edits
      .map((edit) => edit.path.replaceAll(/[^A-Za-z]+/g, " "))
      .join(" ")
      .slice(0, 500)}`,
    facts.task.message
  )

/** An order that was not begun, and that the last sentence offers to carry out. */
const offersTheTask = (facts: Facts): string | null => {
  const { evidence, reading, task } = facts
  if (!reading.english || !isOrder(task.message) || acted(facts) || evidence.opaque || evidence.delegated > 0)
    return null
  const text = offeredIn(reading.prose)
  return text !== null && overlaps(text.replaceAll(/\bword\b/gi, ""), task.message) ? text : null
}

const done = (confidence: number, reason: string): Outcome => ({
  ...base,
  status: "complete",
  kind: "complete",
  reason,
  confidence
})

const planName = /plan|todo|task|checklist|backlog/i
const planWords = /\b(?:plan|todos?|to-?do list|tasks?|checklist|backlog|items)\b/i

/** The plan that the task is about, if it has open boxes and the agent calls all of it done. */
const planLeftOpen = ({
  evidence,
  reading,
  stop,
  task
}: Facts): { readonly path: string; readonly open: number } | null => {
  if (!reading.callsAllDone && !(task.wantsAll && reading.callsDone)) return null
  const told = `${task.text} ${task.message} ${stop.text}`.toLowerCase()
  const isNamed = ({ path }: { readonly path: string }): boolean => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
    return told.includes(name) || (planName.test(name) && planWords.test(`${task.text} ${task.message}`.slice(0, 4000)))
  }
  return Evidence.openPlans(evidence).find(isNamed) ?? null
}

const completion = (facts: Facts): Outcome => {
  const { inProgress } = facts.reading
  if (inProgress !== null) return abstained(`The agent says that it is not finished: ${inProgress}`)
  const plan = planLeftOpen(facts)
  if (plan !== null)
    return abstained(`The agent calls all of it done, and ${plan.open} of the boxes in ${plan.path} are open.`)
  const offer = offersTheTask(facts)
  if (offer !== null) return waiting(`The agent offers to do what was asked for: ${offer}`, 0.7)
  const required = facts.gates.filter((gate) => gate.required)
  const unknown = required.filter((gate) => gate.result === "unknown")
  if (unknown.length > 0) {
    const gate = unknown[0]
    const claimed = facts.reading.claims.some((claim) => claim.gate === gate?.gate && claim.outcome === "passed")
    if (claimed && gate?.run?.completed === true)
      return done(0.6, `The agent reports ${gate.gate} as passed; the record cannot prove it (${gate.detail}).`)
    return abstained(`It cannot be told how ${gate?.gate ?? "a gate"} went: ${gate?.detail ?? "unknown"}.`)
  }
  if (facts.reading.closing === "undecided") return unread
  if (required.length > 0 && required.every((gate) => gate.result === "passed"))
    return done(
      0.9,
      `Everything that was required is proved: ${required.map((gate) => `${gate.gate} ${gate.result}`).join(", ")}.`
    )
  if (facts.taskType === "research") return done(0.7, "A question was asked and answered; nothing was to be changed.")
  if (
    facts.task.intent === "act" &&
    facts.taskType === "coding" &&
    facts.task.mode !== "plan" &&
    !acted(facts) &&
    !facts.evidence.opaque &&
    facts.evidence.delegated === 0
  )
    return abstained("A change was asked for and none was made: whether the answer is enough, evidence cannot tell.")
  if (besideTheTask(facts))
    return abstained(
      "The answer and the changes share no word with the task: whether the right thing was done, evidence cannot tell."
    )
  if (facts.gates.some((gate) => gate.advised))
    return done(
      0.55,
      "The agent finished what was asked; code was changed and nothing was run since, which nobody asked for."
    )
  const red = facts.gates.find((gate) => gate.result === "failed")
  if (red !== undefined) {
    const asked = red.required ? "was asked for, and reported as it is" : "which nobody asked for and the agent leaves"
    return done(red.required ? 0.75 : 0.5, `The agent finished; ${red.gate} failed (${red.detail}), ${asked}.`)
  }
  const checked = facts.gates.filter((gate) => gate.result === "passed").map((gate) => gate.gate)
  if (checked.length > 0) return done(0.8, `The agent finished, and ${checked.join(", ")} passed after the last edit.`)
  return done(
    acted(facts) ? 0.65 : 0.6,
    acted(facts)
      ? "The agent finished what was asked; no check was asked for and none failed."
      : "The agent answered; no check was asked for."
  )
}

const incomplete = (facts: Facts, found: ReadonlyArray<Found>): Outcome => ({
  status: "incomplete",
  kind: "premature",
  pattern: patternOf(facts, found),
  push: found.some(isPushed),
  reason: `Not done: ${found
    .filter(({ repeats }) => repeats !== true)
    .map((problem) => problem.missing.replace(/\.$/, ""))
    .slice(0, 2)
    .join("; ")}.`,
  confidence: found.some((problem) => problem.gate !== undefined) || facts.contradictions.length > 0 ? 0.85 : 0.7,
  human: humanParts(facts)
})

/** What the text names beside the agent's own part. */
const humanParts = (facts: Facts): ReadonlyArray<string> => {
  const { dependsOn } = facts.reading
  const said = openItems(facts.reading.prose.closing)
  return dependsOn?.kind === "act" ? [...new Set([...said, dependsOn.text.slice(0, 200)])] : said
}

const isPermission = ({ rule }: Found): boolean => rule.pattern === "permission_seeking"

/** What credentials or rights keep from being done, rather than the agent. */
const needsAccess = ({ gate, rule }: Found): boolean =>
  rule.needsRights === true || gate === "push" || gate === "pr" || gate === "ci"

/** A choice between extras, put as an offer after work that was done. */
const offered = /\b(?:want me to|would you like|should i|shall i|ready)\b/i

/** What only the user can answer comes before everything that is missing; an offer only where nothing presses. */
const asking = (facts: Facts, standing: ReadonlyArray<Found>): "waits" | "excuses" | "no" => {
  const { closing, question } = facts.reading
  if (closing !== "question") return "no"
  const { message, standing: orders } = facts.task
  if (question !== null && StandingOrders.forbid(orders, question.text)) return "waits"
  if ((asksFirst(message) || StandingOrders.wantAsking(orders)) && !standing.some(isPermission)) return "waits"
  if (question === null || question.kind === "risk") return "waits"
  if (standing.some((one) => one.rule.presses === true && (isPermission(one) || !isOpenChoice(question)))) return "no"
  if (question.kind === "extra") return "excuses"
  if (bare.test(question.text) || isOpenChoice(question)) return "waits"
  const answers = question.kind === "offer" && facts.task.intent === "ask" && facts.evidence.calls > 0
  const firm = question.kind === "choice" && !offered.test(question.text)
  return firm || !(acted(facts) || answers) ? "waits" : "excuses"
}

/** Who offers to do one thing, another, or both, has done what was asked. */
const isOpenChoice = ({ kind, text }: Question): boolean =>
  kind === "choice" && (wh.test(text) || /\bor (?!both\b)/i.test(text) || !offered.test(text))

/** What fails for want of something that the user has, in the agent's words. */
const wanting =
  /\b(?:tests?|suite|failures?|build|specs?|this|ones?)\b[^.?!]{0,60}\b(?:needs?|requires?|means?|without|depends?|waits?|expects?|asks?)\b/i

/** Whether what stands waits for the user as well; what the agent broke itself does not. */
const rests =
  (facts: Facts, waits: (problem: Found) => boolean) =>
  (problem: Found): boolean => {
    const { dependsOn, english } = facts.reading
    if (dependsOn === null || problem.rule.waits === true) return problem.rule.waits === true
    const { kind } = dependsOn
    return (
      (kind === "blocked" && facts.reminded) ||
      (kind === "act" && waits(problem)) ||
      (problem.gate !== undefined && kind !== "risk" && (!english || wanting.test(facts.stop.text.slice(-600))))
    )
  }

/** A check that must pass and of which it cannot be told how it went, if it went at all. */
const hasUnknown = ({ gates }: Facts): boolean => gates.some((gate) => gate.required && gate.result === "unknown")

/** The agent goes on after the user, and so does what stands. */
const dependent = (
  facts: Facts,
  standing: ReadonlyArray<Found>,
  waits: (problem: Found) => boolean
): Outcome | null => {
  const { dependsOn, english } = facts.reading
  if (!standing.every(rests(facts, waits))) return null
  if (dependsOn === null) return english || standing.length === 0 ? null : unread
  const { kind, text } = dependsOn
  if (kind === "risk") return standing.length > 0 ? unread : null
  if (kind === "blocked" && standing.length === 0 && !hasUnknown(facts)) return null
  if (kind === "act" || (kind === "blocked" && needsPerson(text) !== null)) return onlyHuman([text.slice(0, 200)])
  return waiting(`The agent ${kind === "blocked" ? "is blocked" : "waits for the user"}: ${text}`, 0.75)
}

/** Decides the status: what the host reports first, then whose turn it is, then what is missing. */
export const outcome = (facts: Facts, found: ReadonlyArray<Found>): Outcome => {
  const hard = hardStops(facts, found)
  if (hard !== null) return hard
  const { blocked, items: human } = needsHuman(facts)
  const standing = found.filter(({ rule, stands }) => stands && rule.stuck !== true)
  // A check that fails for want of a password is not mended by another run of it.
  const waits = (problem: Found): boolean => needsAccess(problem) || (blocked && problem.gate !== undefined)
  if (human.length > 0 && standing.every(waits)) return onlyHuman(human)
  const asks = asking(facts, standing)
  const depends = dependent(facts, standing, waits)
  if (depends !== null && (asks !== "waits" || depends.status === "needs_human")) return depends
  if (asks === "waits") return waiting(`The agent asks the user: ${facts.reading.question?.text ?? "…"}`, 0.75)
  if (facts.reading.yields && !acted(facts) && facts.reading.closing !== "question")
    return waiting("The agent waits for the user's answer or approval.", 0.75)
  const loop = stuckBy(found)
  const listed = found.filter(({ rule }) => rule.stuck !== true)
  if (loop !== null) return loop
  if (standing.length > 0 && asks === "no") return incomplete(facts, listed)
  const gates = found.filter((problem) => problem.gate !== undefined)
  if (gates.length > 0) return incomplete(facts, gates)
  return isRepeating(facts) && !isReport(facts) ? gaveUp : completion(facts)
}
