import { isBlocked, needsHuman as needsPerson, openItems } from "../../session/stop/HumanAction.ts"
import { isHalted } from "../../session/task/TaskContext.ts"
import type { StopPattern } from "./Verdict.ts"
import { readProse } from "../../ground/text/AgentSentences.ts"
import { tellsOfFailure } from "../../session/facts/failureTold.ts"
import { asksFirst, isOrder, wantsReportOnly } from "../../session/task/Intent.ts"
import { isPushed } from "../rules/Rules.ts"
import { roundsAsked } from "../loops/RequestedRepeats.ts"
import { contentWords, overlaps } from "../../ground/text/Text.ts"
import { bare, offered as offeredIn, wh } from "../../session/stop/Questions.ts"
import type { Question } from "../../session/stop/StopSignal.ts"
import type { Known, Outcome, Problem } from "./model.ts"

const base = { pattern: null, push: false, human: [] }

const aborted: Outcome = {
  ...base,
  status: "aborted",
  kind: "aborted",
  reason: "The user interrupted the agent.",
  confidence: 0.95
}

const working = (reason: string): Outcome => ({ ...base, status: "working", kind: "working", reason, confidence: 0.8 })

const stuck = (reason: string, say: Outcome["say"] | null): Outcome => ({
  ...base,
  ...(say !== null && say !== undefined && { say }),
  status: "stuck",
  kind: "stuck",
  push: say !== null,
  reason,
  confidence: 0.85
})

/** The same call failed again and again at the end, oftener than the user may have wanted it to be made. */
const isRepeating = ({ evidence, task }: Known): boolean =>
  evidence.repeats.count >= loops && evidence.repeats.count > roundsAsked(task) + 1

const repeating = stuck("The same failing call was repeated without a change.", {
  fact: "You repeated the same failing call without changing anything in between.",
  action: "Read its error, change what causes it or try another way; then run it again."
})

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
const isReport = ({ task }: Known): boolean => task.intent !== "act" || wantsReportOnly(task.message)

const onlyHuman = (human: ReadonlyArray<string>): Outcome => ({
  ...waiting(`Only a human can go on: ${human[0] ?? ""}`, 0.75),
  status: "needs_human",
  human
})

const patternOf = (known: Known, found: ReadonlyArray<Problem>): StopPattern | null => {
  if (known.contradictions.length > 0) return "false_complete"
  if (found.some((problem) => problem.kind === "permission")) return "permission_seeking"
  if (found.some((problem) => problem.kind === "not_begun"))
    return known.reading.changeClaimed === null ? null : "false_complete"
  if (
    (known.reading.question?.kind === "offer" || known.reading.question?.kind === "extra") &&
    found.some((problem) => problem.kind === "gate")
  )
    return "permission_seeking"
  if (found.some((problem) => problem.kind === "todos" || problem.kind === "left_work" || problem.kind === "announced"))
    return "stopped_with_todos"
  const gates = known.gates.filter((gate) => gate.required)
  if (gates.some((gate) => gate.result === "missing" || gate.result === "stale")) return "unverified"
  return found.some((problem) => problem.kind === "handed_over") ? "unverified" : null
}

const loops = 3

const hardStops = (known: Known): Outcome | null => {
  const { reading, stop } = known
  if (known.task.turn < 0)
    return {
      ...base,
      status: "abstained",
      kind: "complete",
      reason: "There is no task: no message of a user was found.",
      confidence: 0.2
    }
  if (reading.closing === "aborted") return aborted
  if (isHalted(known.task)) return { ...aborted, reason: "The user told the agent to stop." }
  if (reading.closing === "open_call")
    return working(`A tool call is still running (${stop.pending[0]?.tool ?? "tool"}).`)
  if (reading.closing === "awaits") return working("Background work is still running.")
  if (reading.closing === "error") return failedService(stop.notice?.detail ?? null)
  if (reading.closing === "limited")
    return stuck(`A usage limit stopped the agent: ${stop.notice?.detail ?? "rate limited"}`, null)
  if (reading.closing === "silent") return silent(known)
  return null
}

