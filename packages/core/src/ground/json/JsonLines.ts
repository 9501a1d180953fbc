/**
 * JSON values out of a byte stream of lines, chunk by chunk: total, bounded in memory, forgiving about what crashes and
 * concurrent writers leave behind.
 */
import * as JsonScan from "./JsonScan.ts"

/**
 * A decoded value or what is wrong with a line. Lines count from 1.
 *
 * @category models
 */
export type Item =
  | { readonly _tag: "value"; readonly value: unknown; readonly line: number }
  | { readonly _tag: "warning"; readonly line: number; readonly message: string }

export interface JsonLines {
  readonly push: (chunk: Uint8Array) => ReadonlyArray<Item>
  /** The last line, which may lack its line break. */
  readonly end: () => ReadonlyArray<Item>
}

export interface Options {
  /** A longer line is dropped with a warning and never held. */
  readonly maxLineBytes?: number
  /** Whether a raw line can be dropped before it is parsed. */
  readonly skip?: (line: Uint8Array) => boolean
}

export const defaultMaxLineBytes = 64 * 1024 * 1024

const newline = 10

export interface Visitor {
  readonly push: (chunk: Uint8Array) => void
  readonly end: () => void
}

/**
 * Calls back item by item, so that what the caller learns from one line decides which of the next it skips.
 *
 * @category constructors
 */
export const visit = (onItem: (item: Item) => void, options: Options = {}): Visitor => {
  const maxLineBytes = options.maxLineBytes ?? defaultMaxLineBytes
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  let held: Array<Uint8Array> = []
  let heldBytes = 0
  let dropped = 0
  let line = 0

  const hold = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return
    if (dropped > 0 || heldBytes + bytes.length > maxLineBytes) {
      dropped += heldBytes + bytes.length
      held = []
      heldBytes = 0
      return
    }
    held.push(new Uint8Array(bytes))
    heldBytes += bytes.length
  }

  const finish = (last: Uint8Array): void => {
    line++
    if (dropped > 0 || heldBytes + last.length > maxLineBytes) {
      const bytes = dropped + heldBytes + last.length
      dropped = 0
      held = []
      heldBytes = 0
      onItem({ _tag: "warning", line, message: `line of ${bytes} bytes dropped: the limit is ${maxLineBytes}` })
      return
    }
    const bytes = heldBytes === 0 ? last : concat(held, heldBytes, last)
    held = []
    heldBytes = 0
    if (isBlank(bytes)) return
    if (options.skip !== undefined && options.skip(bytes)) return
    decodeLine(decoder.decode(bytes), line, onItem)
  }

  return {
    push: (chunk) => {
      let start = 0
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, start)) {
        finish(chunk.subarray(start, at))
        start = at + 1
      }
      hold(chunk.subarray(start))
    },
    end: () => {
      if (heldBytes > 0 || dropped > 0) finish(new Uint8Array(0))
    }
  }
}

export const make = (options: Options = {}): JsonLines => {
  let items: Array<Item> = []
  const visitor = visit((item) => items.push(item), options)
  const drain = (): ReadonlyArray<Item> => {
    const out = items
    items = []
    return out
  }
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

const concat = (parts: ReadonlyArray<Uint8Array>, bytes: number, last: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(bytes + last.length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  whole.set(last, at)
  return whole
}

const isBlank = (bytes: Uint8Array): boolean => {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte !== 32 && byte !== 9 && byte !== 13 && byte !== 0) return false
  }
  return true
}

/**
 * Every JSON value of one line's text.
 *
 * @category decoding
 */
export const decodeText = (text: string, line: number): ReadonlyArray<Item> => {
  const out: Array<Item> = []
  decodeLine(text, line, (item) => out.push(item))
  return out
}

const decodeWhole = (text: string, line: number, onItem: (item: Item) => void): boolean => {
  const value = JsonScan.parse(text)
  if (value === JsonScan.failed) return false
  onItem({ _tag: "value", value, line })
  return true
}

const decodeLine = (text: string, line: number, onItem: (item: Item) => void): void => {
  if (!decodeWhole(text, line, onItem)) decodeMangled(JsonScan.clean(text), line, onItem)
}

const decodeMangled = (text: string, line: number, onItem: (item: Item) => void): void => {
  if (decodeWhole(text, line, onItem)) return
  let at = JsonScan.skipBlanks(text, 0)
  while (at < text.length) {
    const span = JsonScan.valueEnd(text, at)
    if (span.end === -1) {
      onItem({ _tag: "warning", line, message: span.problem })
      const torn = JsonScan.tornAt(text, at)
      if (torn !== undefined) onItem({ _tag: "value", value: torn, line })
      return
    }
    const value = JsonScan.parse(text.slice(at, span.end))
    if (value === JsonScan.failed) {
      onItem({ _tag: "warning", line, message: `malformed JSON in the value at column ${at + 1}` })
    } else {
      onItem({ _tag: "value", value, line })
    }
    at = JsonScan.skipBlanks(text, span.end)
  }
}

/**
 * The first JSON value of a text, undefined where there is none.
 *
 * @category parsing
 */
export const first = (text: string): unknown => {
  const item = decodeText(text, 1)[0]
  return item?._tag === "value" ? item.value : undefined
}
