/** What a decoder makes of a record, and what tests ask of it. */
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

/** Decodes a record that arrives in chunks of so many bytes. */
export const decode = (decoder: TranscriptDecoder, bytes: Uint8Array, chunkSize = 64 * 1024): DecodedRecord => {
  const reader = TranscriptReader.make({ decoders: [decoder] })
  const events: Array<TranscriptEvent> = []
  for (let at = 0; at < bytes.length; at += chunkSize) {
    for (const event of reader.push(bytes.subarray(at, at + chunkSize))) events.push(event)
  }
  for (const event of reader.end()) events.push(event)
  return { events, reader }
}

/**
 * What these values decode to, with the end of the record and the state before it; `between` is what becomes of the
 * state before each step.
 */
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

/** The turns of the prompts that a person gave. */
export const genuine = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<number | undefined> =>
  events.flatMap((event) => (event.type === "user_message" && !event.synthetic ? [event.turn] : []))

/** What the agent said. */
export const texts = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => (event.type === "assistant_message" ? [event.text] : []))

/** Every call's last state as `tool status exit-code`, in the order in which the calls were issued. */
export const settled = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> => {
  const calls = new Map<string | null, string>()
  for (const event of events) {
    if (event.type !== "tool_call") continue
    calls.set(event.id, [event.tool, event.status, event.exitCode ?? "-"].join(" "))
  }
  return [...calls.values()]
}

/** One word for each event, and what tells it from others of its type. */
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

/** What the host told of the session, by its kinds. */
export const notices = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => (event.type === "notice" ? [event.kind] : []))

/** Events without their times and without what they do not say, as rows of data have them. */
export const plain = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<unknown> =>
  events.map((event) =>
    Object.fromEntries(
      Object.entries(event).filter(
        ([name, value]) =>
          name !== "at" && name !== "endedAt" && value !== null && (value !== false || name === "completed")
      )
    )
  )

/** What lines come to, and what they are to come to: a row for each case. */
export interface Row {
  readonly is: string
  readonly from: ReadonlyArray<unknown>
  readonly to: ReadonlyArray<unknown>
}

/** The rows of a file, one a line, each behind its title. */
export const rows = (file: URL): ReadonlyArray<readonly [is: string, row: Row]> =>
  FS.readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line): Row => JSON.parse(line))
    .map((row) => [row.is, row])

/** What the lines of a row come to. */
export const ofRow = (decoder: TranscriptDecoder, { from }: Row): ReadonlyArray<unknown> =>
  plain(decode(decoder, new TextEncoder().encode(from.map((value) => JSON.stringify(value)).join("\n"))).events)

const collect = (): (() => void) => {
  V8.setFlagsFromString("--expose-gc")
  return VM.runInNewContext("gc")
}

/**
 * How many bytes are in use, once the garbage is collected. What a process takes of the system beyond that goes by what
 * else it has done.
 */
export const heldBytes = (): number => {
  const gc = collect()
  // The first leaves array buffers to a sweep in the background, for which the second waits.
  gc()
  gc()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/**
 * What a whole record came to in a line: prompts, how its calls ended, what the host told, the list and the mode at its end.
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
