/** Assesses a quiet session: first by the host's facts, then by silence, then by the verdict. */
import { redact } from "../../base/redaction/Redaction.ts"
import { oneLine } from "../../base/text/Text.ts"
import { isContinuation, readIntent } from "../../session/task/Intent.ts"
import { isSubagent } from "../../session/transcript/NeutralTranscript.ts"
import * as Loops from "../loops/Loops.ts"
import { lasting } from "../loops/RequestedRepeats.ts"
import * as Feedback from "../verdict/Feedback.ts"
import * as Judgment from "../verdict/Judgment.ts"
import { mapTexts, ofRule } from "../verdict/Missing.ts"
import type { Verdict } from "../verdict/Verdict.ts"
import * as HostFacts from "./hostFacts.ts"
import { duration, finding, type Finding, isPlanMode, know, type StuckFacts, named } from "./known.ts"
import type { Pulse } from "./LastSigns.ts"
import { type Assessment, type AssessOptions, noWord, type Reason, type Say, type StuckState } from "./model.ts"

/** The agent is told if the loop's rule has the level `nudge`, or if `isDue` is true. */
const looping = (seen: Loops.Loop, known: StuckFacts, isDue = false): Finding => {
  const found = known.foundLoop(seen)
  const calls = seen.calls.length === 0 ? "" : ` of ${seen.calls.map(named).join(", ")}`
  const fact = `${seen.pattern.replace("_", " ")} loop, ${seen.count} rounds${calls}`
  const say = isDue || found.level === "nudge" ? "loop" : null
  return finding("genuinely_stuck", 0.8, [fact], { say, loop: { seen, found } })
}

const lastCall = "its last tool call"

const heard: Readonly<Record<Pulse["last"], string>> = {
  nobody: "the session began",
  user: "the user's message",
  feedback: "the nudge",
  harness: "the host's message",
  agent: "its last word",
  call: lastCall,
  unknown_call: lastCall,
  interrupted_call: lastCall
}

/** The limit in seconds for the first text of an answer that the host has begun. */
const firstWord = 60

/** True for a short later message of the user without a recognised order. It may have told the agent to stop. */
const isUnread = ({ judgment: { task }, pulse }: StuckFacts): boolean =>
  pulse.last === "user" &&
  task.turn > 0 &&
  task.message.length <= 60 &&
  !isContinuation(task.message) &&
  readIntent(task.message).intent === "unknown"

/** Used if the agent must speak next. The agent may be thinking, but not for longer than the limit. */
const owing = (known: StuckFacts): Finding | null => {
  const { judgment, pulse, silence, stall } = known
  const isDue = silence === null || silence >= stall
  // A message from the harness may wake an idle agent. If the agent stays idle, its last message decides.
  if (!pulse.owes)
    return pulse.last === "harness" && (silence === null || silence < stall)
      ? finding("working", 0.6, ["the host has just told the agent something"])
      : null
  const [loop] = known.loops
  if (loop !== undefined && (isDue || loop.pattern !== "planning")) return looping(loop, known, isDue)
  if (silence === null)
    return finding("working", 0.4, ["the record ends before the agent's next message, and has no times"])
  const quiet = `${noWord} ${duration(silence)} since ${heard[pulse.last]}`
  const isService = judgment.stop.notice?.kind === "api_error"
  const failed = pulse.last === "call" ? pulse.failed : null
  const facts = failed === null ? [quiet] : [quiet, `the last tool call failed: ${named(failed)}`]
  if (silence < (pulse.begun ? Math.min(stall, firstWord) : stall)) return finding("working", 0.7, facts)
  if (pulse.last === "unknown_call")
    return finding("working", 0.5, ["the last tool call was issued, and the record does not say how it ended", quiet])
  if (isService && known.verdict().status !== "working") return judged(known)
  if (isUnread(known))
    return finding("working", 0.3, ["no order was recognised in the user's last message", quiet], {
      decided: false
    })
  const action =
    failed === null
      ? "Continue the task where you stopped."
      : "Read the error of the last call, fix its cause or try another way, then continue the task."
  const say: Say = isService
    ? {
        fact: "The model's service failed in the middle of your work.",
        action: "Check what is done so far and continue where you stopped."
      }
    : {
        fact: `You have said and done nothing for ${duration(silence)} since ${heard[pulse.last].replace("its", "your")}.`,
        action
      }
  return finding("genuinely_stuck", 0.8, facts, { say })
}

export const cutOff: Say = {
  fact: "Your last message was cut off.",
  action: "Continue where the message was cut off."
}

const reasons: Readonly<Record<Verdict["status"], Reason>> = {
  complete: "complete",
  incomplete: "genuinely_stuck",
  stuck: "genuinely_stuck",
  waiting_for_user: "waiting_for_user",
  needs_human: "waiting_for_user",
  aborted: "waiting_for_user",
  working: "working",
  abstained: "working"
}

const isProven = ({ complete, confidence }: Verdict): boolean => complete && confidence >= 0.8

