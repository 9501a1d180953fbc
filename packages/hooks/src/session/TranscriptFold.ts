/**
 * A session's record folded as far as it goes, and taken up again where it was left: a stop costs what is new since the
 * last one, not the length of the session.
 */
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import * as Judgment from "@reflexion/core/Judgment"
import type { SessionInfo, ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Checksum from "../places/Checksum.ts"
import * as RecordFile from "./recordFile.ts"

/**
 * A host's record as pure steps over plain JSON.
 *
 * @category models
 */
export interface RecordDecoder<S> {
  readonly initial: S
  readonly step: (state: S, value: unknown) => readonly [S, ReadonlyArray<TranscriptEvent>]
  /** What the end of the record adds at a stop. */
  readonly finish: (state: S) => ReadonlyArray<TranscriptEvent>
  readonly session: (state: S) => SessionInfo
  /** Whether a raw line can be dropped unparsed. */
  readonly ignores: (line: Uint8Array) => boolean
  /** Whether a message of the user began the running turn. */
  readonly isPrompted: (state: S) => boolean
  /** How much that began after a time still goes on in the background, where the host's payload does not tell. */
  readonly background: (state: S, since: string | null) => number
  /** Which of the record's files are those of its subagents; null where the host keeps none beside it. */
  readonly subagents: SubagentFiles<S> | null
}

export interface SubagentFiles<S> {
  readonly list: (record: string) => ReadonlyArray<string>
  readonly step: (state: S, value: unknown, file: string) => readonly [S, ReadonlyArray<ToolCall>]
  /** Whether nothing is open in a file's state, so that reading on may begin from the initial one. */
  readonly isSettled: (state: S) => boolean
  /** Puts the calls in their place among the main events, by time. */
  readonly merge: (calls: ReadonlyArray<ToolCall>) => {
    readonly push: (events: ReadonlyArray<TranscriptEvent>) => ReadonlyArray<TranscriptEvent>
    readonly end: () => ReadonlyArray<TranscriptEvent>
  }
}

/**
 * A fold as it is saved. `read` is how far the record was read, in bytes; `prints` are samples of what was read, by which
 * another content is noticed; `context` identifies what the folding depended on beside the record. A subagent's decoder is null where nothing is open.
 *
 * @category models
 */
export interface Fold<S> {
  readonly file: string
  readonly read: number
  readonly prints: string
  readonly context: string
  readonly decoder: S
  readonly judgment: Judgment.JudgmentState
  readonly subagents: Readonly<Record<string, { readonly read: number; readonly decoder: S | null }>>
}

export interface Options<S> {
  readonly file: string
  readonly decoder: RecordDecoder<S>
  readonly saved: Fold<S> | null
  /** What the folding depends on, as soon as the session's directory is known. */
  readonly context: (session: SessionInfo) => Judgment.JudgmentContext
  /** Whether there is still time to read on. */
  readonly hasTime: () => boolean
  /** Sees each event that is folded, before the fold does. */
  readonly observe?: (event: TranscriptEvent, context: Judgment.JudgmentContext) => void
}

/**
 * `complete` is false where the time ran out: the fold is good, the end of the record is not in it.
 *
 * @category models
 */
export interface Folded<S> {
  readonly fold: Fold<S>
  readonly context: Judgment.JudgmentContext
  readonly complete: boolean
}

const contextKey = ({ config, cwd, repo }: Judgment.JudgmentContext): string =>
  Checksum.ofText(JSON.stringify([repo.scripts, config.gates, cwd ?? null]))

/** The saved fold, if the record still begins with what it was made of. */
const usable = <S>(saved: Fold<S> | null, record: RecordFile.RecordFile): Fold<S> | null =>
  saved !== null &&
  saved.file === record.path &&
  saved.read <= record.size &&
  record.prints(saved.read) === saved.prints
    ? saved
    : null

const fresh = <S>(decoder: RecordDecoder<S>, file: string): Fold<S> => ({
  file,
  read: 0,
  prints: "",
  context: "",
  decoder: decoder.initial,
  judgment: Judgment.initial,
  subagents: {}
})

interface Reading {
  readonly read: number
  readonly complete: boolean
}

/** Pushes the whole lines from an offset on; the answer is the offset after the last of them. */
const readLines = (
  record: RecordFile.RecordFile,
  from: number,
  options: { readonly ignores: (line: Uint8Array) => boolean; readonly hasTime: () => boolean },
  take: (value: unknown) => void
): Reading => {
  const lines = JsonLines.visit((item) => (item._tag === "value" ? take(item.value) : undefined), {
    skip: options.ignores
  })
  let read = from
  for (let at = from; at < record.size;) {
    if (!options.hasTime()) return { read, complete: false }
    const chunk = record.chunk(at)
    if (chunk.length === 0) break
    const end = chunk.lastIndexOf(10)
    lines.push(chunk)
    if (end >= 0) read = at + end + 1
    at += chunk.length
  }
  return { read, complete: true }
}

type Subagents<S> = Fold<S>["subagents"]

/** What a subagent's file has that was not read yet. A file that became shorter is another one. */
const readSubagent = <S>(
  path: string,
  before: Subagents<S>[string] | undefined,
  files: SubagentFiles<S>,
  { decoder, hasTime }: Options<S>
): { readonly calls: ReadonlyArray<ToolCall>; readonly now: Subagents<S>[string] } | null => {
  const record = RecordFile.open(path)
  if (record === null) return null
  const known = before !== undefined && before.read <= record.size ? before : null
  const calls: Array<ToolCall> = []
  let state = known?.decoder ?? decoder.initial
  const { read } = readLines(record, known?.read ?? 0, { ignores: decoder.ignores, hasTime }, (value) => {
    const [next, more] = files.step(state, value, path)
    state = next
    calls.push(...more)
  })
  record.close()
  return { calls, now: { read, decoder: files.isSettled(state) ? null : state } }
}

const readSubagents = <S>(
  fold: Fold<S>,
  options: Options<S>
): { readonly calls: ReadonlyArray<ToolCall>; readonly subagents: Subagents<S> } => {
  const files = options.decoder.subagents
  const subagents: Record<string, Subagents<S>[string]> = {}
  const calls: Array<ToolCall> = []
  for (const path of files?.list(options.file) ?? []) {
    const before = Object.hasOwn(fold.subagents, path) ? fold.subagents[path] : undefined
    const found = files === null ? null : readSubagent(path, before, files, options)
    if (found === null) continue
    calls.push(...found.calls)
    subagents[path] = found.now
  }
  return { calls, subagents }
}

/** Reads on from a fold. Events that come before the session's directory is known wait for it. */
const readOn = <S>(fold: Fold<S>, record: RecordFile.RecordFile, options: Options<S>): Folded<S> => {
  const { decoder } = options
  const { calls, subagents } = readSubagents(fold, options)
  const merge = decoder.subagents?.merge(calls) ?? null
  let state = fold.decoder
  let judgment = fold.judgment
  let context: Judgment.JudgmentContext | null = null
  let waiting: ReadonlyArray<TranscriptEvent> = []
  const apply = (events: ReadonlyArray<TranscriptEvent>): void => {
    context ??= options.context(decoder.session(state))
    for (const event of events) {
      options.observe?.(event, context)
      judgment = Judgment.step(judgment, event, context)
    }
  }
  const flush = (): void => {
    const events = waiting
    waiting = []
    apply(merge === null ? events : merge.push(events))
  }
  const reading = readLines(record, fold.read, { ignores: decoder.ignores, hasTime: options.hasTime }, (value) => {
    const [next, events] = decoder.step(state, value)
    state = next
    if (events.length === 0) return
    waiting = waiting.length === 0 ? events : [...waiting, ...events]
    if (decoder.session(state).cwd !== null) flush()
  })
  flush()
  if (merge !== null) apply(merge.end())
  context ??= options.context(decoder.session(state))
  return {
    fold: {
      file: record.path,
      read: reading.read,
      prints: record.prints(reading.read),
      context: contextKey(context),
      decoder: state,
      judgment,
      subagents
    },
    context,
    complete: reading.complete
  }
}

/**
 * Folds a session's record, from the saved fold on where that still holds. Null where there is no such file; throws what
 * the file system throws.
 *
 * @category folding
 */
export const resume = <S>(options: Options<S>): Folded<S> | null => {
  const record = RecordFile.open(options.file)
  if (record === null) return null
  try {
    const saved = usable(options.saved, record)
    const start = fresh(options.decoder, record.path)
    if (saved === null) return readOn(start, record, options)
    const folded = readOn(saved, record, options)
    // What was folded under other scripts or gates would be judged by both.
    return folded.fold.context === saved.context ? folded : readOn(start, record, options)
  } finally {
    record.close()
  }
}
