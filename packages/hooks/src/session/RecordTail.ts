/**
 * A session's record, read backwards to the message that began the running turn and a little further, and decoded from
 * there: a stop costs what its turn is long, and nothing of the record is kept between two stops.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as OwnFeedback from "@reflexion/core/internal/session/task/OwnFeedback"
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import * as SubagentMerge from "@reflexion/core/internal/session/transcript/SubagentMerge"
import * as Judgment from "@reflexion/core/Judgment"
import { redactJson } from "@reflexion/core/Redaction"
import type { SessionInfo, ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import * as FS from "node:fs"
import type { OpenWork, RecordDecoder } from "./RecordDecoder.ts"

/** How far before the running turn reading begins: so many turns, where they have no more bytes. */
export interface Reach {
  readonly turns: number
  readonly bytes: number
}

/**
 * What the last stop knew that a record's end may not have. `at`: where its turn begins, in bytes; `turn`: that turn's number;
 * `open`: what went on in the background; `prompts`: the user's last messages.
 */
export interface Known {
  readonly at: number
  readonly turn: number
  readonly open: ReadonlyArray<OpenWork>
  readonly prompts: ReadonlyArray<Judgment.Prompt>
}

export interface Options<S> {
  readonly file: string
  readonly decoder: RecordDecoder<S>
  /** How far back, by the session as the running turn's first line shows it; null for all of the record. */
  readonly reach: ((session: SessionInfo) => Reach) | null
  readonly known?: Known | undefined
  /** What is judged by, as soon as the session's directory is known. */
  readonly context: (session: SessionInfo) => Judgment.JudgmentContext
  /** Whether there is still time to read on. */
  readonly hasTime: () => boolean
}

/**
 * `read` is how far the record was read, in bytes; `events` are those of the running turn, or of all that was asked for. `complete` is false where the time ran
 * out, `cut` says that the running turn was too long to be read whole.
 */
export interface Reading<S> {
  readonly file: string
  readonly read: number
  readonly decoder: S
  readonly judgment: Judgment.JudgmentState
  readonly context: Judgment.JudgmentContext
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly known: Known
  readonly complete: boolean
  readonly cut: boolean
}

/** So much of the running turn is read. */
const turnBytes = 2 * 1024 * 1024

/** So far its beginning is looked for. */
const farthest = 32 * 1024 * 1024

/** Its message may have pictures: where the turn is too long, so much of its beginning is read for it. */
const mostBeginning = 8 * 1024 * 1024

const headBytes = 64 * 1024
const chunkBytes = 256 * 1024
const firstWindow = 128 * 1024
const newline = 10

interface RecordFile {
  readonly descriptor: number
  /** In bytes, when it was opened: what is appended meanwhile is for the next time. */
  readonly size: number
}

/** Null where there is no such file, or something else in its place. */
const opened = <A>(path: string, work: (record: RecordFile) => A): A | null => {
  let descriptor: number
  try {
    // Without O_NONBLOCK, a pipe in the file's place would be waited for.
    descriptor = FS.openSync(path, FS.constants.O_RDONLY | FS.constants.O_NONBLOCK)
  } catch (cause) {
    if (PlainFiles.isAbsent(cause)) return null
    throw cause
  }
  try {
    const found = FS.fstatSync(descriptor)
    return found.isFile() ? work({ descriptor, size: found.size }) : null
  } finally {
    FS.closeSync(descriptor)
  }
}

const bytesOf = ({ descriptor }: RecordFile, from: number, to: number): Buffer => {
  const into = Buffer.allocUnsafe(to - from)
  return into.subarray(0, PlainFiles.readAt(descriptor, into, from))
}

interface Lines {
  readonly from: number
  readonly to: number
  readonly ignores: (line: Uint8Array) => boolean
  /** Whether to read on. */
  readonly goesOn: () => boolean
}

/** Gives the values of whole lines; the answer is the offset behind the last of them. */
const eachLine = (record: RecordFile, { from, goesOn, ignores, to }: Lines, take: (value: unknown) => void): number => {
  const lines = JsonLines.visit((item) => (item._tag === "value" ? take(item.value) : undefined), { skip: ignores })
  let read = from
  for (let at = from; at < to && goesOn();) {
    const chunk = bytesOf(record, at, Math.min(to, at + chunkBytes))
    if (chunk.length === 0) break
    const end = chunk.lastIndexOf(newline)
    lines.push(chunk)
    if (end >= 0) read = at + end + 1
    at += chunk.length
  }
  return read
}

const all = { ignores: () => false, goesOn: () => true }

/** The whole lines from a place on, as far as they are asked for. */
function* linesFrom(record: RecordFile, at: number, most: number): Generator<string> {
  const bytes = bytesOf(record, at, Math.min(record.size, at + most))
  for (let from = 0, end = bytes.indexOf(newline); end >= 0; from = end + 1, end = bytes.indexOf(newline, from))
    yield bytes.toString("utf8", from, end)
}

