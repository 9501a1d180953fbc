import { isBlocked, needsHuman as needsPerson, openItems } from "../HumanAction.ts"
import { isHalted } from "../TaskContext.ts"
import type { Status, StopKind, StopPattern } from "../Verdict.ts"
import { readProse } from "./prose.ts"
import type { Known } from "./decide.ts"
import { isOrder } from "./intent.ts"
import type { Problem } from "./problems.ts"
import { contentWords, overlaps } from "./text.ts"
import { canWait, held } from "./waits.ts"

/** What the problems and the stop come to. */
export interface Outcome {
  readonly status: Status
  readonly kind: StopKind
  readonly pattern: StopPattern | null
  readonly push: boolean
  readonly reason: string
  readonly confidence: number
  readonly human: ReadonlyArray<string>
  /** What to say to an agent that is stuck rather than done too early. */
  readonly say?: { readonly fact: string; readonly action: string }
}

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
  if (known.evidence.repeats.failed && known.evidence.repeats.count >= loops) return repeating
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

/** Whether the agent says in so many words that it waits for the user. */
const holds = (known: Known): boolean =>
  /\b(?:(?:i'll|i will|i'm) (?:pause|wait|hold|stand by|waiting|pausing)|check(?:ing)? with you|wait(?:ing)? for you)\b/i.test(
    known.stop.text.slice(-600)
  )

/** Whether the question ends the turn as waiting, rather than offering an extra after finished work. */
const awaitsAnswer = (known: Known): boolean => {
  const { question } = known.reading
  if (known.reading.closing !== "question") return known.reading.yields && (!acted(known) || holds(known))
  if (question === null) return true
  if (question.kind === "extra") return false
  if (question.kind === "offer") return !acted(known) && (known.task.intent !== "ask" || known.evidence.calls === 0)
  return !(acted(known) && question.kind === "choice" && offered.test(question.text))
}

/** A choice between extras, put as an offer after work that was done. */
const offered = /\b(?:want me to|would you like|should i|shall i|ready)\b/i

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

const completion = (known: Known): Outcome => {
  const required = known.gates.filter((gate) => gate.required)
  const unknown = required.filter((gate) => gate.result === "unknown")
  const done: Outcome = { ...base, status: "complete", kind: "complete", reason: "", confidence: 0.7 }
  if (unknown.length > 0) {
    const gate = unknown[0]
    const claimed = known.reading.claims.some((claim) => claim.gate === gate?.gate && claim.outcome === "passed")
    if (claimed && gate?.run?.completed === true)
      return {
        ...done,
        confidence: 0.6,
        reason: `The agent reports ${gate.gate} as passed; the record cannot prove it (${gate.detail}).`
      }
    return {
      ...done,
      status: "abstained",
      confidence: 0.4,
      reason: `It cannot be told how ${gate?.gate ?? "a gate"} went: ${gate?.detail ?? "unknown"}.`
    }
  }
  if (known.reading.closing === "undecided")
    return {
      ...done,
      status: "abstained",
      confidence: 0.4,
      reason: "The final text cannot be read with certainty, and no evidence decides."
    }
  if (required.length > 0 && required.every((gate) => gate.result === "passed"))
    return {
      ...done,
      confidence: 0.9,
      reason: `Everything that was required is proved: ${required.map((gate) => `${gate.gate} ${gate.result}`).join(", ")}.`
    }
  if (known.taskType === "research")
    return { ...done, confidence: 0.7, reason: "A question was asked and answered; nothing was to be changed." }
  if (
    known.task.intent === "act" &&
    known.taskType === "coding" &&
    known.task.mode !== "plan" &&
    !acted(known) &&
    !known.evidence.opaque &&
    known.evidence.delegated === 0
  )
    return {
      ...done,
      status: "abstained",
      confidence: 0.4,
      reason: "A change was asked for and none was made: whether the answer is enough, evidence cannot tell."
    }
  if (besideTheTask(known))
    return {
      ...done,
      status: "abstained",
      confidence: 0.4,
      reason:
        "The answer and the changes share no word with the task: whether the right thing was done, evidence cannot tell."
    }
  if (known.gates.some((gate) => gate.advised))
    return {
      ...done,
      confidence: 0.55,
      reason: "The agent finished what was asked; code was changed and nothing was run since, which nobody asked for."
    }
  const red = known.gates.find((gate) => gate.result === "failed")
  if (red !== undefined) {
    const asked = red.required ? "was asked for, and reported as it is" : "which nobody asked for and the agent leaves"
    return {
      ...done,
      confidence: red.required ? 0.75 : 0.5,
      reason: `The agent finished; ${red.gate} failed (${red.detail}), ${asked}.`
    }
  }
  const checked = known.gates.filter((gate) => gate.result === "passed").map((gate) => gate.gate)
  if (checked.length > 0)
    return {
      ...done,
      confidence: 0.8,
      reason: `The agent finished, and ${checked.join(", ")} passed after the last edit.`
    }
  return {
    ...done,
    confidence: acted(known) ? 0.65 : 0.6,
    reason: acted(known)
      ? "The agent finished what was asked; no check was asked for and none failed."
      : "The agent answered; no check was asked for."
  }
}

