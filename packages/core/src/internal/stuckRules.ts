/** What a session is doing, by the first rule that can tell. */
import type * as Judgment from "../Judgment.ts"
import type { Loop } from "../Loops.ts"
import * as StopSignal from "../StopSignal.ts"

import type { Verdict } from "../Verdict.ts"
import type { Prose } from "./prose.ts"
import type { Pulse } from "./stuckPulse.ts"
import type { Reason } from "../StuckAssessment.ts"
import * as Text from "./stuckText.ts"
import { toolKind } from "./tools.ts"
import { isHalt } from "./withdrawals.ts"

/** All that the rules go by. `silence` in seconds; what costs something is asked for only where it counts. */
export interface Known {
  readonly judgment: Judgment.JudgmentState
  readonly pulse: Pulse
  readonly loops: ReadonlyArray<Loop>
  readonly silence: number | null
  readonly now: number | null
  readonly stall: number
  readonly reading: () => StopSignal.Reading
  readonly prose: () => Prose
  readonly verdict: () => Verdict
}

/** What to tell the agent: what the verdict says, or words of our own. */
export interface Say {
  readonly fact: string
  readonly action: string
}

export interface Finding {
  readonly reason: Reason
  readonly confidence: number
  readonly facts: ReadonlyArray<string>
  /** False where evidence is not enough: a model may know better. */
  readonly decided: boolean
  readonly say: Say | "verdict" | "loop" | null
}

type Rule = (known: Known) => Finding | null

const finding = (reason: Reason, confidence: number, ...facts: ReadonlyArray<string>): Finding => ({
  reason,
  confidence,
  facts,
  decided: true,
  say: null
})

const stuck = (confidence: number, say: Say, ...facts: ReadonlyArray<string>): Finding => ({
  ...finding("genuinely_stuck", confidence, ...facts),
  say
})

const undecided = (...facts: ReadonlyArray<string>): Finding => ({
  ...finding("working", 0.3, ...facts),
  decided: false
})

/** A span of time as a person would say it. */
export const duration = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}

const noTask: Rule = ({ judgment }) =>
  judgment.task.turn < 0 ? finding("working", 0.2, "no message of a user was found, so there is no task") : null

/** The user pressed Escape, or refused what the agent was about to do. */
const isAborted = ({ interrupted, stop }: Judgment.JudgmentState): boolean =>
  interrupted ||
  stop.notice?.kind === "aborted" ||
  stop.asked === "refused" ||
  (stop.refused !== null && !stop.spokeLast)

/** Whoever was stopped waits for the user, whatever is left to do. */
const stopped: Rule = ({ judgment, pulse }) => {
  if (isAborted(judgment)) return finding("waiting_for_user", 0.95, "the user interrupted the agent")
  if (isHalt(judgment.task.message)) return finding("waiting_for_user", 0.9, "the user told the agent to stop")
  return pulse.last === "interrupted_call"
    ? finding("waiting_for_user", 0.5, "the last tool call was interrupted, and nothing followed")
    : null
}

const dialogue: Rule = ({ judgment }) =>
  judgment.stop.asked === "open"
    ? finding("waiting_for_user", 0.95, "a question of the agent's is open in the host's own dialogue")
    : null

const permission: Rule = ({ judgment }) =>
  judgment.stop.notice?.kind === "permission_asked"
    ? finding("working", 0.95, `the host waits for a permission: ${judgment.stop.notice.detail ?? "a tool"}`)
    : null

const named = (call: { readonly tool: string; readonly summary: string }): string =>
  call.summary === "" ? call.tool : `${call.tool}: ${call.summary}`

const runningFor = ({ judgment, now, pulse }: Known): string => {
  const open = judgment.stop.pending.at(-1) ?? judgment.stop.background.at(-1)
  const call = pulse.open.find((one) => one.id === open?.id)
  if (call === undefined) return `a tool call is still running: ${open?.tool ?? "tool"}`
  const since = call.at === null || now === null ? Number.NaN : (now - Date.parse(call.at)) / 1000
  return `still running${Number.isNaN(since) ? "" : ` after ${duration(Math.max(0, since))}`}: ${named(call)}`
}

