/** Says why a session is quiet, as the host reports it. The first report that applies decides, not the agent's text. */
import { matchesAny } from "../../base/text/Text.ts"
import { isHalt } from "../../session/task/Intent.ts"
import { toolKind } from "../../session/transcript/ToolKinds.ts"
import type { Pulse } from "./LastSigns.ts"
import type { Reason } from "./model.ts"
import { duration, finding, type Finding, type StuckFacts, named } from "./known.ts"

const stillRunning = (call: Pulse["open"][number], now: number | null): string => {
  const since = call.at === null || now === null ? Number.NaN : (now - Date.parse(call.at)) / 1000
  return `still running${Number.isNaN(since) ? "" : ` after ${duration(Math.max(0, since))}`}: ${named(call)}`
}

const isDialogue = (tool: string): boolean => toolKind(tool) === "question" || toolKind(tool) === "plan"

const fullContext: ReadonlyArray<RegExp> = [
  /context[_ ](?:window|length|limit)|maximum context|out of (?:room|space) in .{0,40}context/i,
  /(?:prompt|input|request|conversation) is too long|maximum (?:prompt|input|number of tokens)|reduce the length of/i,
  /too many (?:input )?tokens|token (?:limit|count) .{0,40}exceed|exceeds? .{0,60}(?:token|context)/i
]

type Fact = readonly [reason: Reason, confidence: number, fact: string | false | undefined]

const factsOf = (known: StuckFacts): ReadonlyArray<Fact> => {
  const { judgment, now, pulse, silence, stall } = known
  const { interrupted, stop, task } = judgment
  const kind = stop.notice?.kind
  const detail = stop.notice?.detail
  const running = (open: (typeof stop.pending)[number]): string => {
    const call = pulse.open.find(({ id }) => id === open.id)
    return call === undefined ? `a tool call is still running: ${open.tool ?? "tool"}` : stillRunning(call, now)
  }
  const isAborted = interrupted || kind === "aborted" || stop.asked === "refused"
  const pending = stop.pending.some(({ tool }) => !isDialogue(tool)) ? stop.pending.at(-1) : undefined
  const [background, delegated] = [stop.background.at(-1), pulse.delegated.at(-1)]
  const isFailed = kind === "api_error"
  const isFull = (kind === "rate_limited" || isFailed) && matchesAny(fullContext, (detail ?? "").slice(0, 500))
  const isRetried = isFailed && (pulse.retrying || silence === null || silence < stall)
  const [stuck, waits, works] = ["genuinely_stuck", "waiting_for_user", "working"] as const
  return [
    [works, 0.2, task.turn < 0 && "no message of a user was found, so there is no task"],
    [waits, 0.95, (isAborted || (stop.refused !== null && !stop.spokeLast)) && "the user interrupted the agent"],
    [waits, 0.9, isHalt(task.message) && "the user told the agent to stop"],
    [waits, 0.5, pulse.last === "interrupted_call" && "the last tool call was interrupted, and nothing followed"],
    [waits, 0.95, stop.asked === "open" && "a question from the agent is open in the host's own dialogue"],
    [works, 0.95, kind === "permission_asked" && `the host waits for a permission: ${detail ?? "a tool"}`],
    [works, 0.95, pending && running(pending)],
    [works, 0.9, delegated && `of a subagent, ${stillRunning(delegated, now)}`],
    [works, 0.9, background && `in the background, ${running(background)}`],
    [works, 0.9, kind === "background_running" && `work goes on in the background: ${detail ?? "as the host says"}`],
    [works, 0.9, stop.queued && "the user has queued the next message"],
    // The agent's context is full, so a message to the agent would not fit.
    [stuck, 0.8, isFull && `the context window is full: ${detail}`],
    [works, 0.9, kind === "rate_limited" && `the host waits for a limit to pass: ${detail ?? "rate limited"}`],
    [waits, 0.85, isFailed && known.verdict().status === "needs_human" && known.verdict().reason],
    [works, 0.85, isRetried && `a request failed and is tried again: ${detail ?? "an API error"}`]
  ]
}

export const find = (known: StuckFacts): Finding | null => {
  const [found] = factsOf(known).flatMap(([reason, confidence, fact]) =>
    fact === false || fact === undefined ? [] : [finding(reason, confidence, [fact])]
  )
  return found ?? null
}
