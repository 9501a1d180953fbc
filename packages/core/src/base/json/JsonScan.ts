/** Finds where JSON values begin and end in a text that JSON.parse rejects. */

export const failed: unique symbol = Symbol.for("@reflexion/core/jsonScan/failed")

/** A shorter text never needs much memory, even if it is deeply nested. */
const largeLength = 1024 * 1024

/** The maximum nesting depth; no real record is nested deeper. V8 uses 60 bytes for each bracket, closed or not. */
const maxDepth = 500

/** Like JSON.parse, but rejects large, deeply nested text. A few megabytes of brackets could use gigabytes. */
export const strict = (text: string): unknown => {
  if (text.length > largeLength && bracketsFrom(text, skipBlanks(text, 0), maxDepth).depth > maxDepth)
    throw new SyntaxError(`it is nested more than ${maxDepth} deep`)
  return JSON.parse(text)
}

export const parse = (text: string): unknown => {
  try {
    return strict(text)
  } catch {
    return failed
  }
}

/** Crashed writers and editors leave byte order marks and NUL characters. */
export const clean = (text: string): string => text.replaceAll("\u0000", "").replaceAll("\uFEFF", "")

export const skipBlanks = (text: string, from: number): number => {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= 32) at++
  return at
}

export interface Span {
  /** -1 if there is no value. */
  readonly end: number
  readonly problem: string
}

const quote = 34
const backslash = 92

/** -1 if the string is not closed. */
const stringEnd = (text: string, from: number): number => {
  for (let close = text.indexOf('"', from + 1); close !== -1; close = text.indexOf('"', close + 1)) {
    let before = close - 1
    while (before > from && text.charCodeAt(before) === backslash) before--
    if ((close - before) % 2 === 1) return close + 1
  }
  return -1
}

/** Counts brackets outside strings until all are closed or over `most` are open. `end` is -1 if the text ends first. */
const bracketsFrom = (text: string, from: number, most = Number.POSITIVE_INFINITY) => {
  let depth = 0
  for (let at = from; at < text.length;) {
    const code = text.charCodeAt(at)
    const next = code === quote ? stringEnd(text, at) : at + 1
    if (next === -1) return { depth, end: -1, inString: true }
    if (code === 123 || code === 91) depth++
    else if (code === 125 || code === 93) depth--
    if (depth > most || depth === 0) return { depth, end: next, inString: false }
    at = next
  }
  return { depth, end: -1, inString: false }
}

export const valueEnd = (text: string, from: number): Span => {
  const code = text.charCodeAt(from)
  if (code !== 123 && code !== 91) return { end: -1, problem: `not a JSON object or array at column ${from + 1}` }
  const { end, inString } = bracketsFrom(text, from)
  const how = inString ? "ends inside a string" : "is not closed"
  return { end, problem: end === -1 ? `truncated: the value at column ${from + 1} ${how}` : "" }
}

const maxAttempts = 32

/** The beginning of an object. After a colon, comma or bracket, it belongs to the damaged value and does not match. */
const begins = /(?<![:,[]\s{0,15})\{"/g

/** After a crash, an object may be cut short, and a later object may follow directly. Returns the later object. */
export const tornAt = (text: string, from: number): object | undefined => {
  begins.lastIndex = from + 1
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const at = begins.exec(text)?.index
    if (at === undefined) return undefined
    if (skipBlanks(text, valueEnd(text, at).end) < text.length) continue
    const value = parse(text.slice(at))
    if (typeof value === "object" && value !== null) return value
  }
  return undefined
}
