/** What a session is doing, by the first rule that can tell: what the host reports first, then silence, then the text. */
import type * as Judgment from "../verdict/Judgment.ts"
import { refusesContext } from "../loops/ContextWords.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import { isContinuation, isHalt, readIntent } from "../../session/task/Intent.ts"
import {
  duration,
  finding,
  type Finding,
  type Known,
  looping,
  named,
  type Rule,
  stuck,
  undecided
} from "./StuckFinding.ts"
import type { Pulse } from "./LastSigns.ts"
import * as Spoken from "./rulesForText.ts"
import { noWord } from "./model.ts"
import { toolKind } from "../../session/transcript/ToolKinds.ts"

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

const stillRunning = (call: Pulse["open"][number], now: number | null): string => {
  const since = call.at === null || now === null ? Number.NaN : (now - Date.parse(call.at)) / 1000
  return `still running${Number.isNaN(since) ? "" : ` after ${duration(Math.max(0, since))}`}: ${named(call)}`
}

const runningFor = ({ judgment, now, pulse }: Known): string => {
  const open = judgment.stop.pending.at(-1) ?? judgment.stop.background.at(-1)
  const call = pulse.open.find((one) => one.id === open?.id)
  if (call === undefined) return `a tool call is still running: ${open?.tool ?? "tool"}`
  return stillRunning(call, now)
}

const running: Rule = (known) => {
  const { pending } = known.judgment.stop
  return pending.some((call) => !isDialogue(call.tool)) ? finding("working", 0.95, runningFor(known)) : null
}

/** A subagent says nothing while it works, and its parent has nothing to say meanwhile. */
const delegated: Rule = ({ now, pulse }) => {
  const call = pulse.delegated.at(-1)
  return call === undefined ? null : finding("working", 0.9, `of a subagent, ${stillRunning(call, now)}`)
}

const isDialogue = (tool: string): boolean => toolKind(tool) === "question" || toolKind(tool) === "plan"

const background: Rule = (known) => {
  const { background: calls, notice } = known.judgment.stop
  if (calls.length > 0) return finding("working", 0.9, `in the background, ${runningFor(known)}`)
  if (known.reading().closing === "awaits" && notice?.kind !== "background_running")
    return finding("working", 0.7, "the agent started work in the background and says that it comes back to it")
  return notice?.kind === "background_running"
    ? finding("working", 0.9, `work goes on in the background: ${notice.detail ?? "as the host says"}`)
    : null
}

/** Until the host says that an answer is whole, a little more of it may come. */
const writing: Rule = ({ judgment, young }) =>
  young && judgment.stop.spokeLast && judgment.stop.completed !== true
    ? finding("working", 0.7, "the agent is writing its answer")
    : null

const queued: Rule = ({ judgment }) =>
  judgment.stop.queued ? finding("working", 0.9, "the user has queued the next message") : null

/** A limit passes by itself; a context that is full does not. */
const limited: Rule = ({ judgment }) => {
  const { notice } = judgment.stop
  if (notice?.kind !== "rate_limited") return null
  const detail = notice.detail ?? "rate limited"
  return refusesContext(detail)
    ? finding("genuinely_stuck", 0.8, `the context window is full: ${detail}`)
    : finding("working", 0.9, `the host waits for a limit to pass: ${detail}`)
}

const isRetry = /retr(?:y|ies)|back(?:ing|ed|s)?[ -]?off|again|wait|attempt/i

const span = /(\d{1,6}(?:[.,]\d{1,3})?)\s?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b/gi

const inSeconds = (amount: string, unit: string): number => {
  const value = Number(amount.replace(/,(?=\d{3}$)/, "").replace(",", "."))
  const low = unit.toLowerCase()
  if (low.startsWith("ms") || low.startsWith("milli")) return value / 1000
  return value * (low.startsWith("h") ? 3600 : low.startsWith("m") ? 60 : 1)
}

const longestDelay = 3600

/** How long the host says that it waits before it asks again, in seconds. */
const delayOf = (detail: string): number => {
  if (!isRetry.test(detail)) return 0
  const spans = [...detail.slice(0, 600).matchAll(span)].map(([, amount = "", unit = ""]) => inSeconds(amount, unit))
  return Math.min(longestDelay, Math.max(0, ...spans))
}

/**
 * A failed request is made again, for some minutes or when the host says; where the host reports it as it happens, it is.
 * Nobody tries again with an account that is refused.
 */