const incomplete = (known: Known, found: ReadonlyArray<Problem>): Outcome => ({
  status: "incomplete",
  kind: "premature",
  pattern: patternOf(known, found),
  push: found.some((problem) => problem.push),
  reason: `Not done: ${found
    .map((problem) => problem.missing)
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

/** A question that only the user can answer outranks what is missing; an offer does not. */
const yields = (known: Known, found: ReadonlyArray<Problem>): boolean => {
  const { question } = known.reading
  if (known.reading.closing !== "question") return known.reading.yields && (!acted(known) || holds(known))
  if (question === null || question.kind === "information" || question.kind === "risk") return true
  const pressing = found.some((problem) => problem.push && presses.has(problem.kind))
  if (question.kind === "choice") {
    const failedFix = known.gates.some((gate) => gate.required && gate.how === "fix" && gate.result === "failed")
    return !failedFix && !found.some((problem) => problem.kind === "permission")
  }
  return !pressing
}

/** The agent goes on after the user, and so does what it would be pushed for; what it broke itself does not wait. */
const dependent = (
  known: Known,
  pushed: ReadonlyArray<Problem>,
  waits: (problem: Problem) => boolean
): Outcome | null => {
  const { changeClaimed, dependsOn } = known.reading
  if (dependsOn === null) return null
  const act = dependsOn.kind === "act"
  const rests = (problem: Problem): boolean =>
    canWait(known)(problem) || (act && waits(problem)) || (problem.kind === "not_begun" && changeClaimed === null)
  if (!pushed.every(rests)) return null
  return act || needsPerson(dependsOn.text) !== null
    ? onlyHuman([dependsOn.text.slice(0, 200)])
    : waiting(`The agent waits for the user: ${dependsOn.text}`, 0.75)
}

/** Decides the status: what the host reports first, then questions, then what is missing. */
export const outcome = (known: Known, found: ReadonlyArray<Problem>): Outcome => {
  const hard = hardStops(known)
  if (hard !== null) return hard
  const { blocked, items: human } = needsHuman(known)
  const pushed = found.filter((problem) => problem.push)
  // A check that fails for want of a password is not mended by another run of it.
  const waits = (problem: Problem): boolean => needsAccess(problem) || (blocked && problem.kind === "gate")
  if (human.length > 0 && pushed.every(waits)) {
    return onlyHuman(human)
  }
  const depends = dependent(known, pushed, waits)
  if (depends !== null) return depends
  const wait = held(known, pushed)
  if (wait !== null) {
    const byHuman = wait.blocked && needsPerson(wait.text) !== null
    const reason = `The agent ${wait.blocked ? "is blocked" : "asks the user"}: ${wait.text}`
    return byHuman
      ? { ...waiting(reason, 0.75), status: "needs_human", human: [wait.text.slice(0, 200)] }
      : waiting(reason, 0.75)
  }
  if (yields(known, found) && awaitsAnswer(known)) {
    return waiting(
      known.reading.question === null
        ? "The agent waits for the user's answer or approval."
        : `The agent asks the user: ${known.reading.question.text}`,
      0.75
    )
  }
  if (known.evidence.repeats.failed && known.evidence.repeats.count >= loops && known.reading.closing !== "question")
    return repeating
  if (pushed.length > 0 && !(yields(known, found) && known.reading.question !== null)) return incomplete(known, found)
  if (awaitsAnswer(known)) return waiting(`The agent asks the user: ${known.reading.question?.text ?? "…"}`, 0.7)
  const unmet = found.filter((problem) => problem.kind === "gate")
  if (unmet.length > 0) return incomplete(known, unmet)
  return completion(known)
}
