/** Finding where JSON values begin and end in text that JSON.parse rejects. */

/** What `parse` answers when the text is no JSON. */
export const failed: unique symbol = Symbol.for("@reflexion/core/jsonScan/failed")

/** A shorter text cannot take much memory, however it is nested. */
const largeLength = 1024 * 1024

/** What nests deeper is no record of anything: V8 takes 60 bytes for each bracket, closed or not. */
export const maxDepth = 500

/** As JSON.parse, which a text of some megabytes of brackets brings to take gigabytes: that one is refused in the same way. */
export const strict = (text: string): unknown => {
  if (text.length > largeLength && isDeep(text)) throw new SyntaxError(`it is nested more than ${maxDepth} deep`)
  return JSON.parse(text)
}

export const parse = (text: string): unknown => {
  try {
    return strict(text)
  } catch {
    return failed
  }
}

/** Without a byte order mark and NULs, which crashed writers and editors leave. */
export const clean = (text: string): string => text.replaceAll("\u0000", "").replaceAll("\uFEFF", "")

export const skipBlanks = (text: string, from: number): number => {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= 32) at++
  return at
}

export interface Span {
  /** Where the value ends, or -1. */
  readonly end: number
  readonly problem: string
  /** Whether the text ends between two parts of the value, as the first line of a pretty-printed document does. */
  readonly open: boolean
}

const problem = (message: string, open: boolean = false): Span => ({ end: -1, problem: message, open })

const quote = 34
const backslash = 92

const isOpen = (code: number): boolean => code === 123 || code === 91
const isClose = (code: number): boolean => code === 125 || code === 93

/** Whether brackets outside of strings nest deeper than can be parsed safely. */
const isDeep = (text: string): boolean => {
  let depth = 0
  for (let at = 0; at < text.length && depth <= maxDepth;) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = stringEnd(text, at)
      if (at === -1) return false
      continue
    }
    if (isOpen(code)) depth++
    else if (isClose(code)) depth--
    at++
  }
  return depth > maxDepth
}

/** The end of the object or array that begins at `from`, by counting brackets outside strings. */
export const valueEnd = (text: string, from: number): Span => {
  if (!isOpen(text.charCodeAt(from))) {
    return problem(`not a JSON object or array at column ${from + 1}`)
  }
  let depth = 0
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = stringEnd(text, at)
      if (at === -1) return problem(`truncated: the value at column ${from + 1} ends inside a string`)
      continue
    }
    if (isOpen(code)) depth++
    else if (isClose(code) && --depth === 0) return { end: at + 1, problem: "", open: false }
    at++
  }
  return problem(`truncated: the value at column ${from + 1} is not closed`, true)
}

/** The index after the closing quote of the string that begins at `from`, or -1. */
export const stringEnd = (text: string, from: number): number => {
  let at = from + 1
  for (;;) {
    const close = text.indexOf('"', at)
    if (close === -1) return -1
    let escapes = 0
    while (text.charCodeAt(close - 1 - escapes) === backslash && close - 1 - escapes > from) escapes++
    if (escapes % 2 === 0) return close + 1
    at = close + 1
  }
}

const maxAttempts = 32

/** The object that a later writer appended right after one that a crash cut short, if the rest of the text is one. */
export const tornAt = (text: string, from: number): object | undefined => {
  let at = from
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    at = text.indexOf('{"', at + 1)
    if (at === -1) return undefined
    if (isNested(text, at) || valueEnd(text, at).end !== skipTrailing(text)) continue
    const value = parse(text.slice(at))
    if (typeof value === "object" && value !== null) return value
  }
  return undefined
}

/** An object after a colon, a comma or a bracket is a part of the torn value. */
const isNested = (text: string, at: number): boolean =>
  ":,[".includes(
    text
      .slice(Math.max(0, at - 16), at)
      .trimEnd()
      .slice(-1)
  )

const skipTrailing = (text: string): number => {
  let at = text.length
  while (at > 0 && text.charCodeAt(at - 1) <= 32) at--
  return at
}