/** The message in a service's error, without the JSON around it. */
const readable = (detail: string | null): string => {
  const message = /"message"\s{0,3}:\s{0,3}"([^"]{1,200})"/.exec(detail ?? "")?.[1]
  const head = (detail ?? "an API error").split(/[{\n]/)[0]?.trim() ?? ""
  return message === undefined ? (detail ?? "an API error") : `${head} ${message}`.trim()
}

/** The model's service failed: a new attempt may help, unless only the user can mend the account. */
const failedService = (detail: string | null): Outcome => {
  const account =
    /\b(?:40[13]|authentication_error|permission_error|run \/login|invalid (?:api key|authentication)|credit balance|billing|payment required)\b/i
  if (detail === null || !account.test(detail))
    return stuck(`The model's service failed: ${readable(detail)}`, {
      fact: "The model's service failed in the middle of your work.",
      action: "Look at what is done so far and go on where you stopped."
    })
  return {
    ...base,
    status: "needs_human",
    kind: "stuck",
    reason: `The model's service refuses the account: ${detail}`,
    confidence: 0.9,
    human: [detail]
  }
}

const silent = (known: Known): Outcome => {
  if (isRepeating(known)) return repeating
  if (known.stop.blank)
    return stuck("The agent's answer is empty.", {
      fact: "Your last message is empty.",
      action: "Go on with the task, or say what you did and what is left."
    })
  return {
    ...base,
    status: "abstained",
    kind: known.evidence.calls > 0 ? "working" : "aborted",
    reason: "The turn ends without a closing word of the agent: it cannot be told how it stopped.",
    confidence: 0.3
  }
}

const acted = (known: Known): boolean => known.evidence.actions > 0

/** What only a person can do; of finished work only what the agent says that it could not do itself. */
const needsHuman = (known: Known): { readonly items: ReadonlyArray<string>; readonly blocked: boolean } => {
  const closing = readProse(known.stop.spokeLast ? known.stop.text : "").closing.slice(-8)
  const blocked = isBlocked(closing)
  return { items: acted(known) && !blocked ? [] : openItems(closing), blocked }
}

/** An order, and an answer and edits that have not one word of it: perhaps another task was done. */
const besideTheTask = (known: Known): boolean =>
  known.task.message.length <= 400 &&
  !known.task.continued &&
  isOrder(known.task.message) &&
  contentWords(known.task.message).size > 2 &&
  known.stop.text.length > 60 &&
  known.reading.english &&
  !overlaps(
    `${known.stop.text.slice(-3500)} ${known.evidence.edits
      .map((edit) => edit.path.replaceAll(/[^A-Za-z]+/g, " "))
      .join(" ")
      .slice(0, 500)}`,
    known.task.message
  )

/** An order that was not begun, and that the last sentence offers to carry out. */
const offersTheTask = (known: Known): string | null => {
  const { evidence, reading, stop, task } = known
  if (!reading.english || !isOrder(task.message) || acted(known) || evidence.opaque || evidence.delegated > 0)
    return null
  const text = offeredIn(readProse(stop.spokeLast ? stop.text : ""))
  return text !== null && overlaps(text.replaceAll(/\bword\b/gi, ""), task.message) ? text : null
}

const done = (confidence: number, reason: string): Outcome => ({
  ...base,
  status: "complete",
  kind: "complete",
  reason,
  confidence
})

