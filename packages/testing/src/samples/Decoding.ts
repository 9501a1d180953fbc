/** Decodes records for tests, and returns short forms of the result. */
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import type { DecoderSteps, TranscriptDecoder } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import * as FS from "node:fs"
import * as V8 from "node:v8"
import * as VM from "node:vm"

export interface DecodedRecord {
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly reader: TranscriptReader.Reader
}

export const decode = (decoder: TranscriptDecoder, bytes: Uint8Array, chunkSize = 64 * 1024): DecodedRecord => {
  const reader = TranscriptReader.make({ decoders: [decoder] })
  const events: Array<TranscriptEvent> = []
  for (let at = 0; at < bytes.length; at += chunkSize) {
    for (const event of reader.push(bytes.subarray(at, at + chunkSize))) events.push(event)
  }
  for (const event of reader.end()) events.push(event)
  return { events, reader }
}

/** `between` can change the state before each step. */
export const fold = <S>(
  steps: Pick<DecoderSteps<S>, "initial" | "step" | "finish">,
  values: ReadonlyArray<unknown>,
  between: (state: S) => S = (state) => state
): readonly [ReadonlyArray<TranscriptEvent>, S] => {
  let state = steps.initial
  const events: Array<TranscriptEvent> = []
  for (const value of values) {
    const [next, more] = steps.step(between(state), value)
    state = next
    events.push(...more)
  }
  return [[...events, ...steps.finish(between(state))], state]
}

/** The turn numbers of a person's prompts. */
export const genuine = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<number | undefined> =>
  events.flatMap((event) => (event.type === "user_message" && !event.synthetic ? [event.turn] : []))

export const texts = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => (event.type === "assistant_message" ? [event.text] : []))

/** Every call's last state as `tool status exit-code`, in the order in which the calls began. */
export const settled = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> => {
  const calls = new Map<string | null, string>()
  for (const event of events) {
    if (event.type !== "tool_call") continue
    calls.set(event.id, [event.tool, event.status, event.exitCode ?? "-"].join(" "))
  }
  return [...calls.values()]
}

export const brief = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  events.map((one) => {
    switch (one.type) {
      case "user_message":
        return `${one.synthetic ? "synthetic" : `user ${one.turn}`}: ${one.text}`
      case "assistant_message":
        return `agent${one.completed === false ? ", cut off" : ""}: ${one.text}`
      case "tool_call":
        return [one.tool, one.id, one.status, ...(one.exitCode === null ? [] : [one.exitCode])].join(" ")
      case "todo_update":
        return `todos: ${one.todos.map(({ content, status }) => `${content} ${status}`).join(", ")}`
      case "notice":
        return `${one.kind}: ${one.detail}`
      case "mode_change":
        return `mode: ${one.mode}`
    }
  })

export const notices = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => (event.type === "notice" ? [event.kind] : []))

/** Leaves out times and empty fields, as the rows of a data file do. */
export const plain = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<unknown> =>
  events.map((event) =>
    Object.fromEntries(
      Object.entries(event).filter(
        ([name, value]) =>
          name !== "at" && name !== "endedAt" && value !== null && (value !== false || name === "completed")
      )
    )
  )

/** Lines, and the events that they must decode to. */
export interface Row {
  readonly is: string
  readonly from: ReadonlyArray<unknown>
  readonly to: ReadonlyArray<unknown>
}

/** The file has one case on each line. */
export const rows = (file: URL): ReadonlyArray<readonly [is: string, row: Row]> =>
  FS.readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line): Row => JSON.parse(line))
    .map((row) => [row.is, row])

export const ofRow = (decoder: TranscriptDecoder, { from }: Row): ReadonlyArray<unknown> =>
  plain(decode(decoder, new TextEncoder().encode(from.map((value) => JSON.stringify(value)).join("\n"))).events)

const collect = (): (() => void) => {
  V8.setFlagsFromString("--expose-gc")
  return VM.runInNewContext("gc")
}

/** The memory in use after a garbage collection. The system's count would also depend on earlier work. */
export const heldBytes = (): number => {
  const gc = collect()
  // The first call frees array buffers in the background, and the second waits for that.
  gc()
  gc()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/**
 * Returns a whole record as one line: prompts, calls, notices, and the todo list and mode at the end.
 *
 * @category accessors
 */
export const digest = ({ events, reader }: DecodedRecord): string => {
  const list = events.findLast((event) => event.type === "todo_update")?.todos.map(({ status }): string => status) ?? []
  const { mode } = reader.session()
  return [`prompts ${genuine(events).join(" ") || "none"}`, ...settled(events), ...notices(events), ...list, mode].join(
    "; "
  )
}
