/** Reads the bytes of a session record and returns events. Finds the format, and counts what it cannot use. */
import * as JsonScan from "../../base/json/JsonScan.ts"
import * as JsonLines from "../../base/json/JsonLines.ts"
import type { SessionInfo, TranscriptEvent } from "./Transcript.ts"
import type { TranscriptDecoder, TranscriptDecoding } from "./TranscriptDecoder.ts"

/**
 * A problem in a line.
 *
 * @category models
 */
export interface Warning {
  /** The number of the line, from 1. */
  readonly line: number
  readonly message: string
}

/**
 * A running reader. Never throws, for any bytes.
 *
 * @category models
 */
export interface Reader {
  readonly push: (chunk: Uint8Array) => ReadonlyArray<TranscriptEvent>
  readonly end: () => ReadonlyArray<TranscriptEvent>
  readonly session: () => SessionInfo
  /** The first hundred warnings. `warningCount` counts all warnings. */
  readonly warnings: () => ReadonlyArray<Warning>
  readonly warningCount: () => number
  readonly skipped: () => Readonly<Record<string, number>>
  readonly decoded: () => number
  /** The format that was found. Null before a format is found. */
  readonly host: () => string | null
  /** Why an input that looks like a session cannot be read. Null if nothing looks like a session. */
  readonly rejected: () => string | null
  readonly tried: () => ReadonlyArray<string>
}

export interface Options {
  readonly decoders: ReadonlyArray<TranscriptDecoder>
  /** The format to use. The content is not checked then. */
  readonly host?: string
  /** The largest size of a line, or of a document that is not in lines. In bytes. */
  readonly maxLineBytes?: number
}

const maxWarnings = 100
const maxUndetectedValues = 512
const maxUndetectedBytes = 8 * 1024 * 1024
const newline = 10

const unknownSession: SessionInfo = {
  host: "unknown",
  sessionId: null,
  parentSessionId: null,
  cwd: null,
  mode: "unknown"
}

export const make = ({ decoders, host, maxLineBytes = JsonLines.defaultMaxLineBytes }: Options): Reader => {
  const candidates = host === undefined ? decoders : decoders.filter((one) => one.host === host)
  const { drain, finish, ignores, take, ...told } = makeEvents(candidates, host !== undefined)
  const lines = JsonLines.visit(take, { maxLineBytes, skip: ignores })
  const head = makeHead(maxLineBytes)
  let isLines = false

  const readLines = (): void => {
    isLines = true
    for (const chunk of head.drain()) lines.push(chunk)
  }

  return {
    ...told,
    push: (chunk) => {
      if (isLines) lines.push(chunk)
      else if (head.push(chunk)) readLines()
      return drain()
    },
    end: () => {
      const document = head.isDocument() ? JsonScan.parse(head.text()) : JsonScan.failed
      if (document === JsonScan.failed) readLines()
      else take({ _tag: "value", value: document, line: 1 })
      lines.end()
      finish()
      return drain()
    },
    tried: () => candidates.map((one) => one.host)
  }
}

const isBlank = (byte: number): boolean => byte <= 32 || byte === 0xef || byte === 0xbb || byte === 0xbf

/** Keeps the input until the first line shows whether the input is in lines. Keeps a document until its end. */
const makeHead = (maxBytes: number) => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  let isBegun = false
  let isDocument = false

  const text = (): string => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
    return JsonScan.clean(chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode())
  }

  return {
    text,
    isDocument: () => isDocument,
    drain: (): ReadonlyArray<Uint8Array> => {
      isDocument = false
      return chunks.splice(0)
    },
    push: (chunk: Uint8Array): boolean => {
      const from = isBegun ? 0 : chunk.findIndex((byte) => !isBlank(byte))
      isBegun ||= from >= 0
      bytes += chunk.length
      // The caller may reuse the buffer, so the bytes are copied.
      chunks.push(new Uint8Array(chunk))
      if (bytes > maxBytes) return true
      if (isDocument || from < 0 || !chunk.includes(newline, from)) return false
      const [line = ""] = text().trimStart().split("\n", 1)
      isDocument = /^[[{]/.test(line) && JsonScan.parse(line) === JsonScan.failed
      return !isDocument
    }
  }
}

const makeEvents = (decoders: ReadonlyArray<TranscriptDecoder>, forced: boolean) => {
  let decoder: TranscriptDecoder | undefined = forced ? decoders[0] : undefined
  let decoding: TranscriptDecoding | undefined = decoder?.start()
  let bytes = 0
  let decoded = 0
  let unrecognised = 0
  let warningCount = 0
  let rejected: string | null = null
  const undetected: Array<unknown> = []
  const out: Array<TranscriptEvent> = []
  const warnings: Array<Warning> = []
  const ignored = new Map<string, number>()

  const emit = (events: ReadonlyArray<TranscriptEvent>): void => {
    decoded += events.length
    for (const event of events) out.push(event)
  }

  const warn = (line: number, message: string): void => {
    warningCount++
    if (warnings.length < maxWarnings) warnings.push({ line, message })
  }

  const hold = (value: unknown): void => {
    for (const one of decoders) rejected ??= one.rejects?.(value) ?? null
    undetected.push(value)
    if (bytes > maxUndetectedBytes || undetected.length > maxUndetectedValues)
      unrecognised += undetected.splice(0).length
  }

  const decode = (value: unknown): void => {
    decoder ??= decoders.find((one) => one.recognises(value))
    decoding ??= decoder?.start()
    if (decoding === undefined) return hold(value)
    for (const earlier of undetected.splice(0)) emit(decoding.push(earlier))
    emit(decoding.push(value))
  }

  const isOne = (value: unknown): boolean =>
    (decoder === undefined ? decoders : [decoder]).some((one) => one.recognises(value))

  return {
    ignores: (line: Uint8Array): boolean => {
      if (decoder === undefined) bytes += line.length
      const type = decoder?.ignores?.(line) ?? null
      if (type === null) return false
      ignored.set(type, (ignored.get(type) ?? 0) + 1)
      return true
    },
    take: (item: JsonLines.Item): void => {
      if (item._tag === "warning") warn(item.line, item.message)
      else if (Array.isArray(item.value) && !isOne(item.value)) for (const value of item.value) decode(value)
      else decode(item.value)
    },
    finish: (): void => {
      unrecognised += undetected.splice(0).length
      if (decoding !== undefined) emit(decoding.end())
      for (const problem of decoding?.problems?.() ?? []) warn(1, problem)
    },
    drain: (): ReadonlyArray<TranscriptEvent> => out.splice(0),
    session: (): SessionInfo => decoding?.session() ?? unknownSession,
    warnings: (): ReadonlyArray<Warning> => warnings,
    warningCount: (): number => warningCount,
    skipped: (): Readonly<Record<string, number>> => {
      const counts = new Map(Object.entries(decoding?.skipped() ?? {}))
      for (const [type, count] of ignored) counts.set(type, (counts.get(type) ?? 0) + count)
      if (unrecognised > 0) counts.set("unrecognised", unrecognised)
      return Object.fromEntries(counts)
    },
    decoded: (): number => decoded,
    host: (): string | null => decoder?.host ?? null,
    rejected: (): string | null => (decoder === undefined ? rejected : null)
  }
}
