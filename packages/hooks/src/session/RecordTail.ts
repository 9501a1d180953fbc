/** Reads the end of a session's record, from a little before the running turn. It saves no text. */
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

/** Background work. Its start is kept, because the host's later report of its end is useless without it. */
export interface OpenWork {
  readonly key: string
  readonly call: Pick<ToolCall, "at" | "cwd" | "input" | "tool"> & { readonly id: string }
}

/** Facts about the lines before the first line that is read. */
export interface EarlierTurns {
  /** May be too low. */
  readonly turns: number
  readonly open: ReadonlyArray<OpenWork>
}

export interface RecordDecoder<S> {
  readonly initial: S
  readonly step: (state: S, value: unknown) => readonly [S, ReadonlyArray<TranscriptEvent>]
  readonly finish: (state: S) => ReadonlyArray<TranscriptEvent>
  readonly session: (state: S) => SessionInfo
  readonly ignores: (line: Uint8Array) => boolean
  /** The function gets raw lines in reverse order. `head` is the decoder's state after the first lines. */
  readonly beginsTurn: (head: S) => (line: Buffer) => boolean
  readonly midway: (head: S, before: EarlierTurns) => S
  readonly open: (state: S) => ReadonlyArray<OpenWork>
  /** True if a message of the user began the running turn. */
  readonly isPrompted: (state: S) => boolean
  /** Counts background work since `since`. 0 if the host's payload already has this number. */
  readonly background: (state: S, since: string | null) => number
  readonly subagents: SubagentFiles<S> | null
}

export interface SubagentFiles<S> {
  readonly list: (record: string) => ReadonlyArray<string>
  readonly step: (state: S, value: unknown, file: string) => readonly [S, ReadonlyArray<ToolCall>]
}

/** How far back before the running turn to read. */
export interface Reach {
  readonly turns: number
  readonly bytes: number
}

/** Facts that the end of the record may lack. */
export interface LastStop {
  /** The offset in bytes at which the last stop's turn begins. */
  readonly at: number
  readonly turn: number
  readonly open: ReadonlyArray<OpenWork>
  readonly prompts: ReadonlyArray<Judgment.Prompt>
}

export interface Options<S> {
  readonly file: string
  readonly decoder: RecordDecoder<S>
  /** Gets the session as the record's first lines describe it. Null reads the whole record. */
  readonly reach: ((session: SessionInfo) => Reach) | null
  readonly known?: LastStop | undefined
  readonly context: (session: SessionInfo) => Judgment.JudgmentContext
  readonly hasTime: () => boolean
}

export interface Reading<S> {
  readonly file: string
  /** An offset in bytes. */
  readonly read: number
  readonly decoder: S
  readonly judgment: Judgment.JudgmentState
  readonly context: Judgment.JudgmentContext
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly known: LastStop
  /** False if the time was not enough to read to the end. */
  readonly complete: boolean
  /** True if the running turn was too long to read completely. */
  readonly cut: boolean
}

/** At most this many bytes of the running turn are read. */
const turnBytes = 2 * 1024 * 1024

/** At most this many bytes are searched backwards for the start of the running turn. */
const farthest = 32 * 1024 * 1024

/** In bytes. If a turn is too long, its first message is searched in this first part. It may have pictures. */
const mostBeginning = 8 * 1024 * 1024

const headBytes = 64 * 1024
const chunkBytes = 256 * 1024
const firstWindow = 128 * 1024
const newline = 10

interface RecordFile {
  readonly descriptor: number
  /** In bytes, when the file was opened. Lines appended later are read the next time. */
  readonly size: number
}

const opened = <A>(path: string, work: (record: RecordFile) => A): A | null => {
  try {
    return PlainFiles.following(path, (descriptor, { size }) => work({ descriptor, size }))
  } catch (cause) {
    if (PlainFiles.isAbsent(cause)) return null
    throw cause
  }
}

const bytesOf = ({ descriptor }: RecordFile, from: number, to: number): Buffer =>
  PlainFiles.readBetween(descriptor, from, to)

interface Lines {
  readonly from: number
  readonly to: number
  readonly ignores?: (line: Uint8Array) => boolean
  /** Reading stops when it returns false. */
  readonly goesOn?: () => boolean
}

/** Returns the offset after the last complete line. */
const eachLine = (
  record: RecordFile,
  { from, goesOn = () => true, ignores = () => false, to }: Lines,
  take: (value: unknown) => void
): number => {
  const lines = JsonLines.visit((item) => (item._tag === "value" ? take(item.value) : undefined), { skip: ignores })
  const end = Math.min(to, record.size)
  let read = from
  for (let at = from; at < end && goesOn();) {
    const chunk = bytesOf(record, at, Math.min(end, at + chunkBytes))
    if (chunk.length === 0) break
    const last = chunk.lastIndexOf(newline)
    lines.push(chunk)
    if (last >= 0) read = at + last + 1
    at += chunk.length
  }
  return read
}

/** Reads up to the line with the session's directory, and a few lines more. */
const headOf = <S>(record: RecordFile, { initial, session, step }: RecordDecoder<S>): S => {
  let state = initial
  let more = 8
  eachLine(record, { from: 0, to: headBytes }, (value) => {
    if (session(state).cwd !== null) more -= 1
    if (more > 0) state = step(state, value)[0]
  })
  return state
}