/** Used if nothing is running and the agent need not speak. If only the agent says it is done, a model may decide. */
const judged = (known: StuckFacts): Finding => {
  const verdict = known.verdict()
  const isOpen = verdict.status === "abstained" || known.isOnlyTold()
  if (isOpen && known.reading().dependsOn !== null)
    return finding("waiting_for_user", 0.7, ["the agent needs something from the user"])
  const reason = reasons[verdict.status]
  const isSaidAgain = reason === "genuinely_stuck" || known.judgment.stop.completed === false
  const loop = lasting(known.loops).find(({ pattern }) => isOpen || (isSaidAgain && pattern === "monologue"))
  if (loop !== undefined) return looping(loop, known)
  if (isOpen) return finding("working", 0.3, [verdict.reason], { decided: false })
  const { evidence, task } = known.judgment
  return finding(reason, verdict.confidence, [verdict.reason], {
    decided: !verdict.complete || isProven(verdict) || task.intent !== "act" || evidence.calls === 0,
    say: reason === "genuinely_stuck" ? "verdict" : null
  })
}

/** Used if the agent spoke last. If its message is cut off, the content of the message does not count. */
const spoken = (known: StuckFacts): Finding => {
  const { completed, spokeLast } = known.judgment.stop
  const { closing, dependsOn, question } = known.reading()
  if (known.young && spokeLast && completed !== true)
    return finding("working", 0.7, ["the agent is writing its answer"])
  const isTorn = closing === "cut_off" && question === null && dependsOn === null && completed !== false
  const torn = ["the last message breaks off, and nothing came after it"]
  return isTorn && !isProven(known.verdict())
    ? finding("genuinely_stuck", 0.7, torn, { say: cutOff, decided: false })
    : judged(known)
}

/** If the user refused a call and the agent did nothing after it, the user must speak next. */
const find = (known: StuckFacts): Finding => {
  const found = HostFacts.find(known) ?? owing(known) ?? spoken(known)
  const { refused } = known.judgment.stop
  return refused === null || (found.decided && found.reason !== "genuinely_stuck")
    ? found
    : finding("waiting_for_user", 0.8, [`the user refused a call, and nothing was done since: ${refused}`])
}

interface Seen {
  readonly known: StuckFacts
  readonly options: AssessOptions
  readonly attempt: number
  /** Why the agent gets no nudge now, even if it is stuck. Null if a nudge is allowed. */
  readonly refused: string | null
}

export interface Look extends Seen {
  readonly found: Finding
  readonly assessment: Assessment
}

const refusal = ({ attempt, known, options }: Omit<Seen, "refused">): string | null => {
  const { config } = options.context
  const { interrupted, nudges, stop } = known.judgment
  if (known.silence === null) return "the record has no times, so it is unknown how long the agent has been silent"
  if (known.silence < config.stuck.silence) return `silent for less than ${config.stuck.silence} s`
  if (config.profile === "advisory") return "the profile is advisory"
  if (isPlanMode(known.judgment, options)) return "plan mode"
  if (isSubagent(options.session)) return "a subagent answers to its parent"
  if (interrupted || stop.queued) return "it is the user's turn"
  if (attempt > config.maxAttempts) return `nudged ${attempt - 1} times already`
  const hasMoved = nudges.mark !== null && nudges.mark !== Judgment.mark(known.judgment, options.context)
  return nudges.count === 0 || hasMoved
    ? null
    : "nudged before, and since then no required check ran and nothing relevant was edited"
}

const textOf = ({ attempt, known, options }: Seen, { loop, say }: Finding): string | null => {
  if (say === null) return null
  if (say === "verdict") return known.verdict().feedback
  const { fact, action } = say === "loop" ? { fact: "", action: "" } : say
  const { maxAttempts } = options.context.config
  const text = Feedback.render({ facts: [fact], actions: [action], human: [], attempt, maxAttempts })
  if (say !== "loop") return text
  if (loop === undefined) return null
  // The loop's title comes first. Our marker follows directly, because other code searches for it there.
  const [head = "", ...body] = Loops.feedback(loop.seen).split("\n")
  return [head, text.split("\n", 1)[0], body.join("\n").trim()].join("\n\n").slice(0, Feedback.maxLength)
}

const unsaid = ({ loop, say }: Finding): string => {
  if (loop !== undefined) return `${loop.found.rule.id} has at most the level ${loop.found.level} here`
  return say === "verdict" ? "the agent can do nothing now about what is missing" : "a nudge would not help the agent"
}

const maxFacts = 8

const factsOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(texts.map((text) => oneLine(redact(text), 300)))].filter((text) => text !== "").slice(0, maxFacts)

export const conclude = (seen: Seen, found: Finding, source: Assessment["source"]): Assessment => {
  const { known, options, refused } = seen
  const isStuck = found.reason === "genuinely_stuck"
  const nudge = isStuck && refused === null ? textOf(seen, found) : null
  const isOver = known.judgment.stop.spokeLast && (found.reason === "complete" || found.reason === "waiting_for_user")
  const why = isStuck && nudge === null ? [`not nudged: ${refused ?? unsaid(found)}`] : []
  return {
    version: 1,
    host: options.session.host,
    sessionId: options.session.sessionId,
    stuck: isStuck,
    reason: found.reason,
    shouldNudge: nudge !== null,
    confidence: found.confidence,
    evidence: factsOf([...found.facts, ...why]),
    loops: isOver ? lasting(known.loops) : known.loops,
    ...(isStuck && found.loop !== undefined && { finding: mapTexts(ofRule(found.loop.found), redact) }),
    nudge,
    silence: known.silence,
    source
  }
}

export const look = (state: StuckState, options: AssessOptions): Look => {
  const attempt = Math.max(options.attempt ?? 1, state.judgment.nudges.count + 1)
  const known = know(state, options, attempt)
  const seen = { known, options, attempt, refused: refusal({ known, options, attempt }) }
  const found = find(known)
  return { ...seen, found, assessment: conclude(seen, found, "evidence") }
}
