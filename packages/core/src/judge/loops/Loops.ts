/**
 * The loops that a session is in: calls repeated with nothing new, the same words again and
 * again. A fold that reads results: what changed something, or found something else, is no repetition.
 */
import { attemptOf } from "../verdict/Feedback.ts"
import { append } from "../../ground/json/Json.ts"
import { adviceOf, headOf } from "./advice.ts"
import { findLoops } from "./patterns.ts"
import * as Poll from "./poll.ts"
import * as Entries from "./entry.ts"
import { askedOf, kindOf, natureOf, resultOf } from "./Fingerprint.ts"
import * as Rounds from "./rounds.ts"
import type * as Schemas from "./model.ts"
import * as Words from "./repeatedWords.ts"
import { isGenuine } from "../../session/task/TaskContext.ts"
import type { AssistantMessage, ToolCall, TranscriptEvent, UserMessage } from "../../session/transcript/Transcript.ts"
import type { Loop, Loops } from "./model.ts"

export { LoopPattern, Loop, Loops } from "./model.ts"

export { nextOf, toldOf } from "./advice.ts"

export { planning } from "./patterns.ts"

const maxRecent = 32

export const initial: Loops = {
  version: 1,
  recent: [],
  runs: [],
  waits: false,
  ended: null,
  errors: Words.none,
  near: Words.none,
  spoken: Words.silence,
  chant: Words.none,
  context: Words.none,
  refusals: 0
}

const onCall = (state: Loops, call: ToolCall): Loops => {
  if (call.agentId !== null || !Entries.isSettled(call)) return state
  const nature = natureOf(call)
  const entry = Entries.entryOf(state, call, nature)
  if (Entries.isKnown(state, entry)) return state
  return {
    ...initial,
    recent: append(state.recent, entry, maxRecent),
    runs: Rounds.extendRuns(state.runs, state.recent, entry),
    waits: state.waits,
    ended: Poll.endOf(call),
    errors: Entries.erred(call, entry) ? Entries.oneMore(state, entry) : Words.none,
    near: Entries.oneNear(state, call, entry, nature)
  }
}

/** A refusal was counted, a compaction is none. */
const refusedBy = (state: Loops, context: Schemas.Streak): Pick<Loops, "context" | "refusals"> => ({
  context,
  refusals: state.refusals + (context.count > state.context.count && Words.isRefusal(context) ? 1 : 0)
})

const onMessage = (state: Loops, message: AssistantMessage): Loops => {
  if (message.text.trim() === "") return state
  const context = Words.onMessage(state.context, message)
  if (context !== null) return { ...state, ...refusedBy(state, context) }
  return {
    ...state,
    spoken: Words.message(state.spoken, message),
    chant: Words.chant(message.text),
    context: Words.none
  }
}

const onUser = (state: Loops, message: UserMessage): Loops => {
  const { text } = message
  if (isGenuine(message)) return { ...initial, waits: Poll.waitsFor(text, state.waits) }
  return attemptOf(text) === null ? { ...state, spoken: Words.interrupted(state.spoken) } : state
}

/**
 * Folds one event into the state. A message of the user's begins anew, and so does an interruption; a call counts once,
 * when it is settled. Calls of subagents are left out: they go their own ways at the same time, none of them could be
 * told, and what comes of them is the result of the call that started them.
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
      return onUser(state, event)
    case "notice":
      return event.kind === "aborted"
        ? { ...initial, waits: state.waits }
        : { ...state, ...refusedBy(state, Words.onNotice(state.context, event)) }
    default:
      return state
  }
}

/**
 * The loops that the session is in at the end of what was folded, the gravest first.
 *
 * @category accessors
 */
export const read = (state: Loops): ReadonlyArray<Loop> => findLoops(state)

/**
 * Whether a call only repeats the one before it: it asks the same, be it in other words, and nothing says that something
 * else came of it. Watching what moves by itself is no repetition. The fold counts by the same rule.
 *
 * @category predicates
 */
export const isRepetition = (before: ToolCall, call: ToolCall): boolean => {
  const kind = kindOf(call)
  if (kind === "watch" || kind === "wait") return false
  const [earlier, now] = [resultOf(before), resultOf(call)]
  return Rounds.repeats(
    { ...askedOf(before), result: now === null ? null : earlier },
    { ...askedOf(call), result: now }
  )
}

/**
 * The text that tells the agent of a loop: what it repeats, how often, and what to do instead.
 *
 * @category rendering
 */
export const feedback = (loop: Loop): string => [headOf(loop), "", ...adviceOf(loop)].join("\n")
