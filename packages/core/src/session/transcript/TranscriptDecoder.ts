/** The interface for every transcript format. A decoder returns events one at a time, so it needs little memory. */
import * as Json from "../../base/json/Json.ts"
import type { Mode, Notice, SessionInfo, Todo, ToolCall, TranscriptEvent } from "./Transcript.ts"

export interface TranscriptDecoder {
  readonly host: string
  /** True if a JSON value can belong only to this format. The value is one line or a whole document. */
  readonly recognises: (value: unknown) => boolean
  /** Returns why a value of this or a similar format cannot be read, and what to do. Null for any other value. */
  readonly rejects?: (value: unknown) => string | null
  /** Returns the type of a raw line that can be dropped without parsing. Null if the line must be parsed. */
  readonly ignores?: (line: Uint8Array) => string | null
  /** Begins to decode. Values must be pushed in the order of the file. */
  readonly start: () => TranscriptDecoding
}

/** A running decoding. Never throws, for any value. */
export interface TranscriptDecoding {
  readonly push: (value: unknown) => ReadonlyArray<TranscriptEvent>
  readonly end: () => ReadonlyArray<TranscriptEvent>
  readonly session: () => SessionInfo
  /** The number of skipped values of each type. */
  readonly skipped: () => Readonly<Record<string, number>>
  readonly problems?: () => ReadonlyArray<string>
}

export type Step<S> = readonly [S, ReadonlyArray<TranscriptEvent>]

/** A format as pure steps over a state that can be saved. If a step changes nothing, it returns the same state. */
export interface DecoderSteps<S> {
  readonly initial: S
  readonly step: (state: S, value: unknown) => Step<S>
  readonly finish: (state: S) => ReadonlyArray<TranscriptEvent>
  readonly session: (state: S) => SessionInfo
  /** The type under which a skipped value is counted. */
  readonly typeOf: (value: unknown) => string
}

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

export const toolCall = (
  { agentId, at, cwd, id, input, tool }: Pick<ToolCall, "agentId" | "at" | "cwd" | "id" | "input" | "tool">,
  endedAt: string | null,
  settled: CallResult
): ToolCall => ({ type: "tool_call", id, at, endedAt, tool, input, cwd, agentId, ...settled })

export const modeOf = (name: unknown): Mode | null =>
  typeof name === "string" ? (name === "plan" ? "plan" : "build") : null

const statuses: ReadonlyArray<Todo["status"]> = ["pending", "in_progress", "completed", "cancelled"]

export const todoStatus = (value: unknown): Todo["status"] | null => statuses.find((one) => one === value) ?? null

/** Reads a todo with the field names of any host. Empty if the value has no text. */
export const todo = (value: unknown): ReadonlyArray<Todo> => {
  const { completed, content, id, status, step, subject, text } = Json.object(value)
  const said = [content, subject, step, text].find((one) => typeof one === "string")
  if (typeof said !== "string") return []
  const standing = todoStatus(status) ?? (completed === true ? "completed" : "pending")
  return [{ id: Json.string(id), content: said.slice(0, 2000), status: standing }]
}

export const todosIn = (value: unknown): ReadonlyArray<Todo> | null =>
  Array.isArray(value) ? value.slice(0, 500).flatMap(todo) : null

const maxType = 64

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