/** Reads the last line first. Goes back to the offset `least`, or until `look` returns false. */
const backwards = (record: RecordFile, least: () => number, look: (line: Buffer, at: number) => boolean): void => {
  let [from, window] = [record.size, firstWindow]
  let bytes = Buffer.alloc(0)
  for (let to = record.size; to > least();) {
    // Each line ends with its line break, at `to - 1`.
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

interface Begin {
  /** The offset in bytes at which reading begins. */
  readonly at: number
  /** The offset in bytes at which the running turn begins. */
  readonly turn: number
  /** The number of the first turn that is read. */
  readonly number: number
  /** False if the start of the running turn is too far back. */
  readonly isFound: boolean
}

const timeAt = (record: RecordFile, from: number): string | null => {
  let first: string | null = null
  eachLine(record, { from, to: from + mostBeginning, goesOn: () => first === null }, (value) => {
    first ??= Json.time(Json.object(value)["timestamp"])
  })
  return first
}

/** The first complete line within the last `turnBytes`. */
const restOf = (record: RecordFile): number => {
  const rest = Math.max(0, record.size - turnBytes)
  return rest === 0 ? 0 : rest + bytesOf(record, rest, record.size).indexOf(newline) + 1
}

const beginOf = <S>(record: RecordFile, { decoder, known, reach: reachOf }: Options<S>, head: S): Begin => {
  if (reachOf === null) return { at: 0, turn: 0, number: 0, isFound: true }
  const reach = reachOf(decoder.session(head))
  const begins = decoder.beginsTurn(head)
  const starts: Array<number> = []
  let reached = record.size
  const least = (): number => Math.max(0, starts[0] === undefined ? record.size - farthest : starts[0] - reach.bytes)
  backwards(record, least, (line, at) => {
    reached = at
    if (!begins(line)) return true
    starts.push(at)
    return starts.length <= reach.turns + 1
  })
  const isFound = starts.length > 0 || reached === 0
  const turn = starts[0] ?? restOf(record)
  const isAll = reached === 0 && starts.length <= reach.turns + 1
  if (isAll && record.size - turn <= turnBytes) return { at: 0, turn, number: 0, isFound }
  const within = starts.slice(0, reach.turns + 1).findLastIndex((one) => one >= turn - reach.bytes)
  const last = starts.indexOf(known?.at ?? -1)
  const since = last === -1 ? 1 : last - Math.max(0, within)
  const number = known === undefined ? 0 : Math.max(0, known.turn + since)
  return { at: record.size - turn > turnBytes ? turn : (starts[within] ?? turn), turn, number, isFound }
}

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

const promptOf = ({ task }: Judgment.JudgmentState): ReadonlyArray<Judgment.Prompt> =>
  task.message === "" ? [] : [{ id: task.userMessageId, at: task.userMessageAt, asked: task.message }]

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

/** Null if the file does not exist. */
export const read = <S>(options: Options<S>): Reading<S> | null =>
  opened(options.file, (record) => {
    const { decoder, file, hasTime, reach } = options
    const head = headOf(record, decoder)
    const context = options.context(decoder.session(head))
    const begin = beginOf(record, options, head)
    const from = begun(record, options, begin, head)
    const merge = SubagentMerge.make(subagentCalls(options, from.since))
    let { judgment, state } = from
    let events: Array<TranscriptEvent> = []
    let prompts: ReadonlyArray<Judgment.Prompt> = from.prompts
    const apply = (more: ReadonlyArray<TranscriptEvent>): void => {
      for (const event of more) {
        if (Judgment.startsTurn(judgment, event)) {
          if (judgment.task.turn >= begin.number) prompts = [...prompts, ...promptOf(judgment)]
          if (reach !== null) events = []
        }
        events.push(event)
        judgment = Judgment.step(judgment, event, context)
      }
    }
    let isPrompted = false
    const take = (value: unknown): void => {
      const [next, more] = decoder.step(state, value)
      state = next
      isPrompted ||= more.some(TaskContext.isGenuine)
      apply(merge.push(more))
    }
    apply(merge.push(from.calls))
    const lines = { ignores: decoder.ignores, goesOn: hasTime }
    const cut = reach !== null && (!begin.isFound || record.size - begin.turn > turnBytes)
    let at = begin.at
    if (cut && begin.isFound) {
      const goesOn = () => !isPrompted && hasTime()
      const read = eachLine(record, { ...lines, goesOn, from: at, to: at + mostBeginning }, take)
      at = Math.max(read, restOf(record))
      // If there is no data from the last stop, only the record shows how often the agent was nudged.
      if (options.known === undefined)
        eachLine(record, { ...lines, ignores: isNoFeedback, from: read, to: at }, (value) =>
          apply(decoder.step(state, value)[1].filter(OwnFeedback.isFeedback))
        )
    }
    if (cut) judgment = Judgment.unread(judgment)
    const end = eachLine(record, { ...lines, from: at, to: record.size }, take)
    apply(merge.end())
    const number = judgment.task.turn
    return {
      file,
      read: end,
      decoder: state,
      judgment,
      context,
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

/** Null if the record is gone. */
export const readOn = <S>(reading: Reading<S>, { ignores, step }: RecordDecoder<S>): Reading<S> | null =>
  opened(reading.file, (record) => {
    let { decoder: state, judgment } = reading
    const events = [...reading.events]
    const lines = { ignores, from: reading.read, to: record.size }
    const read = eachLine(record, lines, (value) => {
      const [next, more] = step(state, value)
      state = next
      events.push(...more)
      judgment = more.reduce((before, event) => Judgment.step(before, event, reading.context), judgment)
    })
    return { ...reading, read, decoder: state, judgment, events }
  })
