/**
 * Bytes of a session's record in, events out: finds the format by content, reads lines or a whole document, and keeps
 * account of what it could not use.
 */
import * as JsonScan from "../../ground/json/JsonScan.ts"
import * as JsonLines from "../../ground/json/JsonLines.ts"
import type { SessionInfo, TranscriptEvent } from "./Transcript.ts"
import type { TranscriptDecoder, TranscriptDecoding } from "./TranscriptDecoder.ts"

/**
 * What was wrong with a line, counted from 1.
 *
 * @category models
 */
export interface Warning {
  readonly line: number
  readonly message: string
}

/**
 * A reading under way. Total: whatever bytes are pushed, nothing throws.
 *
 * @category models
 */
export interface Reader {
  readonly push: (chunk: Uint8Array) => ReadonlyArray<TranscriptEvent>
  readonly end: () => ReadonlyArray<TranscriptEvent>
  readonly session: () => SessionInfo
  /** The first hundred; `warningCount` has them all. */
  readonly warnings: () => ReadonlyArray<Warning>
  readonly warningCount: () => number
  /** Values that said nothing of interest, counted by their type. */
  readonly skipped: () => Readonly<Record<string, number>>
  /** How many events were decoded. */
  readonly decoded: () => number
  /** The format that was found, null while none is. */
  readonly host: () => string | null
  /** Why what was read is no session although it looks like one, null where nothing does. */
  readonly rejected: () => string | null
  /** The formats that were looked for. */
  readonly tried: () => ReadonlyArray<string>
}

export interface Options {
  readonly decoders: ReadonlyArray<TranscriptDecoder>
  /** Reads as this host's format whatever the content looks like. */
  readonly host?: string
  /** The longest line, and the longest document that is not lines. */
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

export const make = (options: Options): Reader => {
  const maxBytes = options.maxLineBytes ?? JsonLines.defaultMaxLineBytes
  const candidates =
    options.host === undefined ? options.decoders : options.decoders.filter((one) => one.host === options.host)
  const events = makeEvents(candidates, options.host !== undefined)
  const lines = JsonLines.visit(events.take, { maxLineBytes: maxBytes, skip: events.ignores })
  const head = makeHead(maxBytes)
  let framing: "unknown" | "lines" | "document" = "unknown"

  const read = (chunks: ReadonlyArray<Uint8Array>): void => {
    for (const chunk of chunks) lines.push(chunk)
  }

  return {
    push: (chunk) => {
      if (framing === "lines") {
        lines.push(chunk)
        return events.drain()
      }
      head.push(chunk)
      if (framing === "unknown") framing = head.framing(false)
      if (framing === "document" && head.isFull()) framing = "lines"
      if (framing === "lines") read(head.drain())
      return events.drain()
    },
    end: () => {
      if (framing === "unknown") framing = head.framing(true)
      const document = framing === "document" ? JsonScan.parse(head.text()) : JsonScan.failed
      if (document === JsonScan.failed) read(head.drain())
      else events.take({ _tag: "value", value: document, line: 1 })
      lines.end()
      events.finish()
      return events.drain()
    },
    session: events.session,
    warnings: events.warnings,
    warningCount: events.warningCount,
    skipped: events.skipped,
    decoded: events.decoded,
    host: events.host,
    rejected: events.rejected,
    tried: () => candidates.map((one) => one.host)
  }
}

/** Holds the first bytes until they tell whether the input is lines or one document. */
const makeHead = (maxBytes: number) => {
  let chunks: Array<Uint8Array> = []
  let bytes = 0
  let hasContent = false
  let firstLineEnd = -1

  const text = (end: number = bytes): string => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
    let out = ""
    let left = end
    for (const chunk of chunks) {
      if (left <= 0) break
      out += decoder.decode(chunk.subarray(0, left), { stream: true })
      left -= chunk.length
    }
    return JsonScan.clean(out + decoder.decode())
  }

