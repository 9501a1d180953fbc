/**
 * The loops that a session is in: calls repeated with nothing new, plans without a step, the same words again and
 * again. A fold that reads results: what changed something, or found something else, is no repetition.
 *
 * @since 0.1.0
 */
import { append } from "./Json.ts"
import { adviceOf, headOf } from "./internal/loopAdvice.ts"
import { findLoops } from "./internal/loopFind.ts"
import { askedOf, hasFailed, kindOf, nameOf, resultOf, summaryOf } from "./internal/loopPrint.ts"
import * as Rounds from "./internal/loopRounds.ts"
import * as Schemas from "./internal/loopsSchema.ts"
import * as Words from "./internal/loopWords.ts"
import { toolKind } from "./internal/tools.ts"
import { isGenuine } from "./TaskContext.ts"
import type { AssistantMessage, ToolCall, TranscriptEvent } from "./Transcript.ts"

/**
 * @since 0.1.0
 * @category models
 */
export const LoopPattern = Schemas.LoopPattern

/**
 * How a session goes round. `planning`: a coding task with hardly a write; `action`: a few commands again and again
 * among others; `same_result` and `failing_call`: the very same call; `alternation` and `cycle`: two or more calls in
 * turns; `monologue`: the same words; `context_error`: one refusal of a full context window after another.
 *
 * @since 0.1.0
 * @category models
 */
export type LoopPattern = typeof LoopPattern.Type

/**
 * @since 0.1.0
 * @category models
 */
export const Loop = Schemas.Loop

/**
 * A loop that the session is in. `period` is the number of calls in one round, `count` the rounds seen, `calls` one
 * round of them in a line each, without secrets, and `callIds` what proves it.
 *
 * @since 0.1.0
 * @category models
 */
export type Loop = typeof Loop.Type

/**
 * The state of the fold: bounded, whatever the session's length, and without the texts of calls and results.
 *
 * @since 0.1.0
 * @category models
 */
export const Loops = Schemas.Loops

/**
 * @since 0.1.0
 * @category models
 */
export type Loops = typeof Loops.Type

/**
 * @since 0.1.0
 * @category models
 */
export interface ReadOptions {
  /** Whether there is code to write that is not written yet: only such a task can be in a planning loop. */
  readonly coding: boolean
}

const maxRecent = 32

/**
 * @since 0.1.0
 * @category folds
 */
export const initial: Loops = {
  version: 1,
  recent: [],
  runs: [],
  calls: 0,
  writes: 0,
  looks: 0,
  errors: Words.none,
  words: Words.none,
  spoken: null,
  chant: Words.none,
  context: Words.none
}

const clipped = (id: string | null): string | null => (id === null ? null : id.slice(0, 100))

/** What follows a wait is a look at what was waited for. */
const kindAfter = (state: Loops, call: ToolCall): Schemas.CallKind => {
  const kind = kindOf(call)
  const waited = state.recent.at(-1)?.kind === "wait"
  return waited && (kind === "look" || kind === "run") ? "watch" : kind
}

/** How many looks or errors in a row come before the first that may be shown: a summary costs as much as all else. */
const soonShown = 5

/** Whether a loop could show this call: one made twice before, or a look or an error among many. */
const mayShow = ({ errors, looks, recent }: Loops, { key }: Pick<Schemas.Entry, "key">): boolean =>
  looks >= soonShown || errors.count >= soonShown || recent.filter((other) => other.key === key).length > 1

const entryOf = (state: Loops, call: ToolCall): Schemas.Entry => {
  const asked = askedOf(call)
  return {
    ...asked,
    result: resultOf(call),
    failed: hasFailed(call),
    kind: kindAfter(state, call),
    id: clipped(call.id),
    tool: nameOf(call),
    summary: mayShow(state, asked) ? summaryOf(call) : ""
  }
}

const isSettled = ({ status }: ToolCall): boolean =>
  status !== "pending" && status !== "running" && status !== "interrupted"

/** A host may report the end of a call more than once. */
const isKnown = ({ recent }: Loops, entry: Schemas.Entry): boolean =>
  entry.id !== null && recent.some((other) => other.id === entry.id && other.key === entry.key)

/** A search without a hit fails without an error, and a poller until what it waits for is there. */
const erred = (call: ToolCall, { failed, kind }: Schemas.Entry): boolean =>
  failed &&
  (call.output ?? "").trim() !== "" &&
  kind !== "watch" &&
  kind !== "wait" &&
  !(kind === "look" && toolKind(call.tool) === "shell")

const oneMore = ({ errors }: Loops, { result, tool }: Schemas.Entry): Schemas.Streak =>
  Words.extend(errors.text === tool ? errors : Words.none, result ?? 0, () => tool)

const changes = ({ failed, kind }: Schemas.Entry): boolean => !failed && (kind === "change" || kind === "act")

const looksOf = (state: Loops, { kind }: Schemas.Entry): number => {
  if (kind === "look") return state.looks + 1
  return kind === "watch" || kind === "wait" ? state.looks : 0
}

const onCall = (state: Loops, call: ToolCall): Loops => {
  if (call.agentId !== null || !isSettled(call)) return state
  const entry = entryOf(state, call)
  if (isKnown(state, entry)) return state
  return {
    version: 1,
    recent: append(state.recent, entry, maxRecent),
    runs: Rounds.extendRuns(state.runs, state.recent, entry),
    calls: state.calls + 1,
    writes: state.writes + (changes(entry) ? 1 : 0),
    looks: looksOf(state, entry),
    errors: erred(call, entry) ? oneMore(state, entry) : Words.none,
    words: Words.none,
    spoken: null,
    chant: Words.none,
    context: Words.none
  }
}

const onMessage = (state: Loops, message: AssistantMessage): Loops => {
  if (message.text.trim() === "") return state
  const context = Words.onMessage(state.context, message)
  if (context !== null) return { ...state, context }
  const words = Words.message(state.words, message.text)
  const again = message.id !== null && clipped(message.id) === state.spoken && words.print === state.words.print
  return {
    ...state,
    words: again ? state.words : words,
    spoken: clipped(message.id),
    chant: Words.chant(message.text),
    context: Words.none
  }
}

/**
 * Folds one event into the state. A message of the user's begins anew, and so does an interruption; a call counts once,
 * when it is settled. Calls of subagents are left out: they go their own ways at the same time, none of them could be
 * told, and what comes of them is the result of the call that started them.
 *
 * @since 0.1.0
 * @category folds
 */
export const step = (state: Loops, event: TranscriptEvent): Loops => {
  switch (event.type) {
    case "tool_call":
      return onCall(state, event)
    case "assistant_message":
      return onMessage(state, event)
    case "user_message":
      return isGenuine(event) ? initial : state
    case "notice":
      return event.kind === "aborted" ? initial : { ...state, context: Words.onNotice(state.context, event) }
    default:
      return state
  }
}

/**
 * The loops that the session is in at the end of what was folded, the gravest first.
 *
 * @since 0.1.0
 * @category accessors
 */
export const read = (state: Loops, { coding }: ReadOptions): ReadonlyArray<Loop> => findLoops(state, coding)

/**
 * Whether a call only repeats the one before it: it asks the same, be it in other words, and nothing says that something
 * else came of it. Watching what moves by itself is no repetition. The fold counts by the same rule.
 *
 * @since 0.1.0
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
 * @since 0.1.0
 * @category rendering
 */
export const feedback = (loop: Loop): string => [headOf(loop), "", ...adviceOf(loop)].join("\n")
