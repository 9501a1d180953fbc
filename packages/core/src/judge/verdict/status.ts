/** Derives the status of an ended turn: by the host's report, then by who must act next, then by what is missing. */
import { contentWords, oneLine, overlaps } from "../../base/text/Text.ts"
import * as DoneWhen from "../../session/donewhen/Conditions.ts"
import * as Evidence from "../../session/evidence/Evidence.ts"
import * as TodosDone from "../../session/evidence/TodosDone.ts"
import { type Facts, type GateFact, unanswered } from "../../session/facts/Facts.ts"
import { describeFailure } from "../../session/gates/Gates.ts"
import { demanded, isBlocked, openItems } from "../../session/stop/HumanAction.ts"
import { isRetried, openTodos } from "../../session/stop/StopSignal.ts"
import { isContinuation, isImperative } from "../../session/task/Intent.ts"
import { isHalted } from "../../session/task/TaskContext.ts"
import { isCheck, names as gateNames, said, speaksOf } from "../../session/vocabulary/GateTable.ts"
import { type Found, isOrdered, isProved, isNudged, openGates, refusesForGood, type RuleName } from "../rules/Rules.ts"
import * as Missing from "./Missing.ts"
import type { Status, StopKind, StopPattern } from "./Verdict.ts"

export interface Outcome {
  readonly status: Status
  readonly kind: StopKind
  readonly pattern: StopPattern | null
  readonly nudge: boolean
  readonly reason: string
  readonly confidence: number
  readonly human: ReadonlyArray<string>
}

type Of = (reason: string, more?: Partial<Outcome>) => Outcome

const as =
  (status: Status, kind: StopKind, confidence: number): Of =>
  (reason, more = {}) => ({ status, kind, confidence, reason, pattern: null, nudge: false, human: [], ...more })

const done = (confidence: number, reason: string): Outcome => as("complete", "complete", confidence)(reason)
const abstained = as("abstained", "complete", 0.4)
const aborted = as("aborted", "aborted", 0.95)
const working = as("working", "working", 0.8)
const waiting = as("waiting_for_user", "waiting_for_user", 0.75)
const stuck = as("stuck", "stuck", 0.85)
const open = as("incomplete", "premature", 0.7)

const onlyHuman = (human: ReadonlyArray<string>): Outcome =>
  as("needs_human", "waiting_for_user", 0.75)(`Only a human can continue: ${human[0] ?? ""}`, { human })