const running: Rule = (known) => {
  const { pending } = known.judgment.stop
  return pending.some((call) => !isDialogue(call.tool)) ? finding("working", 0.95, runningFor(known)) : null
}

const isDialogue = (tool: string): boolean => toolKind(tool) === "question" || toolKind(tool) === "plan"

const background: Rule = (known) => {
  const { background: calls, notice } = known.judgment.stop
  if (calls.length > 0) return finding("working", 0.9, `in the background, ${runningFor(known)}`)
  return notice?.kind === "background_running"
    ? finding("working", 0.9, `work goes on in the background: ${notice.detail ?? "as the host says"}`)
    : null
}

const queued: Rule = ({ judgment }) =>
  judgment.stop.queued ? finding("working", 0.9, "the user has queued the next message") : null

const isContextFull = /context (?:window|length)|prompt is too long|too many tokens|maximum context/i

/** A limit passes by itself; a context that is full does not. */
const limited: Rule = ({ judgment }) => {
  const { notice } = judgment.stop
  if (notice?.kind !== "rate_limited") return null
  const detail = notice.detail ?? "rate limited"
  return isContextFull.test(detail)
    ? finding("genuinely_stuck", 0.8, `the context window is full: ${detail}`)
    : finding("working", 0.9, `the host waits for a limit to pass: ${detail}`)
}

/**
 * A failed request is made again, for some minutes; where the host reports it as it happens, it is. Nobody tries again
 * with an account that is refused.
 */
const failed: Rule = (known) => {
  const { judgment, pulse, silence, stall } = known
  const { notice } = judgment.stop
  if (notice?.kind !== "api_error") return null
  // No word to the agent helps: it would not fit in either.
  const refused = known.loops.find(({ pattern }) => pattern === "context_error")
  if (refused !== undefined)
    return finding("genuinely_stuck", 0.8, `the context window is full, and was ${refused.count} times in a row`)
  const recent = silence === null || silence < stall
  if ((pulse.retrying || recent) && known.verdict().status !== "needs_human")
    return finding("working", 0.85, `a request failed and is tried again: ${notice.detail ?? "an API error"}`)
  const asked = StopSignal.read({ ...judgment.stop, notice: null }).question
  return asked === null || pulse.owes
    ? judged(known)
    : finding("waiting_for_user", 0.75, `the agent asks the user: ${asked.text}`)
}

const looping = ({ loops }: Known): Finding => {
  const [loop] = loops
  const calls = loop?.calls.map(named).join(", ") ?? ""
  return {
    ...finding(
      "genuinely_stuck",
      0.8,
      `${loop?.pattern.replace("_", " ") ?? "a"} loop, ${loop?.count ?? 0} rounds${calls === "" ? "" : ` of ${calls}`}`
    ),
    say: "loop"
  }
}

const heard: Readonly<Record<Pulse["last"], string>> = {
  nobody: "the session began",
  user: "the user's message",
  feedback: "the reminder",
  harness: "the host's message",
  agent: "its last word",
  call: "its last tool call",
  unknown_call: "its last tool call",
  interrupted_call: "its last tool call"
}

const failureOf = ({ failed, last }: Pulse): ReadonlyArray<string> =>
  failed !== null && last === "call" ? [`the last tool call failed: ${named(failed)}`] : []

/** Who reads a lot may be about to begin, and takes its time over it. */
const isCaught = ({ loops, silence, stall }: Known): boolean => {
  const [loop] = loops
  return loop !== undefined && (loop.pattern !== "planning" || silence === null || silence >= stall)
}

/** Seconds that a host waits for the first half word of an answer that it has begun. */
const firstWord = 60

