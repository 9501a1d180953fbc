/**
 * The loops that a session is in: calls repeated with nothing new, the same words again and again. A fold that reads
 * results: what changed something, or found something else, is no repetition.
 */
import * as KeyHash from "../../base/system/KeyHash.ts"
import { append, momentOf } from "../../base/json/Json.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { matchesAny, oneLine } from "../../base/text/Text.ts"
import { isGenuine } from "../../session/task/TaskContext.ts"
import type { AssistantMessage, Notice, ToolCall, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import { adviceOf, headOf } from "./advice.ts"
import * as Calls from "./calls.ts"
import { refusesContext } from "./ContextWords.ts"
import type { Entry, Loop, LoopPattern, Loops, Streak } from "./model.ts"

export { LoopPattern, Loop, Loops } from "./model.ts"

export { nextOf, toldOf } from "./advice.ts"

const maxRecent = 64

const none: Streak = { print: 0, count: 0, text: "" }

export const initial: Loops = {
  version: 2,
  recent: [],
  ended: null,
  waits: false,
  said: none,
  spoke: null,
  context: none
}

/** An order to wait or to watch; "run it until it passes" and "tell me when you are done" are none. */
const waiting: ReadonlyArray<RegExp> = [
  /(?:^|[.,;:!?(\n] {0,3}|\b(?:and|then|please|to|just|you|or|must|should|now) )(?:wait|monitor|poll|watch|track|tail)\b(?! (?:mode|flag|option|task|script)\b)/i,
  /\b(?:until|till)\b(?![^.!?\n]{0,60}\b(?:pass(?:es|ing)?|works?|compiles?|fixed)\b)/i,
  /\b(?:report|tell me|know|notify)\b[^.!?]{0,40}\b(?:when|once|as soon as|after) (?!you)/i,
  /\b(?:when|once|as soon as|after) (?!you)[^.!?]{0,60}\b(?:report|tell me|know|notify)\b/i,
  /\b(?:start|submit|launch|trigger|kick off|deploy|queue|schedule)\b[^.!?\n]{0,80}\bthen\b[^.!?\n]{0,20}\b(?:report|tell me|let me know|show me)\b/i
]

const more = (before: Streak, print: number, text: string): Streak =>
  before.count > 0 && before.print === print
    ? { print, count: before.count + 1, text: oneLine(redact(text.slice(0, 1000)), 120) }
    : { print, count: 1, text: "" }

/** The time in which nothing ran before the call, in ms; 0 where the host has no times. */
const idleBefore = ({ at }: ToolCall, ended: number | null): number => {
  const begun = momentOf(at)
  return begun === null || ended === null ? 0 : begun - ended
}

/** An agent that lets so many ms pass before a look waits for something. */
const minIdle = 20_000

const entryOf = ({ ended, recent, waits }: Loops, call: ToolCall): Entry => {
  const key = Calls.keyOf(call)
  const kind = Calls.kindOf(call)
  const failed = Calls.hasFailed(call)
  const before = recent.at(-1)
  const isAfterWait = before?.kind === "wait" && before.key !== key
  // A program that crashes does so whenever it is started.
  const isSpaced = kind === "run" && !failed && idleBefore(call, ended) >= minIdle
  const moves = waits || (kind === "run" && isAfterWait) || isSpaced || Calls.isUnderWay(call, kind)
  return {
    id: call.id === null ? null : call.id.slice(0, 100),
    key,
    ...Calls.resultsOf(call),
    failed,
    kind: moves && (kind === "run" || kind === "act") && !Calls.isCheck(call) ? "wait" : kind,
    tool: oneLine(redact(call.tool.slice(0, 200)), 60),
    summary: failed || recent.some((other) => other.key === key) ? Calls.summaryOf(call) : ""
  }
}

const onCall = (state: Loops, call: ToolCall): Loops => {
  if (call.agentId !== null || call.status === "pending" || call.status === "running") return state
  if (call.status === "interrupted") return state
  const entry = entryOf(state, call)
  // A host may report the end of a call more than once.
  if (entry.id !== null && state.recent.some(({ id, key }) => id === entry.id && key === entry.key)) return state
  return {
    ...initial,
    waits: state.waits,
    recent: append(state.recent, entry, maxRecent),
    ended: momentOf(call.endedAt) ?? momentOf(call.at)
  }
}

const maxError = 500

/** The print of a refusal; a compaction has the next one. */
const refusal = 1

/** The refusal that a host prints in the agent's place, or tells. */
const refused = ({ detail, kind }: Pick<Notice, "detail" | "kind">): boolean =>
  (kind === "api_error" || kind === "rate_limited") && detail !== null && refusesContext(detail.slice(0, maxError))

const errorWords = /^(?:api |\w{0,20} ?)?error\b|^prompt is too long|^(?:\d{3} )?.{0,80}(?:too long|exceed)/i

const onMessage = (state: Loops, { id, text }: AssistantMessage): Loops => {
  const said = text.trim()
  if (said === "") return state
  if (said.length <= maxError && errorWords.test(said.slice(0, 200)) && refusesContext(said))
    return { ...state, context: more(state.context, refusal, said) }
  const print = KeyHash.ofText(said.replace(/\s{1,200}/g, " "))
  // A host may report a message more than once.
  if (id !== null && id === state.spoke && print === state.said.print) return state
  return { ...state, context: none, said: more(state.said, print, said), spoke: id }
}

/**
 * Folds one event into the state. A message of the user's begins from nothing, and so does an interruption; a call counts
 * once, when it is settled. Calls of subagents are left out: they go their own ways at the same time.
 *
 * @category folds
 */
export const step = (state: Loops, event: TranscriptEvent): Loops => {
  switch (event.type) {
    case "tool_call":
      return onCall(state, event)
    case "assistant_message":
      return onMessage(state, event)
    case "user_message":
      return isGenuine(event)
        ? {
            ...initial,
            waits: matchesAny(waiting, event.text.slice(0, 4000)) || (state.waits && event.text.length <= 60)
          }
        : state
    case "notice":
      if (event.kind === "aborted") return { ...initial, waits: state.waits }
      // A compaction between two refusals has not helped, and one after another does not, either.
      if (event.kind === "compacted" && state.context.print !== refusal)
        return { ...state, context: more(state.context, refusal + 1, "the context was compacted") }
      return refused(event) ? { ...state, context: more(state.context, refusal, event.detail ?? "") } : state
    default:
      return state
  }
}

const same = (left: Entry, right: Entry): boolean => left.key === right.key && left.result === right.result

/**
 * How many rounds are a loop, by what a call does. What changes something may have been taken back by something unseen;
 * of an act nobody sees the effect, unless the round has a look at it; a wait of forty rounds is longer than nearly any CI.
 */
const needed = ({ failed, kind, result }: Entry, isSeen = false): number => {
  if (kind === "wait") return 40
  if (kind === "act" && !failed) return isSeen ? 10 : 20
  return result === null || (kind === "change" && !failed) ? 5 : 3
}

/** So many calls to the letter in a row are a loop whatever the clock in their results says. */
const toTheLetter = 25

const maxPeriod = 8
const minShare = 0.6

const callOf = ({ summary, tool }: Entry): Loop["calls"][number] => ({ tool, summary })

const idsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> => entries.flatMap(({ id }) => id ?? [])

const patternOf = (round: ReadonlyArray<Entry>): LoopPattern =>
  round.length > 1 ? "cycle" : round[0]?.failed === true ? "failing_call" : "same_result"

const loopOf = (recent: ReadonlyArray<Entry>, period: number, count: number): Loop => {
  const round = recent.slice(-period)
  return {
    pattern: patternOf(round),
    period,
    count,
    calls: round.map(callOf),
    callIds: idsOf(recent.slice(-period * count))
  }
}

/** How many calls at the end are like the one a period before. */
const alike = (recent: ReadonlyArray<Entry>, period: number, is: (left: Entry, right: Entry) => boolean): number => {
  const at = recent.findLastIndex((entry, index) => {
    const before = recent[index - period]
    return before === undefined || !is(before, entry)
  })
  return recent.length - 1 - at
}

/** The shortest round that the last calls have gone often enough. */
const rounds = (recent: ReadonlyArray<Entry>): ReadonlyArray<Loop> => {
  for (let period = 1; period <= Math.min(maxPeriod, recent.length); period++) {
    const count = Math.floor(alike(recent, period, same) / period) + 1
    const round = recent.slice(-period)
    const isSeen = round.some(({ kind }) => kind === "look")
    if (count >= 3 && count >= Math.max(...round.map((entry) => needed(entry, isSeen))))
      return [loopOf(recent, period, count)]
  }
  const letters = alike(recent, 1, (left, right) => left.key === right.key && left.shape === right.shape) + 1
  return letters >= toTheLetter && recent.at(-1)?.kind !== "wait" ? [loopOf(recent, 1, letters)] : []
}

/** The same few calls, three times and more, are most of what was done since the last change. */
const action = (recent: ReadonlyArray<Entry>): ReadonlyArray<Loop> => {
  const changed = recent.findLastIndex(({ failed, kind }) => (kind === "change" || kind === "act") && !failed)
  const since = recent.slice(changed + 1).filter(({ kind }) => kind !== "wait")
  const last = since.at(-1)
  if (last === undefined || last !== recent.at(-1) || since.length < 3) return []
  const groups = since
    .filter((entry, index) => since.findIndex((other) => same(other, entry)) === index)
    .map((first) => since.filter((entry) => same(first, entry)))
    .filter((group) => group.length >= Math.max(3, ...group.slice(0, 1).map((entry) => needed(entry))))
  const often = groups.flat()
  if (!groups.some((group) => group.at(-1) === last) || often.length < minShare * since.length) return []
  return [
    {
      pattern: "action",
      period: groups.length,
      count: Math.max(...groups.map((group) => group.length)),
      calls: groups.slice(0, maxPeriod).flatMap((group) => group.slice(-1).map(callOf)),
      callIds: idsOf(often)
    }
  ]
}

const spoken = (pattern: "monologue" | "context_error", tool: string, { count, text }: Streak): ReadonlyArray<Loop> =>
  count < 3 ? [] : [{ pattern, period: 1, count, calls: [{ tool, summary: text }], callIds: [] }]

/**
 * The loops that the session is in at the end of what was folded, the gravest first.
 *
 * @category accessors
 */
export const read = ({ context, recent, said }: Loops): ReadonlyArray<Loop> => [
  ...spoken("context_error", "host", context),
  ...rounds(recent),
  ...action(recent),
  ...spoken("monologue", "message", said)
]

/** Looking around and next to nothing else, which is counted by what is on record of the turn. */
export const planning = (looks: number): Loop => ({
  pattern: "planning",
  period: 1,
  count: looks,
  calls: [],
  callIds: []
})

/**
 * The text that tells the agent of a loop: what it repeats, how often, and what to do instead.
 *
 * @category rendering
 */
export const feedback = (loop: Loop): string => [headOf(loop), "", ...adviceOf(loop)].join("\n")