/** What the first lines say of the session: those up to its directory, and a few more. */
const headOf = <S>(record: RecordFile, { initial, session, step }: RecordDecoder<S>): S => {
  let state = initial
  let more = 8
  for (const line of linesFrom(record, 0, headBytes)) {
    if (session(state).cwd !== null) more -= 1
    if (more === 0) break
    state = step(state, JsonLines.first(line))[0]
  }
  return state
}

/** Shows the lines from the last to the first, as far as `least`, until `look` has seen enough. */
const backwards = (record: RecordFile, least: () => number, look: (line: Buffer, at: number) => boolean): void => {
  let [from, window] = [record.size, firstWindow]
  let bytes = Buffer.alloc(0)
  for (let to = record.size; to > least();) {
    // A line ends with its break, at `to - 1`.
    const before = to - from < 2 ? -1 : bytes.lastIndexOf(newline, to - from - 2)
    if (before === -1 && from > 0) {
      const next = Math.max(0, from - window)
      bytes = Buffer.concat([bytesOf(record, next, from), bytes.subarray(0, to - from)])
      from = next
      window *= 2
    } else {
      const at = from + before + 1
      if (!look(bytes.subarray(before + 1, to - from), at)) return
      to = at
    }
  }
}

/**
 * Where reading begins, and where the running turn does; `number`: that of the first turn that is read; `isFound` is false
 * where the turn begins farther back than is looked.
 */
interface Begin {
  readonly at: number
  readonly turn: number
  readonly number: number
  readonly isFound: boolean
}

/** When the first line from a place on was written that says it. */
const timeAt = (record: RecordFile, at: number): string | null => {
  let first: string | null = null
  const isKnown = (): boolean => first !== null
  const lines = { from: at, to: Math.min(record.size, at + mostBeginning), ignores: isKnown, goesOn: () => !isKnown() }
  eachLine(record, lines, (value) => {
    first ??= Json.time(Json.object(value)["timestamp"])
  })
  return first
}

/** Where the first line begins in so much of the record's end as is read of a turn. */
const restOf = (record: RecordFile): number => {
  const rest = Math.max(0, record.size - turnBytes)
  return rest === 0 ? 0 : rest + bytesOf(record, rest, record.size).indexOf(newline) + 1
}

const beginOf = <S>(record: RecordFile, { decoder, known, reach }: Options<S>, head: S): Begin => {
  if (reach === null) return { at: 0, turn: 0, number: 0, isFound: true }
  const begins = decoder.beginsTurn(head)
  const starts: Array<number> = []
  let limit: Reach = { turns: 0, bytes: 0 }
  let reached = record.size
  const least = (): number => Math.max(0, starts[0] === undefined ? record.size - farthest : starts[0] - limit.bytes)
  backwards(record, least, (line, at) => {
    reached = at
    if (!begins(line)) return true
    starts.push(at)
    if (starts.length > 1) return starts.length <= limit.turns + 1
    const state = decoder.midway(head, { turns: 0, open: [] })
    limit = reach(decoder.session(decoder.step(state, JsonLines.first(line.toString("utf8")))[0]))
    return true
  })
  const isFound = starts.length > 0 || reached === 0
  const turn = starts[0] ?? restOf(record)
  const isAll = reached === 0 && starts.length <= limit.turns + 1
  if (isAll && record.size - turn <= turnBytes) return { at: 0, turn, number: 0, isFound }
  const within = starts.slice(0, limit.turns + 1).findLastIndex((one) => one >= turn - limit.bytes)
  const last = starts.indexOf(known?.at ?? -1)
  const since = last === -1 ? 1 : last - Math.max(0, within)
  const number = known === undefined ? 0 : Math.max(0, known.turn + since)
  return { at: record.size - turn > turnBytes ? turn : (starts[within] ?? turn), turn, number, isFound }
}

/** What the subagents did since a time, where one is given. */
const subagentCalls = <S>({ decoder, file, hasTime }: Options<S>, since: string | null): ReadonlyArray<ToolCall> => {
  const { ignores, initial, subagents } = decoder
  if (subagents === null) return []
  const from = since === null ? Number.NaN : Date.parse(since)
  let left = since === null ? Number.POSITIVE_INFINITY : 2 * turnBytes
  const calls: Array<ToolCall> = []
  for (const path of subagents.list(file)) {
    const changed = FS.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (left <= 0 || changed < from) continue
    opened(path, (record) => {
      let state = initial
      const begin = Math.max(0, record.size - left)
      left -= record.size - begin
      eachLine(record, { from: begin, to: record.size, ignores, goesOn: hasTime }, (value) => {
        const [next, more] = subagents.step(state, value, path)
        state = next
        calls.push(...more.filter(({ at, endedAt }) => !(Date.parse(endedAt ?? at ?? "") < from)))
      })
    })
  }
  return calls
}

const mostPrompts = 3

/** The message of the running turn, with what was typed into it. */
const promptOf = ({ task }: Judgment.JudgmentState): ReadonlyArray<Judgment.Prompt> =>
  task.message === "" ? [] : [{ id: task.userMessageId, at: task.userMessageAt, asked: task.message }]