/** The agent has the next word: it may still think about it, and at some point it does not any more. */
const owing: Rule = (known) => {
  const { pulse, silence, stall } = known
  if (!pulse.owes) return null
  if (isCaught(known)) return looping(known)
  if (silence === null) return finding("working", 0.4, "the record ends before the agent's next word, and has no times")
  const quiet = `no word of the agent for ${duration(silence)} since ${heard[pulse.last]}`
  const limit = pulse.begun ? Math.min(stall, firstWord) : stall
  if (silence < limit) return finding("working", 0.7, quiet, ...failureOf(pulse))
  if (pulse.last === "unknown_call")
    return finding("working", 0.5, "the last tool call was issued, and the record does not say how it ended", quiet)
  const failure = failureOf(pulse)
  return stuck(
    0.8,
    {
      fact: `You have said and done nothing for ${duration(silence)} since ${heard[pulse.last].replace("its", "your")}.`,
      action:
        failure.length > 0
          ? "Read the error of the last call, mend its cause or try another way, and go on with the task."
          : "Go on with the task where you stopped."
    },
    quiet,
    ...failure
  )
}

/** What the harness told an agent at rest may wake it; if it does not, its last word stands. */
const woken: Rule = ({ pulse, silence, stall }) =>
  pulse.last === "harness" && (silence === null || silence < stall)
    ? finding("working", 0.6, "the host has just told the agent something")
    : null

/** An offer is no question: whether it only seeks leave for what was ordered is the judge's to say. */
const open: ReadonlySet<string> = new Set(["choice", "information", "risk"])

/**
 * What only the user can answer, whatever is left to do. A text that is cut off asks if it ends with a whole sentence.
 */
