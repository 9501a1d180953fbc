/**
 * The interface every transcript format is read through: JSON values in, events out, one at a time, so that a session
 * of any size is judged in bounded memory.
 */
import * as Json from "../../base/json/Json.ts"
import type { Mode, Notice, SessionInfo, Todo, ToolCall, TranscriptEvent } from "./Transcript.ts"

/** One format of session records. */
export interface TranscriptDecoder {
  /** The host's name as in `--host` and in a verdict's `host`. */
  readonly host: string
  /** Whether a JSON value (one line, or a whole document) can only be of this format. */
  readonly recognises: (value: unknown) => boolean
  /** Why a value of this format, or nearly so, is none that can be read, and what to do; null for any other. */
  readonly rejects?: (value: unknown) => string | null
  /** The type of a raw line that can be dropped unparsed because it says nothing of interest, null to parse it. */
  readonly ignores?: (line: Uint8Array) => string | null
  /** Begins a decoding; values are pushed in file order. */
  readonly start: () => TranscriptDecoding
}

/** A decoding under way. Total: whatever is pushed, nothing throws. */
export interface TranscriptDecoding {
  /** The events this value adds; none for a value of no interest. */
  readonly push: (value: unknown) => ReadonlyArray<TranscriptEvent>
  /** What is left at the end of the input. */
  readonly end: () => ReadonlyArray<TranscriptEvent>
  /** The session as known so far. */
  readonly session: () => SessionInfo
  /** Values that were skipped, counted by their type. */
  readonly skipped: () => Readonly<Record<string, number>>
  /** What could not be decoded inside a value that was, in words. */
  readonly problems?: () => ReadonlyArray<string>
}

/** The next state, and the events that a step adds. */
export type Step<S> = readonly [S, ReadonlyArray<TranscriptEvent>]

/**
 * A format as pure steps over a state that can be saved: what a long-lived reader and a hook process share. A step that
 * has nothing to say answers with the very state it was given.
 */
export interface DecoderSteps<S> {
  readonly initial: S
  readonly step: (state: S, value: unknown) => Step<S>
  readonly finish: (state: S) => ReadonlyArray<TranscriptEvent>
  readonly session: (state: S) => SessionInfo
  /** What a value that said nothing is counted as. */
  readonly typeOf: (value: unknown) => string
}

/** One step after the other, with the events of all. */
export const chain = <S>(state: S, ...steps: ReadonlyArray<(state: S) => Step<S>>): Step<S> => {
  let current = state
  const events: Array<TranscriptEvent> = []
  for (const step of steps) {
    const [next, more] = step(current)
    current = next
    for (const event of more) events.push(event)
  }
  return [current, events]
}

export const notice = (kind: Notice["kind"], at: string | null, detail: string | null): Notice => ({
  type: "notice",
  at,
  kind,
  detail: detail === null ? null : detail.slice(0, 500)
})

export type CallResult = Pick<ToolCall, "background" | "status" | "exitCode" | "output">

export const pending: CallResult = { background: false, status: "pending", exitCode: null, output: null }

/** A call as it was issued, and as it stands. */
export const toolCall = (
  { agentId, at, cwd, id, input, tool }: Pick<ToolCall, "agentId" | "at" | "cwd" | "id" | "input" | "tool">,
  endedAt: string | null,
  settled: CallResult
): ToolCall => ({ type: "tool_call", id, at, endedAt, tool, input, cwd, agentId, ...settled })

/** The mode by the host's own name of it, null without one. */
export const modeOf = (name: unknown): Mode | null =>
  typeof name === "string" ? (name === "plan" ? "plan" : "build") : null

const statuses: ReadonlyArray<Todo["status"]> = ["pending", "in_progress", "completed", "cancelled"]

/** Null for what is no status. */
export const todoStatus = (value: unknown): Todo["status"] | null => statuses.find((one) => one === value) ?? null

/** A todo by whatever names a host gives its fields; none for a value without a text. */
export const todo = (value: unknown): ReadonlyArray<Todo> => {
  const { completed, content, id, status, step, subject, text } = Json.object(value)
  const said = [content, subject, step, text].find((one) => typeof one === "string")
  if (typeof said !== "string") return []
  const standing = todoStatus(status) ?? (completed === true ? "completed" : "pending")
  return [{ id: Json.string(id), content: said.slice(0, 2000), status: standing }]
}

/** A whole list, at most 500 todos; null for a value that is none. */
export const todosIn = (value: unknown): ReadonlyArray<Todo> | null =>
  Array.isArray(value) ? value.slice(0, 500).flatMap(todo) : null

const maxType = 64

/** Begins a decoding by steps. */
export const startSteps = <S>({ finish, initial, session, step, typeOf }: DecoderSteps<S>): TranscriptDecoding => {
  let state = initial
  const skipped = new Map<string, number>()
  return {
    push: (value) => {
      const before = state
      const [next, events] = step(state, value)
      state = next
      if (next === before && events.length === 0) {
        const type = typeOf(value).slice(0, maxType)
        skipped.set(type, (skipped.get(type) ?? 0) + 1)
      }
      return events
    },
    end: () => finish(state),
    session: () => session(state),
    skipped: () => Object.fromEntries(skipped)
  }
}