const completion = (known: Known): Outcome => {
  const offer = offersTheTask(known)
  if (offer !== null) return waiting(`The agent offers to do what was asked for: ${offer}`, 0.7)
  const required = known.gates.filter((gate) => gate.required)
  const unknown = required.filter((gate) => gate.result === "unknown")
  if (unknown.length > 0) {
    const gate = unknown[0]
    const claimed = known.reading.claims.some((claim) => claim.gate === gate?.gate && claim.outcome === "passed")
    if (claimed && gate?.run?.completed === true)
      return done(0.6, `The agent reports ${gate.gate} as passed; the record cannot prove it (${gate.detail}).`)
    return abstained(`It cannot be told how ${gate?.gate ?? "a gate"} went: ${gate?.detail ?? "unknown"}.`)
  }
  if (known.reading.closing === "undecided") return unread
  if (required.length > 0 && required.every((gate) => gate.result === "passed"))
    return done(
      0.9,
      `Everything that was required is proved: ${required.map((gate) => `${gate.gate} ${gate.result}`).join(", ")}.`
    )
  if (known.taskType === "research") return done(0.7, "A question was asked and answered; nothing was to be changed.")
  if (
    known.task.intent === "act" &&
    known.taskType === "coding" &&
    known.task.mode !== "plan" &&
    !acted(known) &&
    !known.evidence.opaque &&
    known.evidence.delegated === 0
  )
    return abstained("A change was asked for and none was made: whether the answer is enough, evidence cannot tell.")
  if (besideTheTask(known))
    return abstained(
      "The answer and the changes share no word with the task: whether the right thing was done, evidence cannot tell."
    )
  if (known.gates.some((gate) => gate.advised))
    return done(
      0.55,
      "The agent finished what was asked; code was changed and nothing was run since, which nobody asked for."
    )
  const red = known.gates.find((gate) => gate.result === "failed")
  if (red !== undefined) {
    const asked = red.required ? "was asked for, and reported as it is" : "which nobody asked for and the agent leaves"
    return done(red.required ? 0.75 : 0.5, `The agent finished; ${red.gate} failed (${red.detail}), ${asked}.`)
  }
  const checked = known.gates.filter((gate) => gate.result === "passed").map((gate) => gate.gate)
  if (checked.length > 0) return done(0.8, `The agent finished, and ${checked.join(", ")} passed after the last edit.`)
  return done(
    acted(known) ? 0.65 : 0.6,
    acted(known)
      ? "The agent finished what was asked; no check was asked for and none failed."
      : "The agent answered; no check was asked for."
  )
}

const incomplete = (known: Known, found: ReadonlyArray<Problem>): Outcome => ({
  status: "incomplete",
  kind: "premature",
  pattern: patternOf(known, found),
  push: found.some(isPushed),
  reason: `Not done: ${found
    .map((problem) => problem.missing.replace(/\.$/, ""))
    .slice(0, 2)
    .join("; ")}.`,
  confidence: found.some((problem) => problem.kind === "gate" || problem.kind === "contradiction") ? 0.85 : 0.7,
  human: humanParts(known)
})

/** What the text names beside the agent's own part. */
const humanParts = (known: Known): ReadonlyArray<string> => {
  const { dependsOn } = known.reading
  const said = openItems(readProse(known.stop.spokeLast ? known.stop.text : "").closing)
  return dependsOn?.kind === "act" ? [...new Set([...said, dependsOn.text.slice(0, 200)])] : said
}

/** What credentials or rights keep from being done, rather than the agent. */
const needsAccess = (problem: Problem): boolean =>
  problem.kind === "handed_over" ||
  problem.kind === "permission" ||
  (problem.kind === "gate" && (problem.gate === "push" || problem.gate === "pr" || problem.gate === "ci"))

/** What an offer at the end does not excuse. */
const presses: ReadonlySet<Problem["kind"]> = new Set(["gate", "contradiction", "permission", "policy", "defect"])

/** A choice between extras, put as an offer after work that was done. */
const offered = /\b(?:want me to|would you like|should i|shall i|ready)\b/i

/** What only the user can answer comes before everything that is missing; an offer only where nothing presses. */
const asking = (known: Known, standing: ReadonlyArray<Problem>): "waits" | "excuses" | "no" => {
  const { closing, question } = known.reading
  if (closing !== "question") return "no"
  if (asksFirst(known.task.message) && !standing.some((problem) => problem.kind === "permission")) return "waits"
  if (question === null || question.kind === "information" || question.kind === "risk") return "waits"
  if (
    standing.some((problem) => presses.has(problem.kind) && (problem.kind === "permission" || !isOpenChoice(question)))
  )
    return "no"
  if (question.kind === "extra") return "excuses"
  if (bare.test(question.text) || isOpenChoice(question)) return "waits"
  const answers = question.kind === "offer" && known.task.intent === "ask" && known.evidence.calls > 0
  const firm = question.kind === "choice" && !offered.test(question.text)
  return firm || !(acted(known) || answers) ? "waits" : "excuses"
}

