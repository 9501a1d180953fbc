/**
 * The loops that a session is in: calls repeated with nothing new, plans without a step, the same words again and
 * again. A fold that reads results: what changed something, or found something else, is no repetition.
 *
 * @since 0.1.0
 */
import { editsOf } from "./internal/edits.ts"
import * as Schemas from "./internal/loopsSchema.ts"
import { oneLine } from "./internal/text.ts"
import { shellCommand } from "./internal/tools.ts"
import { redact } from "./Redaction.ts"
import * as RepoSignals from "./RepoSignals.ts"
import { isGenuine } from "./TaskContext.ts"
import type { ToolCall, TranscriptEvent } from "./Transcript.ts"

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
  /** Whether the task is one of writing code; only such a task can be in a planning loop. */
  readonly coding: boolean
}

const maxPeriod = 6
const maxRecent = 32

/**
 * @since 0.1.0
 * @category folds
 */
export const initial: Loops = {
  version: 1,
  recent: [],
  runs: Array.from({ length: maxPeriod }, () => 0),
  calls: 0,
  writes: 0
}

const checksum = (text: string): number => {
  let sum = text.length
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  return sum
}

const bounded = (text: string): string =>
  text.length <= 4000 ? text : `${text.slice(0, 2000)}${text.length}${text.slice(-2000)}`

const summaryOf = (call: ToolCall): string =>
  oneLine(redact((shellCommand(call) ?? JSON.stringify(call.input ?? null)).slice(0, 1000)), 120)

const failedOf = (call: ToolCall): boolean => call.status === "error" || (call.exitCode !== null && call.exitCode !== 0)

const onCall = (state: Loops, call: ToolCall): Loops => {
  if (call.agentId !== null || call.status === "pending" || call.status === "running") return state
  const text = shellCommand(call) ?? JSON.stringify(call.input ?? null)
  const failed = failedOf(call)
  const entry = {
    key: checksum(bounded(`${call.tool}:${text}`)),
    result: checksum(bounded(`${failed}:${call.output ?? ""}`)),
    failed,
    id: call.id === null ? null : call.id.slice(0, 100),
    tool: oneLine(call.tool, 60),
    summary: summaryOf(call)
  }
  const runs = state.runs.map((run, index) => {
    const before = state.recent.at(-1 - index)
    return before !== undefined && before.key === entry.key && before.result === entry.result ? run + 1 : 0
  })
  const writes = editsOf(call, 0, { repo: RepoSignals.empty, gates: [], cwd: call.cwd }).length > 0
  return {
    version: 1,
    recent: [...state.recent.slice(1 - maxRecent), entry],
    runs,
    calls: state.calls + 1,
    writes: state.writes + (writes ? 1 : 0)
  }
}

/**
 * Folds one event into the state. A message of the user's begins anew; a call counts once, when it is settled.
 *
 * @since 0.1.0
 * @category folds
 */
export const step = (state: Loops, event: TranscriptEvent): Loops => {
  if (isGenuine(event)) return initial
  return event.type === "tool_call" ? onCall(state, event) : state
}

const patternOf = (period: number, failed: boolean): LoopPattern =>
  period === 1 ? (failed ? "failing_call" : "same_result") : period === 2 ? "alternation" : "cycle"

const loopOf = (state: Loops, pattern: LoopPattern, period: number, count: number): Loop => {
  const round = state.recent.slice(-period)
  const ids = state.recent.slice(-period * count).flatMap(({ id }) => (id === null ? [] : [id]))
  return { pattern, period, count, calls: round.map(({ summary, tool }) => ({ tool, summary })), callIds: ids }
}

/**
 * The loops that the session is in at the end of what was folded, the gravest first.
 *
 * @since 0.1.0
 * @category accessors
 */
export const read = (state: Loops, { coding }: ReadOptions): ReadonlyArray<Loop> => {
  const found: Array<Loop> = []
  const last = state.recent.at(-1)
  const index = state.runs.findIndex((run, at) => Math.floor(run / (at + 1)) + 1 >= 3)
  if (index >= 0 && last !== undefined)
    found.push(
      loopOf(
        state,
        patternOf(index + 1, last.failed),
        index + 1,
        Math.floor((state.runs[index] ?? 0) / (index + 1)) + 1
      )
    )
  if (coding && state.calls >= 8 && state.writes < state.calls * 0.1) found.push(loopOf(state, "planning", 1, 1))
  return found
}

const heads: Readonly<Record<LoopPattern, string>> = {
  planning: "STOP: Planning Loop Detected",
  action: "STOP: Action Loop Detected",
  same_result: "STOP: Repeated Call Detected",
  failing_call: "STOP: Failing Call Loop Detected",
  alternation: "STOP: Alternating Calls Detected",
  cycle: "STOP: Cycle of Calls Detected",
  monologue: "STOP: Repeated Text Detected",
  context_error: "STOP: Context Error Loop Detected"
}

/**
 * The text that tells the agent of a loop: what it repeats, how often, and what to do instead.
 *
 * @since 0.1.0
 * @category rendering
 */
export const feedback = (loop: Loop): string =>
  [heads[loop.pattern], "", ...loop.calls.map(({ summary, tool }) => `- ${tool}: ${summary} (${loop.count}×)`)].join(
    "\n"
  )
