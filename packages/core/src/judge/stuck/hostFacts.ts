/** What a quiet session is doing by what the host reports: the first fact that holds decides, whatever the text says. */
import { refusesContext } from "../loops/ContextWords.ts"
import { isHalt } from "../../session/task/Intent.ts"
import { toolKind } from "../../session/transcript/ToolKinds.ts"
import type { Pulse } from "./lastSigns.ts"
import type { Reason } from "./model.ts"
import { duration, finding, type Finding, type Known, named } from "./known.ts"

const stillRunning = (call: Pulse["open"][number], now: number | null): string => {
  const since = call.at === null || now === null ? Number.NaN : (now - Date.parse(call.at)) / 1000
  return `still running${Number.isNaN(since) ? "" : ` after ${duration(Math.max(0, since))}`}: ${named(call)}`
}

const isDialogue = (tool: string): boolean => toolKind(tool) === "question" || toolKind(tool) === "plan"

const running = ({ now, pulse }: Known, open: { readonly id: string; readonly tool: string } | undefined) => {
  const call = pulse.open.find(({ id }) => id === open?.id)
  return call === undefined ? `a tool call is still running: ${open?.tool ?? "tool"}` : stillRunning(call, now)
}

/** The notice of a kind, as the host words it. */
const told = ({ judgment }: Known, kind: string, otherwise: string): string | null => {
  const { notice } = judgment.stop
  return notice?.kind === kind ? (notice.detail ?? otherwise) : null
}

const after = (said: string, detail: string | null | undefined): string | null =>
  detail === null || detail === undefined ? null : `${said}${detail}`

/** Nothing mends it by itself, and no word to the agent would fit in. */
const full = (known: Known): string | null => {
  const refused = known.loops.find(({ pattern }) => pattern === "context_error")
  if (refused !== undefined && told(known, "api_error", "") !== null)
    return `the context window is full, and was ${refused.count} times in a row`
  const detail = told(known, "rate_limited", "") ?? told(known, "api_error", "")
  return detail !== null && refusesContext(detail) ? `the context window is full: ${detail}` : null
}

/** For some minutes, and where the host reports it as it happens, for as long as it does. */
const isRetried = ({ pulse, silence, stall }: Known): boolean => pulse.retrying || silence === null || silence < stall

type Fact = readonly [reason: Reason, confidence: number, found: (known: Known) => string | null]

const facts: ReadonlyArray<Fact> = [
  [
    "working",
    0.2,
    ({ judgment }) => (judgment.task.turn < 0 ? "no message of a user was found, so there is no task" : null)
  ],
  [
    "waiting_for_user",
    0.95,
    ({ judgment: { interrupted, stop } }) =>
      interrupted ||
      stop.notice?.kind === "aborted" ||
      stop.asked === "refused" ||
      (stop.refused !== null && !stop.spokeLast)
        ? "the user interrupted the agent"
        : null
  ],
  [
    "waiting_for_user",
    0.9,
    ({ judgment }) => (isHalt(judgment.task.message) ? "the user told the agent to stop" : null)
  ],
  [
    "waiting_for_user",
    0.5,
    ({ pulse }) =>
      pulse.last === "interrupted_call" ? "the last tool call was interrupted, and nothing followed" : null
  ],
  [
    "waiting_for_user",
    0.95,
    ({ judgment }) =>
      judgment.stop.asked === "open" ? "a question of the agent's is open in the host's own dialogue" : null
  ],
  ["working", 0.95, (known) => after("the host waits for a permission: ", told(known, "permission_asked", "a tool"))],
  [
    "working",
    0.95,
    (known) => {
      const { pending } = known.judgment.stop
      return pending.some(({ tool }) => !isDialogue(tool)) ? running(known, pending.at(-1)) : null
    }
  ],
  [
    "working",
    0.9,
    ({ now, pulse }) => {
      const call = pulse.delegated.at(-1)
      return call === undefined ? null : `of a subagent, ${stillRunning(call, now)}`
    }
  ],
  [
    "working",
    0.9,
    (known) => {
      const call = known.judgment.stop.background.at(-1)
      return call === undefined ? null : `in the background, ${running(known, call)}`
    }
  ],
  [
    "working",
    0.9,
    (known) => after("work goes on in the background: ", told(known, "background_running", "as the host says"))
  ],
  [
    "working",
    0.7,
    ({ reading }) =>
      reading().closing === "awaits"
        ? "the agent started work in the background and says that it comes back to it"
        : null
  ],
  ["working", 0.9, ({ judgment }) => (judgment.stop.queued ? "the user has queued the next message" : null)],
  ["genuinely_stuck", 0.8, full],
  [
    "working",
    0.9,
    (known) => after("the host waits for a limit to pass: ", told(known, "rate_limited", "rate limited"))
  ],
  [
    "waiting_for_user",
    0.85,
    (known) =>
      told(known, "api_error", "") !== null && known.verdict().status === "needs_human" ? known.verdict().reason : null
  ],
  [
    "working",
    0.85,
    (known) =>
      isRetried(known) ? after("a request failed and is tried again: ", told(known, "api_error", "an API error")) : null
  ]
]

/** Null where no fact of the host's decides. */
export const find = (known: Known): Finding | null => {
  for (const [reason, confidence, found] of facts) {
    const fact = found(known)
    if (fact !== null) return finding(reason, confidence, fact)
  }
  return null
}
