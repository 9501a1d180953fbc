/** Finds the loops of a session: repeated calls or messages that bring nothing new. */
import * as KeyHash from "../../base/system/KeyHash.ts"
import { append, momentOf } from "../../base/json/Json.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { oneLine } from "../../base/text/Text.ts"
import type { Loop } from "../../session/facts/Loop.ts"
import { isGenuine } from "../../session/task/TaskContext.ts"
import type { AssistantMessage, ToolCall, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import * as Calls from "./calls.ts"

export type { Loop } from "../../session/facts/Loop.ts"

export { feedback, nextOf, toldOf } from "./advice.ts"
export { summaryOf } from "./calls.ts"

interface Entry {
  readonly id: string | null
  /** A fingerprint of the tool and its input. */
  readonly key: number
  /** A fingerprint of the result. Null if the result is unknown. */
  readonly result: number | null
  /** A fingerprint of the result without its numbers. */
  readonly shape: number
  readonly failed: boolean
  readonly kind: Calls.Kind
  readonly tool: string
  readonly summary: string
}

/** Its size is bounded, no matter how long the session is. */
export interface Loops {
  /** Oldest first. */
  readonly recent: ReadonlyArray<Entry>
  /** When the last call ended, in milliseconds since the epoch. Null if unknown. */
  readonly ended: number | null
  /** The last message since the last call, and how often it was said in a row. */
  readonly said: { readonly id: string | null; readonly text: string; readonly count: number }
}

export const initial: Loops = { recent: [], ended: null, said: { id: null, text: "", count: 0 } }

const maxRecent = 64

/** In ms. An agent that pauses this long before a call is waiting for something. */
const minIdle = 20_000

/**
 * A `work` call counts as a wait if a different waiting call came just before. It also counts as a wait after a pause,
 * unless it failed: a program that crashes at every start is not waiting. A `work` or `act` call that is still running
 * is a wait too. A check is never a wait, because it shows the agent's own work.
 */
const kindOf = ({ ended, recent }: Loops, call: ToolCall, key: number): Calls.Kind => {
  const kind = Calls.kindOf(call)
  const [before, begun] = [recent.at(-1), momentOf(call.at)]
  const isAfterWait = before?.kind === "wait" && before.key !== key
  const isSpaced = !Calls.hasFailed(call) && begun !== null && ended !== null && begun - ended >= minIdle
  if (kind === "work" && (isAfterWait || isSpaced)) return "wait"
  return (kind === "work" || kind === "act") && Calls.isUnderWay(call) ? "wait" : kind
}

const onCall = (state: Loops, call: ToolCall): Loops => {
  if (call.agentId !== null || ["pending", "running", "interrupted"].includes(call.status ?? "")) return state
  const { recent } = state
  const id = call.id === null ? null : call.id.slice(0, 100)
  const key = Calls.keyOf(call)
  // A host may report the end of a call more than once.
  if (id !== null && recent.some((other) => other.id === id && other.key === key)) return state
  const failed = Calls.hasFailed(call)
  const entry: Entry = {
    id,
    key,
    ...Calls.resultsOf(call),
    failed,
    kind: kindOf(state, call, key),
    tool: oneLine(redact(call.tool.slice(0, 200)), 60),
    summary: failed || recent.some((other) => other.key === key) ? Calls.summaryOf(call) : ""
  }
  return {
    ...initial,
    recent: append(recent, entry, maxRecent),
    ended: momentOf(call.endedAt) ?? momentOf(call.at)
  }
}

const onMessage = (state: Loops, { id, text }: AssistantMessage): Loops => {
  const words = text.trim().replace(/\s{1,200}/g, " ")
  const print = `${KeyHash.ofText(words)} ${oneLine(redact(words.slice(0, 1000)), 120)}`
  const isSame = state.said.text === print
  // A host may report a message more than once.
  if (words === "" || (isSame && id !== null && id === state.said.id)) return state
  return { ...state, said: { id, text: print, count: isSame ? state.said.count + 1 : 1 } }
}

/** A user message or an interruption resets the state. Calls of subagents are ignored, because they run in parallel. */
export const step = (state: Loops, event: TranscriptEvent): Loops => {
  switch (event.type) {
    case "tool_call":
      return onCall(state, event)
    case "assistant_message":
      return onMessage(state, event)
    case "user_message":
      return isGenuine(event) ? initial : state
    case "notice":
      return event.kind === "aborted" ? initial : state
    default:
      return state
  }
}

const same = (left: Entry, right: Entry): boolean => left.key === right.key && left.result === right.result

/**
 * How many rounds of a call make a loop. More rounds are needed if something may have changed unseen. Only a `look`
 * call in the round sees the effect of an action. Forty waits are longer than almost any CI run.
 */
const needed = ({ failed, kind, result }: Entry, isSeen = false): number => {
  if (kind === "wait") return 40
  if (kind === "act" && !failed) return isSeen ? 10 : 20
  return failed || (kind === "look" && result !== null) ? 3 : 5
}

/** This many identical calls in a row are a loop, even if the numbers in their results differ. */
const toTheLetter = 25

const maxPeriod = 8
const minShare = 0.6

const loopOf = (
  pattern: Loop["pattern"],
  count: number,
  { all, round }: { readonly round: ReadonlyArray<Entry>; readonly all: ReadonlyArray<Entry> }
): Loop => ({
  pattern,
  period: round.length,
  count,
  calls: round.slice(0, maxPeriod).map(({ summary, tool }) => ({ tool, summary })),
  callIds: all.flatMap(({ id }) => id ?? [])
})

/** How many of the last calls in a row equal the call one period earlier. */
const alike = (recent: ReadonlyArray<Entry>, period: number, is: (left: Entry, right: Entry) => boolean): number => {
  const at = recent.findLastIndex((entry, index) => {
    const before = recent[index - period]
    return before === undefined || !is(before, entry)
  })
  return recent.length - 1 - at
}

/** The shortest round of calls that was repeated often enough at the end. */
const rounds = (recent: ReadonlyArray<Entry>): ReadonlyArray<Loop> => {
  const found = (period: number, count: number): ReadonlyArray<Loop> => {
    const round = recent.slice(-period)
    const single = round[0]?.failed === true ? "failing_call" : "same_result"
    return [loopOf(period > 1 ? "cycle" : single, count, { round, all: recent.slice(-period * count) })]
  }
  for (let period = 1; period <= Math.min(maxPeriod, recent.length); period++) {
    const count = Math.floor(alike(recent, period, same) / period) + 1
    const round = recent.slice(-period)
    const isSeen = round.some(({ kind }) => kind === "look")
    if (count >= Math.max(...round.map((entry) => needed(entry, isSeen)))) return found(period, count)
  }
  const letters = alike(recent, 1, (left, right) => left.key === right.key && left.shape === right.shape) + 1
  return letters >= toTheLetter && recent.at(-1)?.kind !== "wait" ? found(1, letters) : []
}

/** Finds a few calls that repeat at least three times and make up most of the calls since the last change. */
const action = (recent: ReadonlyArray<Entry>): ReadonlyArray<Loop> => {
  const changed = recent.findLastIndex(({ failed, kind }) => (kind === "work" || kind === "act") && !failed)
  const since = recent.slice(changed + 1).filter(({ kind }) => kind !== "wait")
  const last = since.at(-1)
  if (last === undefined || last !== recent.at(-1)) return []
  const groups = since
    .filter((entry, index) => since.findIndex((other) => same(other, entry)) === index)
    .map((first) => since.filter((entry) => same(first, entry)))
    .filter((group) => group.length >= Math.max(...group.slice(0, 1).map((entry) => needed(entry))))
  const often = groups.flat()
  if (!groups.some((group) => group.at(-1) === last) || often.length < minShare * since.length) return []
  const round = groups.flatMap((group) => group.slice(-1))
  return [loopOf("action", Math.max(...groups.map((group) => group.length)), { round, all: often })]
}

const monologue = ({ count, text }: Loops["said"]): ReadonlyArray<Loop> =>
  count < 3
    ? []
    : [
        {
          pattern: "monologue",
          period: 1,
          count,
          calls: [{ tool: "message", summary: text.slice(text.indexOf(" ") + 1) }],
          callIds: []
        }
      ]

/** Most serious first. */
export const read = ({ recent, said }: Loops): ReadonlyArray<Loop> => [
  ...rounds(recent),
  ...action(recent),
  ...monologue(said)
]

/** The agent reads files and does almost nothing else. `looks` is the number of reads in this turn. */
export const planning = (looks: number): Loop => ({
  pattern: "planning",
  period: 1,
  count: looks,
  calls: [],
  callIds: []
})