/** Adds a full stop, unless the text ends with a sentence mark, or with a quotation that has one. */
const ended = (text: string): string => (/[.?!…]["”]?$/.test(text) ? text : `${text}.`)

/** These findings mean that the agent is stuck; others mean that it stopped too early. */
export const isOfStuck = ({ rule }: Found): boolean =>
  rule.id.startsWith("loops/") || rule.id === "host/failed" || rule.id === "host/limit"

const isIn = (...ids: ReadonlyArray<RuleName>): ((found: Found) => boolean) => {
  const names: ReadonlySet<string> = new Set(ids)
  return ({ rule }) => names.has(rule.id)
}

/** True if a step was not done yet. The step may wait until the agent has an answer. */
const isToCome = isIn("gates/not-run", "gates/not-delivered", "work/nothing-run")

const isPermission = isIn("question/nobody-there")

/** The most specific pattern comes first. */
const patternOf = (facts: Facts, found: ReadonlyArray<Found>): StopPattern | null => {
  const { question } = facts.reading
  const isOffer = question?.kind === "offer" || question?.kind === "extra"
  if (unanswered(facts)?.isAsked === false && found.some(isPermission)) return "stopped_with_todos"
  if (found.some((one) => isPermission(one) || (isOffer && one.gate !== undefined))) return "permission_seeking"
  if (found.some(isIn("claims/contradicted", "claims/unfounded", "checks/weakened"))) return "false_complete"
  return found.some(isToCome) ? "unverified" : null
}

const stuckBy = (found: ReadonlyArray<Found>): Outcome | null => {
  const first = found.find((one) => isOfStuck(one) && one.stands)
  return first === undefined ? null : stuck(first.user, { nudge: isNudged(first) })
}

/** A new attempt may help, unless the service refuses for good. */
const failedService = (facts: Facts, found: ReadonlyArray<Found>): Outcome => {
  const detail = facts.stop.notice?.detail ?? "an API error"
  if (!refusesForGood(facts)) return stuckBy(found) ?? stuck(`The model's service failed: ${detail}`)
  const reason = `The model's service refuses the request: ${detail}`
  return { ...onlyHuman([detail]), kind: "stuck", reason, confidence: 0.9 }
}

const silent = (facts: Facts, found: ReadonlyArray<Found>): Outcome => {
  const empty = found.find(isIn("host/cut-off"))
  return (
    stuckBy(found) ??
    (empty === undefined
      ? abstained("The turn ends without a final message of the agent, so it is unknown how the agent stopped.", {
          kind: facts.evidence.calls > 0 ? "working" : "aborted",
          confidence: 0.3
        })
      : stuck(empty.user, { nudge: isNudged(empty) }))
  )
}

const hostEnd = (facts: Facts, found: ReadonlyArray<Found>): Outcome | null => {
  const { reading, stop, task } = facts
  if (task.turn < 0) return abstained("There is no task: no message of a user was found.", { confidence: 0.2 })
  if (isHalted(task) && reading.closing !== "aborted") return aborted("The user told the agent to stop.")
  const detail = stop.notice?.detail ?? null
  const isAgain = (reading.closing === "error" || reading.closing === "limited") && isRetried(detail)
  if (isAgain) return working(`A request failed, and the host repeats it: ${detail ?? "an API error"}`)
  switch (reading.closing) {
    case "aborted":
      return aborted("The user interrupted the agent.")
    case "open_call":
      return working(`A tool call is still running (${stop.pending[0]?.tool ?? "tool"}).`)
    case "awaits":
      return working("Background work is still running.")
    case "error":
      // If the agent asked a person who is present, the person must answer, even if a request failed afterwards.
      return facts.attended && reading.question !== null
        ? waiting(`The agent asks the user: ${reading.question.text}`)
        : failedService(facts, found)
    case "limited":
      return stuck(`A usage limit stopped the agent: ${detail ?? "rate limited"}`, {
        nudge: found.some((one) => one.rule.id === "host/limit" && isNudged(one))
      })
    case "silent":
      return silent(facts, found)
    default:
      return null
  }
}

const acted = ({ evidence }: Facts): boolean => evidence.actions > 0

/** A question that only the user can answer comes first. An offer counts only if nothing is missing. */
const asking = (facts: Facts, standing: ReadonlyArray<Found>): "waits" | "excuses" | "no" => {
  const { closing, question } = facts.reading
  if (closing !== "question") return "no"
  const isToDecide = standing.some(isPermission)
  if (facts.task.asksLeave && !isToDecide) return "waits"
  if (question === null || question.kind === "risk") return "waits"
  const isChoice = question.kind === "choice"
  if (isToDecide || (standing.length > 0 && !isChoice)) return "no"
  if (question.kind === "extra") return "excuses"
  const answers = question.kind === "offer" && facts.task.intent === "ask" && facts.evidence.calls > 0
  return isChoice || !((acted(facts) && isProved(facts)) || answers) ? "waits" : "excuses"
}

type Waits = (problem: Found) => boolean

/** These deliveries need credentials or rights that only a person can give. */
const granted: ReadonlySet<string> = new Set(["push", "pr", "ci"])

/** True if only a person can solve the problem. For example, a check fails while the agent is blocked. */
const needsPerson =
  (blocked: boolean): Waits =>
  (problem) => {
    const { gate } = problem
    return isPermission(problem) || (gate !== undefined && (granted.has(gate) || (blocked && !isToCome(problem))))
  }

/**
 * True if the open work waits for the user too. If the user must do something, the agent can run a check in the
 * meantime. If the user must only answer, the check may wait.
 */
const rests =
  ({ reading: { dependsOn, english } }: Facts, waits: Waits): Waits =>
  (problem) => {
    // If we cannot read the agent's request, it does not excuse work that the record shows as missing.
    if (dependsOn === null || (dependsOn.kind === "word" && !english)) return false
    return dependsOn.kind === "act" ? waits(problem) : isToCome(problem)
  }

/**
 * Returns the outcome if all open work waits for the user, otherwise null. Also null if the agent says that it is
 * blocked but no work is open: then the turn counts as done.
 */
const dependent = ({ gates, reading: { dependsOn } }: Facts, standing: ReadonlyArray<Found>, resting: Waits) => {
  if (dependsOn === null || !standing.every(resting)) return null
  const { kind, text } = dependsOn
  if (kind === "act") return onlyHuman([text.slice(0, 200)])
  if (kind !== "blocked") return waiting(`The agent waits for the user: ${text}`)
  const isOpen = standing.length > 0 || gates.some(({ required, result }) => required && result === "unknown")
  return isOpen ? waiting(`The agent is blocked: ${text}`) : null
}

/** Open work that waits for the user causes no nudge. */
const incomplete = (facts: Facts, found: ReadonlyArray<Found>, resting: Waits): Outcome => {
  const named = Missing.inWords(found.map(Missing.ofRule)).slice(0, 2)
  const isSure = found.some(({ gate }) => gate !== undefined) || facts.contradictions.length > 0
  return open(ended(`Not done: ${named.map((text) => text.replace(/\.$/, "")).join("; ")}`), {
    pattern: patternOf(facts, found),
    nudge: found.some((problem) => isNudged(problem) && !resting(problem)),
    confidence: isSure ? 0.85 : 0.7,
    human: openItems(facts.reading.prose.closing)
  })
}

/** Words of a task that only asks for information. */
const tells = /\b(?:list|show|report|tell|check|verify|see|count|print|find|summari[sz]e|how|what|which|whether)\b/i

const isToWork = ({ task }: Facts): boolean =>
  (task.intent !== "ask" || isImperative(task.message)) && !tells.test(task.message.slice(0, 2000))

const byFindings = (facts: Facts, found: ReadonlyArray<Found>): Outcome => {
  const { prose, question } = facts.reading
  const closing = prose.closing.slice(-8)
  const blocked = isBlocked(closing)
  const listed = found.filter((one) => !isOfStuck(one))
  const standing = listed.filter(({ stands }) => stands)
  const waits = needsPerson(blocked)
  // If a check proves the work, a person is needed only if the agent is blocked. Otherwise, the agent's requests count.
  const human = !acted(facts) || blocked ? openItems(closing) : isProved(facts) ? [] : demanded(closing)
  if (human.length > 0 && standing.every(waits)) return onlyHuman(human)
  const left = unanswered(facts)
  const asks = asking(facts, standing)
  if (left?.by === "person" && asks !== "excuses") return onlyHuman([left.text])
  const resting = rests(facts, waits)
  const depends = dependent(facts, standing, resting)
  if (depends !== null && (asks !== "waits" || depends.status === "needs_human")) return depends
  if (asks === "waits") return waiting(`The agent asks the user: ${question?.text ?? "…"}`)
  const loop = stuckBy(found)
  // If the loop is only reported, a finding that causes a nudge comes first.
  if (loop !== null && (loop.nudge || !standing.some(isNudged))) return loop
  if (standing.length > 0 && asks === "no") return incomplete(facts, listed, resting)
  const gates = listed.filter(({ gate }) => gate !== undefined)
  if (gates.length > 0) return incomplete(facts, gates, resting)
  const { failedWork } = facts.evidence
  if (failedWork === null || !isToWork(facts)) return asDone(facts)
  // The task's only action failed. The record shows this, even if the agent does not report it.
  const what = failedWork.what.replaceAll("`", "'")
  return open(`Not done: \`${what}\` failed, and no later call repaired that.`, { confidence: 0.4 })
}

/** A rule that is off reports nothing. But if it would find something, the task does not count as complete. */
export const outcome = (facts: Facts, found: ReadonlyArray<Found>): Outcome => {
  const named = found.filter(({ level }) => level !== "off")
  const end = hostEnd(facts, named)
  if (end !== null) return end
  const result = byFindings(facts, named)
  if (result.status !== "complete" && result.status !== "abstained") return result
  // The record shows the failing check, even if no rule reports it.
  const untold = openGates(facts).find(({ gate }) => !named.some((one) => one.gate === gate))
  if (untold !== undefined) {
    const how = untold.result === "failed" ? describeFailure(untold) : ""
    return open(ended(`Not done: ${said(untold)}${how === "" ? "" : `: ${how}`}`), { confidence: 0.4 })
  }
  const isHeld = result.status === "complete" && found.some(({ level, stands }) => level === "off" && stands)
  return isHeld ? abstained("The evidence does not show whether the task is done.") : result
}

/** True if the record shows no change, and no call that may have made a change. */
const isIdle = (facts: Facts): boolean => !acted(facts) && !facts.evidence.opaque && facts.evidence.delegated === 0

/** True if the answer and the edits share no word with the order. Perhaps the agent did another task. */
const isBeside = ({ evidence, reading, stop, task }: Facts): boolean => {
  const paths = evidence.edits.map((edit) => edit.path.replaceAll(/[^A-Za-z]+/g, " "))
  return (
    isOrdered(task) &&
    contentWords(task.message).size > 2 &&
    stop.text.length > 60 &&
    reading.english &&
    !overlaps(`${stop.text.slice(-3500)} ${paths.join(" ").slice(0, 500)}`, task.message)
  )
}

/** If the task was not begun and the agent offers to do it at the end, returns this offer. */
const offersTheTask = (facts: Facts): string | null => {
  const { question } = facts.reading
  if ((question?.kind !== "offer" && question?.kind !== "extra") || !isOrdered(facts.task) || !isIdle(facts))
    return null
  return overlaps(question.text, facts.task.message) ? question.text : null
}

/** True if a statement is not enough: the run does not cover the change, or the check failed earlier in the task. */
const needsProof = ({ gate, run }: GateFact, { evidence, task }: Facts): boolean =>
  run !== null &&
  (run.besides !== undefined ||
    (isCheck(gate) &&
      evidence.runs.some(
        (other) =>
          other.gate === gate && other.result === "failed" && other.turn >= task.since && other.order < run.order
      )))

/** If the run completed, the agent's statement is usually enough. */
const unknown = (gate: GateFact, facts: Facts): Outcome =>
  gate.run?.completed === true &&
  !needsProof(gate, facts) &&
  facts.reading.claims.some((claim) => claim.gate === gate.gate && claim.outcome === "passed")
    ? done(0.6, `The agent reports ${gate.gate} as passed, but the record cannot prove that (${gate.detail}).`)
    : abstained(`It is unknown how ${gate.gate} went: ${gate.detail}.`)

/** If the message names a check, it may contain an order that we did not recognise. */
const unasked = ({ task: { message, text } }: Facts): string => {
  const said = `${text}\n${message}`.slice(0, 8000)
  return gateNames.some((gate) => speaksOf(said, gate)) ||
    /\b(?:pytest|vitest|jest|tsc|mypy|pyright|eslint|ruff|clippy)\b/i.test(said)
    ? "no order for a check or a delivery was found in the message"
    : "no check was asked for"
}

/** Decides by the checks that ran, even if nobody asked for them. */
const byChecks = (facts: Facts): Outcome => {
  const { gates } = facts
  if (gates.some((gate) => gate.advised))
    return done(
      0.55,
      "The agent finished what was asked. Code was changed and nothing was run since, but nobody asked for a run."
    )
  const red = gates.find((gate) => gate.result === "failed")
  if (red !== undefined) {
    const asked = red.required
      ? "and the agent reports the failure of this requested check"
      : "but nobody asked for that check, and the agent leaves it failing"
    return done(red.required ? 0.75 : 0.5, `The agent finished; ${red.gate} failed (${red.detail}), ${asked}.`)
  }
  const passed = gates.filter((gate) => gate.result === "passed").map((gate) => gate.gate)
  if (passed.length > 0) return done(0.8, `The agent finished, and ${passed.join(", ")} passed after the last edit.`)
  return acted(facts)
    ? done(0.65, `The agent finished what was asked; ${unasked(facts)} and none failed.`)
    : done(0.6, `The agent answered; ${unasked(facts)}.`)
}

/** A user's condition that no run proves. It has no command, or nobody is present and its command did not pass. */
const unprovedIn = ({ attended, doneWhen, evidence, gates, task }: Facts) =>
  task.intent !== "act" && evidence.edits.length === 0
    ? undefined
    : doneWhen.find(
        (item) =>
          item.command === null ||
          (!attended && !gates.some(({ gate, result }) => gate === DoneWhen.gateOf(item) && result === "passed"))
      )

/** The final text itself fulfils these todos. */
const toTell =
  /^(?:\w+ ){0,2}(?:summari[sz]e|report|tell|inform|explain|present|notify|reply|answer|share|give (?:a |the )?(?:summary|overview))\b/i

/** A todo about a check counts as done if the check has passed. */
const todosIn = ({ evidence, gates, stop, task }: Facts): ReadonlyArray<string> =>
  task.intent === "ask"
    ? []
    : TodosDone.undone(openTodos(stop), evidence).filter(
        (todo) => !toTell.test(todo) && !gates.some(({ gate, result }) => result === "passed" && speaksOf(todo, gate))
      )

/** True if a part of the task's work was not read. Never true for a question: its answer is in the final text. */
const isPartlyUnread = ({ evidence, task }: Facts): boolean =>
  task.intent !== "ask" &&
  (Evidence.unreadOf(evidence, task.since) !== null || (evidence.unreadAt !== undefined && isContinuation(task.text)))

/** Returns `complete`, or why the evidence does not show that the task is done. */
const asDone = (facts: Facts): Outcome => {
  const { reading, task, taskType } = facts
  const offer = offersTheTask(facts)
  if (offer !== null) return waiting(`The agent offers to do what was asked for: ${offer}`, { confidence: 0.7 })
  const required = facts.gates.filter((gate) => gate.required)
  const untold = required.find((gate) => gate.result === "unknown")
  if (untold !== undefined) return unknown(untold, facts)
  const unproved = unprovedIn(facts)
  if (unproved !== undefined)
    return abstained(
      unproved.command === null
        ? `Your condition "${oneLine(unproved.text, 120)}" is undecided: no command that ran shows whether it is true.`
        : `Your condition \`${unproved.command}\` is undecided: it is unknown whether the command passes.`
    )
  if (reading.closing === "undecided" || reading.closing === "cut_off")
    return abstained("The final text is unclear, and no evidence decides.")
  const todos = todosIn(facts)
  if (todos.length > 0)
    return abstained(
      oneLine(`The agent's own todo list is not done (${todos.length} open): ${todos.slice(0, 4).join("; ")}.`, 300),
      {
        pattern: "stopped_with_todos"
      }
    )
  if (required.length > 0 && required.every((gate) => gate.result === "passed"))
    return done(
      0.9,
      `Everything that was required is proved: ${required.map(({ gate }) => `${gate} passed`).join(", ")}.`
    )
  if (isPartlyUnread(facts)) return abstained("A part of the session was not read, and the rest does not decide.")
  if (taskType === "research") return done(0.7, "A question was asked and answered; no change was ordered.")
  if (task.intent === "act" && taskType === "coding" && task.mode !== "plan" && isIdle(facts))
    return abstained(
      "A change was asked for, but none was made: the evidence does not show whether the answer is enough."
    )
  return isBeside(facts)
    ? abstained(
        "The answer and the changes share no word with the task: the evidence does not show whether the right thing was done."
      )
    : byChecks(facts)
}
