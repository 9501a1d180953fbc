/** Finding where JSON values begin and end in text that JSON.parse rejects. */

/** What `parse` answers when the text is no JSON. */
export const failed: unique symbol = Symbol.for("@reflexion/core/jsonScan/failed")

/** A shorter text cannot take much memory, however it is nested. */
const largeLength = 1024 * 1024

/** What nests deeper is no record of anything: V8 takes 60 bytes for each bracket, closed or not. */
const maxDepth = 500

/** As JSON.parse, which a text of some megabytes of brackets brings to take gigabytes: that one is refused in the same way. */
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
}

const quote = 34
const backslash = 92

/** The index after the closing quote of the string that begins at `from`, or -1. */
const stringEnd = (text: string, from: number): number => {
  for (let close = text.indexOf('"', from + 1); close !== -1; close = text.indexOf('"', close + 1)) {
    let before = close - 1
    while (before > from && text.charCodeAt(before) === backslash) before--
    if ((close - before) % 2 === 1) return close + 1
  }
  return -1
}

/** Counts brackets outside of strings until none is open, or more than `most` are; `end` is -1 for what has no end. */
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

/** The end of the object or array that begins at `from`, by counting brackets outside strings. */
export const valueEnd = (text: string, from: number): Span => {
  const code = text.charCodeAt(from)
  if (code !== 123 && code !== 91) return { end: -1, problem: `not a JSON object or array at column ${from + 1}` }
  const { end, inString } = bracketsFrom(text, from)
  const how = inString ? "ends inside a string" : "is not closed"
  return { end, problem: end === -1 ? `truncated: the value at column ${from + 1} ${how}` : "" }
}

const maxAttempts = 32

/** After a colon, a comma or a bracket an object is a part of the torn value. */
const begins = /(?<![:,[]\s{0,15})\{"/g

/** The object that a later writer appended right after one that a crash cut short, if the rest of the text is one. */
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