const failed: Rule = (known) => {
  const { judgment, pulse, silence, stall } = known
  const { notice } = judgment.stop
  if (notice?.kind !== "api_error") return null
  const detail = notice.detail ?? "an API error"
  // No word to the agent helps: it would not fit in either.
  const refused = known.loops.find(({ pattern }) => pattern === "context_error")
  if (refused !== undefined)
    return finding("genuinely_stuck", 0.8, `the context window is full, and was ${refused.count} times in a row`)
  if (refusesContext(detail)) return finding("genuinely_stuck", 0.8, `the context window is full: ${detail}`)
  const recent = silence === null || silence < stall + delayOf(detail)
  if ((pulse.retrying || recent) && known.verdict().status !== "needs_human")
    return finding("working", 0.85, `a request failed and is tried again: ${detail}`)
  const asked = StopSignal.read({ ...judgment.stop, notice: null }).question
  // The next attempt is long overdue.
  if (known.verdict().status === "working")
    return stuck(
      0.8,
      {
        fact: "The model's service failed in the middle of your work.",
        action: "Look at what is done so far and go on where you stopped."
      },
      `a request failed, and was not made again: ${detail}`
    )
  return asked === null || pulse.owes
    ? Spoken.judged(known)
    : finding("waiting_for_user", 0.75, `the agent asks the user: ${asked.text}`)
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

/** Who reads a lot may be about to begin, and takes its time over it; who is silent for long is told in any case. */
const caught = (known: Known): Finding | null => {
  const { loops, silence, stall } = known
  const [loop] = loops
  const isDue = silence === null || silence >= stall
  return loop === undefined || (loop.pattern === "planning" && !isDue) ? null : looping(loop, known, isDue)
}

/** Seconds that a host waits for the first half word of an answer that it has begun. */
export const firstWord = 60

const maxUnread = 60

/** A short word into the work that orders nothing that could be read may as well have stopped it. */
const isUnread = ({ judgment, pulse }: Known): boolean => {
  const { message, text, turn } = judgment.task
  if (pulse.last !== "user" || (turn <= 0 && message === text)) return false
  const said = message === text || !message.startsWith(text) ? message : message.slice(text.length).trim()
  return said.length <= maxUnread && !isContinuation(said) && readIntent(said).intent === "unknown"
}

/** The agent has the next word: it may still think about it, and at some point it does not any more. */
const owing: Rule = (known) => {
  const { pulse, silence, stall } = known
  if (!pulse.owes) return null
  const loop = caught(known)
  if (loop !== null) return loop
  if (silence === null) return finding("working", 0.4, "the record ends before the agent's next word, and has no times")
  const quiet = `${noWord} ${duration(silence)} since ${heard[pulse.last]}`
  const limit = pulse.begun ? Math.min(stall, firstWord) : stall
  if (silence < limit) return finding("working", 0.7, quiet, ...failureOf(pulse))
  if (pulse.last === "unknown_call")
    return finding("working", 0.5, "the last tool call was issued, and the record does not say how it ended", quiet)
  if (isUnread(known)) return undecided("the user's last message orders nothing that could be read", quiet)
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

const settled: ReadonlySet<string> = new Set(["complete", "waiting_for_user", "needs_human", "working", "aborted"])

/** Whoever says the same again and again does not need to hear that a step or an end is missing. */
const monologue: Rule = (known) => {
  const loop = known.loops.find(({ pattern }) => pattern === "monologue")
  const { completed, spokeLast } = known.judgment.stop
  if (loop === undefined || !spokeLast) return null
  if (completed !== false && settled.has(known.verdict().status)) return null
  return looping(loop, known)
}

const rules: ReadonlyArray<Rule> = [
  noTask,
  stopped,
  dialogue,
  permission,
  running,
  delegated,
  background,
  queued,
  limited,
  failed,
  owing,
  woken,
  Spoken.asks,
  monologue,
  writing,
  Spoken.cutOff,
  Spoken.unhandled,
  Spoken.judged
]

const first = (known: Known): Finding => {
  for (const rule of rules) {
    const found = rule(known)
    if (found !== null) return found
  }
  return undecided("nothing can be told")
}

/** After a refusal, and nothing done since, no stop is by mistake: whoever refused has the next word. */
export const find = (known: Known): Finding => {
  const found = first(known)
  const { refused } = known.judgment.stop
  return refused === null || (found.decided && found.reason !== "genuinely_stuck")
    ? found
    : finding("waiting_for_user", 0.8, `the user refused a call, and nothing was done since: ${refused}`)
}
