/** Reads JSON lines from a byte stream. It never fails, uses limited memory, and accepts lines damaged by a crash. */
import * as JsonScan from "./JsonScan.ts"

/** Line numbers start at 1. */
export type Item =
  | { readonly _tag: "value"; readonly value: unknown; readonly line: number }
  | { readonly _tag: "warning"; readonly line: number; readonly message: string }

export interface JsonLines {
  readonly push: (chunk: Uint8Array) => ReadonlyArray<Item>
  /** Reads a last line that has no line break. */
  readonly end: () => ReadonlyArray<Item>
}

export interface Options {
  /** A longer line is dropped with a warning and never kept in memory. */
  readonly maxLineBytes?: number
  /** True if a raw line can be dropped before it is parsed. */
  readonly skip?: (line: Uint8Array) => boolean
}

export const defaultMaxLineBytes = 64 * 1024 * 1024

const newline = 10

export interface Visitor {
  readonly push: (chunk: Uint8Array) => void
  readonly end: () => void
}

/** Calls `onItem` before it reads the next line, so that `skip` can depend on earlier lines. */
export const visit = (onItem: (item: Item) => void, options: Options = {}): Visitor => {
  const maxLineBytes = options.maxLineBytes ?? defaultMaxLineBytes
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  /** The parts of the current line. Empty if the line is too long. */
  let held: Array<Uint8Array> = []
  let bytes = 0
  let line = 0

  const hold = (part: Uint8Array): void => {
    bytes += part.length
    if (bytes > maxLineBytes) held = []
    else if (part.length > 0) held.push(part)
  }

  const finish = (): void => {
    const [whole, length] = [joined(held), bytes]
    line++
    held = []
    bytes = 0
    if (length > maxLineBytes)
      onItem({ _tag: "warning", line, message: `line of ${length} bytes dropped: the limit is ${maxLineBytes}` })
    else if (!isBlank(whole) && options.skip?.(whole) !== true) decodeLine(decoder.decode(whole), line, onItem)
  }

  return {
    push: (chunk) => {
      let start = 0
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, start)) {
        hold(chunk.subarray(start, at))
        finish()
        start = at + 1
      }
      // Copies the bytes, because the caller may reuse its buffer. A slice of a Node buffer would share those bytes.
      hold(new Uint8Array(chunk.subarray(start)))
    },
    end: () => {
      if (bytes > 0) finish()
    }
  }
}

export const make = (options: Options = {}): JsonLines => {
  let items: Array<Item> = []
  const visitor = visit((item) => items.push(item), options)
  const drain = (): ReadonlyArray<Item> => items.splice(0)
  return {
    push: (chunk) => {
      visitor.push(chunk)
      return drain()
    },
    end: () => {
      visitor.end()
      return drain()
    }
  }
}

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return first
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const isBlank = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 32 || byte === 9 || byte === 13 || byte === 0)

const decodeWhole = (text: string, line: number, onItem: (item: Item) => void): boolean => {
  const value = JsonScan.parse(text)
  if (value === JsonScan.failed) return false
  onItem({ _tag: "value", value, line })
  return true
}

const decodeLine = (raw: string, line: number, onItem: (item: Item) => void): void => {
  if (decodeWhole(raw, line, onItem)) return
  const text = JsonScan.clean(raw)
  if (text !== raw && decodeWhole(text, line, onItem)) return
  for (let at = JsonScan.skipBlanks(text, 0); at < text.length;) {
    const { end, problem } = JsonScan.valueEnd(text, at)
    if (end === -1) {
      onItem({ _tag: "warning", line, message: problem })
      const torn = JsonScan.tornAt(text, at)
      if (torn !== undefined) onItem({ _tag: "value", value: torn, line })
      return
    }
    if (!decodeWhole(text.slice(at, end), line, onItem))
      onItem({ _tag: "warning", line, message: `malformed JSON in the value at column ${at + 1}` })
    at = JsonScan.skipBlanks(text, end)
  }
}

export const first = (text: string): unknown => {
  const items: Array<Item> = []
  decodeLine(text, 1, (item) => items.push(item))
  return items[0]?._tag === "value" ? items[0].value : undefined
}