const asks: Rule = ({ judgment, reading }) => {
  const { completed, spokeLast, text } = judgment.stop
  if (!spokeLast || (completed === false && !/[.!?。！？]["')\]*\s]{0,4}$/.test(text))) return null
  const { question } = reading()
  const counts = question !== null && (completed === false || open.has(question.kind))
  return counts ? finding("waiting_for_user", 0.8, `the agent asks the user: ${question.text}`) : null
}

/** The text leaves the next word to the user, be it in passing: whatever else it has, it is no stop by mistake. */
const isLeftToUser = ({ reading }: Known): boolean => reading().question !== null || reading().yields

const produced = ({ outputTokens }: Pulse): string => (outputTokens === null ? "" : ` after ${outputTokens} tokens`)

const rest: Say = { fact: "Your last message was cut off.", action: "Go on from where the message was cut off." }

const cutOff: Rule = (known) => {
  const { judgment, prose, pulse, verdict } = known
  const { completed, spokeLast } = judgment.stop
  if (!spokeLast || completed === true || isLeftToUser(known)) return null
  const cut = `the last message breaks off${produced(pulse)}`
  if (Text.breaksOff(prose())) return { ...stuck(0.85, rest, cut), say: verdict().shouldContinue ? "verdict" : rest }
  return null
}

const announced: Say = {
  fact: "You announced a next step and stopped before taking it.",
  action: "Take the step that you announced."
}

const isProven = (verdict: Verdict): boolean => verdict.complete && verdict.confidence >= 0.8

/** Steps of its own that the agent names at the end of its text, as if somebody else took them. */
const announcedSteps: Rule = (known) => {
  const { judgment, prose, verdict } = known
  const { task, stop } = judgment
  if (!stop.spokeLast || task.intent === "ask" || task.intent === "discuss" || isLeftToUser(known)) return null
  const steps = Text.nextSteps(prose())
  if (steps === null || steps.own.length === 0 || isProven(verdict())) return null
  const asked = Text.askedFor(steps.own, `${task.text} ${task.message}`)
  const first = asked[0] ?? steps.own[0] ?? ""
  // Who looked into something and changed nothing says what others could do.
  const answered = verdict().complete && judgment.evidence.edits.length === 0
  if (answered && asked.length === 0) return null
  if (answered || Text.claimsDone(prose()) || steps.others >= steps.own.length)
    return undecided(`the text calls the work done and names further steps: ${first}`)
  const say: Say = {
    fact: `You named next steps and took none of them: ${steps.own.slice(0, 3).join("; ")}.`,
    action: `Take the steps that you named, beginning with: ${first}`
  }
  return stuck(asked.length > 0 ? 0.8 : 0.7, say, `next steps are announced and none was taken: ${first}`)
}

/** A step of its own that the agent announces in passing at the end of its text. */
const announcedWithin: Rule = (known) => {
  const { judgment, prose, verdict } = known
  const { stop, task } = judgment
  if (!stop.spokeLast || task.intent === "ask" || task.intent === "discuss" || isLeftToUser(known)) return null
  if (!Text.announcesWithin(prose()) || isProven(verdict())) return null
  return stuck(0.7, announced, "the last sentence announces a step, and none was taken")
}

/** What was to change something failed, nothing was done after it, and the text has no word for it. */
const unhandled: Rule = (known) => {
  const { judgment, prose, pulse } = known
  if (!judgment.stop.spokeLast || pulse.failed === null || !pulse.failedToAct || isLeftToUser(known)) return null
  if (!known.reading().english || Text.speaksOfFailure(prose())) return null
  return stuck(
    0.75,
    {
      fact: `Your last call failed, and you stopped as if it had not: ${named(pulse.failed)}.`,
      action: "Read its error, mend what causes it or try another way; or say that it failed and why you leave it so."
    },
    `the last tool call failed, and the text does not speak of it: ${named(pulse.failed)}`
  )
}

/** A change was ordered, and a plan is all that came of it. */
const onlyPlanned: Rule = (known) => {
  const { judgment, prose } = known
  const { evidence, stop, task } = judgment
  const idle = evidence.actions === 0 && evidence.edits.length === 0 && evidence.delegated === 0 && !evidence.opaque
  if (!stop.spokeLast || task.intent !== "act" || !idle || isLeftToUser(known)) return null
  if (!Text.isPlan(prose())) return null
  return stuck(
    0.75,
    {
      fact: "You wrote a plan and took no step of it.",
      action: "Carry the plan out now, beginning with its first step."
    },
    "a change was asked for, and all that is on record is a plan"
  )
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

/** The judge cannot tell: perhaps a loop can, or that the text waits for an act of the user's. */
const unsettled = (known: Known, verdict: Verdict): Finding => {
  if (Text.needsUser(known.prose())) return finding("waiting_for_user", 0.7, "the agent needs something of the user's")
  return known.loops.length > 0 ? looping(known) : undecided(verdict.reason)
}

/** Nothing else runs or is owed: what the judge says of the stop. */
const judged: Rule = (known) => {
  const verdict = known.verdict()
  if (verdict.status === "abstained") return unsettled(known, verdict)
  const base = finding(reasons[verdict.status], verdict.confidence, verdict.reason)
  return base.reason === "genuinely_stuck" ? { ...base, say: "verdict" } : doubted(known, base, verdict)
}

/** What the judge takes for an end, where something else speaks against it. */
const doubted = ({ judgment, prose }: Known, base: Finding, verdict: Verdict): Finding => {
  if (base.reason !== "complete" || isProven(verdict)) return base
  const { completed, spokeLast } = judgment.stop
  if (!spokeLast) return base
  if (Text.breaksOff(prose()) || (completed === null && Text.lacksEnd(prose())))
    return undecided("the last message may be cut off", verdict.reason)
  return base
}

const rules: ReadonlyArray<Rule> = [
  noTask,
  stopped,
  dialogue,
  permission,
  running,
  background,
  queued,
  limited,
  failed,
  owing,
  woken,
  asks,
  cutOff,
  announcedSteps,
  announcedWithin,
  unhandled,
  onlyPlanned,
  judged
]

export const find = (known: Known): Finding => {
  for (const rule of rules) {
    const found = rule(known)
    if (found !== null) return found
  }
  return undecided("nothing can be told")
}