/** Begins at what is known of the lines before. */
const begun = <S>(record: RecordFile, { decoder, known }: Options<S>, { at, number }: Begin, head: S) => {
  if (at === 0) return { state: decoder.initial, judgment: Judgment.initial, prompts: [], since: null, calls: [] }
  const since = timeAt(record, at)
  const isBefore = (one: string | null): boolean => Date.parse(one ?? "") < Date.parse(since ?? "")
  const prompts = (known?.prompts ?? []).filter((one) => isBefore(one.at))
  const open = (known?.open ?? []).filter(({ call }) => isBefore(call.at))
  const calls = open.map(({ call }): ToolCall => ({ ...running, ...call }))
  const judgment = Judgment.midway(number, prompts)
  return { state: decoder.midway(head, { turns: number, open }), judgment, prompts, since, calls }
}

const running = {
  type: "tool_call",
  endedAt: null,
  status: "running",
  exitCode: null,
  output: null,
  background: true,
  agentId: null
} as const

/** Reads a session's record. Null where there is no such file; throws what the file system throws. */
export const read = <S>(options: Options<S>): Reading<S> | null =>
  opened(options.file, (record) => {
    const { decoder, file, hasTime, reach } = options
    const head = reach === null ? decoder.initial : headOf(record, decoder)
    const begin = beginOf(record, options, head)
    const from = begun(record, options, begin, head)
    const merge = decoder.subagents === null ? null : SubagentMerge.make(subagentCalls(options, from.since))
    let { judgment, state } = from
    let context: Judgment.JudgmentContext | null = null
    let waiting: ReadonlyArray<TranscriptEvent> = from.calls
    let events: Array<TranscriptEvent> = []
    let prompts: ReadonlyArray<Judgment.Prompt> = from.prompts
    const apply = (more: ReadonlyArray<TranscriptEvent>): void => {
      context ??= options.context(decoder.session(state))
      for (const event of more) {
        if (Judgment.startsTurn(judgment, event)) {
          if (judgment.task.turn >= begin.number) prompts = [...prompts, ...promptOf(judgment)]
          if (reach !== null) events = []
        }
        events.push(event)
        judgment = Judgment.step(judgment, event, context)
      }
    }
    const flush = (): void => {
      const held = waiting
      waiting = []
      apply(merge === null ? held : merge.push(held))
    }
    let isPrompted = false
    const take = (value: unknown): void => {
      const [next, more] = decoder.step(state, value)
      state = next
      isPrompted ||= more.some(TaskContext.isGenuine)
      if (more.length === 0) return
      waiting = waiting.length === 0 ? more : [...waiting, ...more]
      if (decoder.session(state).cwd !== null) flush()
    }
    const lines = { ignores: decoder.ignores, goesOn: hasTime }
    const cut = reach !== null && (!begin.isFound || record.size - begin.turn > turnBytes)
    let at = begin.at
    if (cut && begin.isFound) {
      const to = Math.min(record.size, at + mostBeginning)
      const read = eachLine(record, { ...lines, goesOn: () => !isPrompted && hasTime(), from: at, to }, take)
      flush()
      at = Math.max(read, restOf(record))
      // Without what the last stop knew nothing but the record tells how often the agent was sent on.
      const own = { ...lines, ignores: isNoFeedback, from: read, to: at }
      if (options.known === undefined)
        eachLine(record, own, (value) => apply(decoder.step(state, value)[1].filter(OwnFeedback.isFeedback)))
    }
    if (cut) judgment = Judgment.unread(judgment)
    const end = eachLine(record, { ...lines, from: at, to: record.size }, take)
    flush()
    if (merge !== null) apply(merge.end())
    const number = judgment.task.turn
    return {
      file,
      read: end,
      decoder: state,
      judgment,
      context: context ?? options.context(decoder.session(state)),
      events,
      known: {
        at: begin.turn,
        turn: number,
        open: decoder.open(state).slice(-mostOpen).map(smaller),
        prompts: [...prompts, ...(number >= begin.number ? promptOf(judgment) : [])].slice(-mostPrompts)
      },
      complete: hasTime(),
      cut
    }
  })

const isNoFeedback = ({ buffer, byteLength, byteOffset }: Uint8Array): boolean =>
  !Buffer.from(buffer, byteOffset, byteLength).includes("[reflexion ")

const mostOpen = 8
const largestInput = 2000

const smaller = ({ call, key }: OpenWork): OpenWork => ({
  key,
  call: { ...call, input: JSON.stringify(call.input ?? null).length > largestInput ? null : redactJson(call.input) }
})

/** What was written since, read on from there. Null where the record is gone; throws what the file system throws. */
export const readOn = <S>(reading: Reading<S>, { ignores, step }: RecordDecoder<S>): Reading<S> | null =>
  opened(reading.file, (record) => {
    let { decoder: state, judgment } = reading
    const events = [...reading.events]
    const lines = { ...all, ignores, from: reading.read, to: record.size }
    const read = eachLine(record, lines, (value) => {
      const [next, more] = step(state, value)
      state = next
      events.push(...more)
      judgment = more.reduce((before, event) => Judgment.step(before, event, reading.context), judgment)
    })
    return { ...reading, read, decoder: state, judgment, events }
  })