  return {
    push: (chunk: Uint8Array): void => {
      for (let i = 0; firstLineEnd === -1 && i < chunk.length; i++) {
        const byte = chunk[i]
        if (byte === newline && hasContent) firstLineEnd = bytes + i
        else if (byte !== undefined && byte > 32 && !isByteOrderMark(byte)) {
          hasContent = true
          const next = chunk.indexOf(newline, i)
          if (next === -1) break
          firstLineEnd = bytes + next
        }
      }
      chunks.push(new Uint8Array(chunk))
      bytes += chunk.length
    },
    isFull: (): boolean => bytes > maxBytes,
    framing: (atEnd: boolean): "unknown" | "lines" | "document" => {
      if (firstLineEnd === -1) return bytes > maxBytes ? "lines" : atEnd ? "lines" : "unknown"
      const line = text(firstLineEnd)
      if (JsonScan.parse(line) !== JsonScan.failed) return "lines"
      const span = JsonScan.valueEnd(line, JsonScan.skipBlanks(line, 0))
      return span.open ? "document" : "lines"
    },
    text,
    drain: (): ReadonlyArray<Uint8Array> => {
      const out = chunks
      chunks = []
      bytes = 0
      return out
    }
  }
}

const isByteOrderMark = (byte: number): boolean => byte === 0xef || byte === 0xbb || byte === 0xbf

/** Finds the decoder by the values' content and gathers what it answers. */
const makeEvents = (decoders: ReadonlyArray<TranscriptDecoder>, forced: boolean) => {
  let decoder: TranscriptDecoder | undefined = forced ? decoders[0] : undefined
  let decoding: TranscriptDecoding | undefined = decoder?.start()
  let undetected: Array<unknown> = []
  let bytes = 0
  let out: Array<TranscriptEvent> = []
  let decoded = 0
  let unrecognised = 0
  let rejected: string | null = null
  let warningCount = 0
  const warnings: Array<Warning> = []
  const ignored = new Map<string, number>()

  const emit = (events: ReadonlyArray<TranscriptEvent>): void => {
    decoded += events.length
    for (const event of events) out.push(event)
  }

  const decode = (current: TranscriptDecoding, value: unknown): void => {
    if (Array.isArray(value) && decoder?.recognises(value) !== true) {
      for (const element of value) emit(current.push(element))
      return
    }
    emit(current.push(value))
  }

  const detect = (value: unknown): void => {
    decoder = decoders.find((one) => one.recognises(value))
    if (decoder === undefined) {
      if (Array.isArray(value)) for (const element of value) onValue(element)
      else holdUndetected(value)
      return
    }
    decoding = decoder.start()
    const before = undetected
    undetected = []
    for (const earlier of before) decode(decoding, earlier)
    decode(decoding, value)
  }

  const holdUndetected = (value: unknown): void => {
    for (const one of decoders) rejected ??= one.rejects?.(value) ?? null
    if (bytes > maxUndetectedBytes || undetected.length >= maxUndetectedValues) {
      unrecognised += undetected.length + 1
      undetected = []
    } else undetected.push(value)
  }

  const onValue = (value: unknown): void => {
    if (decoding === undefined) detect(value)
    else decode(decoding, value)
  }

  const warn = (line: number, message: string): void => {
    warningCount++
    if (warnings.length < maxWarnings) warnings.push({ line, message })
  }

  return {
    ignores: (line: Uint8Array): boolean => {
      if (decoder === undefined) bytes += line.length
      const type = decoder?.ignores?.(line) ?? null
      if (type === null) return false
      ignored.set(type, (ignored.get(type) ?? 0) + 1)
      return true
    },
    take: (item: JsonLines.Item): void => {
      if (item._tag === "value") onValue(item.value)
      else warn(item.line, item.message)
    },
    finish: (): void => {
      unrecognised += undetected.length
      undetected = []
      if (decoding !== undefined) emit(decoding.end())
      for (const problem of decoding?.problems?.() ?? []) warn(1, problem)
    },
    drain: (): ReadonlyArray<TranscriptEvent> => {
      const events = out
      out = []
      return events
    },
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