/** Who offers to do one thing, another, or both, has done what was asked. */
const isOpenChoice = ({ kind, text }: Question): boolean =>
  kind === "choice" && (wh.test(text) || /\bor (?!both\b)/i.test(text) || !offered.test(text))

/** What fails for want of something that the user has, in the agent's words. */
const wanting =
  /\b(?:tests?|suite|failures?|build|specs?|this|ones?)\b[^.?!]{0,60}\b(?:needs?|requires?|means?|without|depends?|waits?|expects?|asks?)\b/i

/** What is only not done yet waits, too; what failed, was contradicted or is handed over does not. */
const canWait =
  (known: Known) =>
  ({ gate, kind }: Problem): boolean =>
    kind === "announced" ||
    kind === "left_work" ||
    kind === "todos" ||
    (kind === "gate" && known.gates.find((one) => one.gate === gate)?.result !== "failed")

/** Whether what stands waits for the user as well; what the agent broke itself does not. */
const rests =
  (known: Known, waits: (problem: Problem) => boolean) =>
  (problem: Problem): boolean => {
    const { changeClaimed, dependsOn, english } = known.reading
    if (dependsOn === null || canWait(known)(problem)) return canWait(known)(problem)
    const { kind } = dependsOn
    return (
      (problem.kind === "not_begun" && changeClaimed === null) ||
      (kind === "blocked" && known.reminded) ||
      (kind === "act" && waits(problem)) ||
      (problem.kind === "gate" && kind !== "risk" && (!english || wanting.test(known.stop.text.slice(-600))))
    )
  }

/** A check that must pass and of which it cannot be told how it went, if it went at all. */
const hasUnknown = ({ gates }: Known): boolean => gates.some((gate) => gate.required && gate.result === "unknown")

/** The agent goes on after the user, and so does what stands. */
const dependent = (
  known: Known,
  standing: ReadonlyArray<Problem>,
  waits: (problem: Problem) => boolean
): Outcome | null => {
  const { dependsOn, english } = known.reading
  if (!standing.every(rests(known, waits))) return null
  if (dependsOn === null) return english || standing.length === 0 ? null : unread
  const { kind, text } = dependsOn
  if (kind === "risk") return standing.length > 0 ? unread : null
  if (kind === "blocked" && standing.length === 0 && !hasUnknown(known)) return null
  if (kind === "act" || (kind !== "consent" && needsPerson(text) !== null)) return onlyHuman([text.slice(0, 200)])
  return waiting(`The agent ${kind === "blocked" ? "is blocked" : "waits for the user"}: ${text}`, 0.75)
}

/** Decides the status: what the host reports first, then whose turn it is, then what is missing. */
export const outcome = (known: Known, found: ReadonlyArray<Problem>): Outcome => {
  const hard = hardStops(known)
  if (hard !== null) return hard
  const { blocked, items: human } = needsHuman(known)
  const standing = found.filter((problem) => problem.stands)
  // A check that fails for want of a password is not mended by another run of it.
  const waits = (problem: Problem): boolean => needsAccess(problem) || (blocked && problem.kind === "gate")
  if (human.length > 0 && standing.every(waits)) return onlyHuman(human)
  const asks = asking(known, standing)
  const depends = dependent(known, standing, waits)
  if (depends !== null && (asks !== "waits" || depends.status === "needs_human")) return depends
  if (asks === "waits") return waiting(`The agent asks the user: ${known.reading.question?.text ?? "…"}`, 0.75)
  if (known.reading.yields && !acted(known) && known.reading.closing !== "question")
    return waiting("The agent waits for the user's answer or approval.", 0.75)
  const repeats = isRepeating(known)
  const told = known.reading.closing === "question" || (known.reading.closing === "finished" && tellsOfFailure(known))
  if (repeats && !told) return repeating
  if (standing.length > 0 && asks === "no") return incomplete(known, found)
  const gates = found.filter((problem) => problem.kind === "gate")
  if (gates.length > 0) return incomplete(known, gates)
  return repeats && !isReport(known) ? gaveUp : completion(known)
}
