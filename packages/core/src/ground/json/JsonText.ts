import * as JsonScan from "./JsonScan.ts"

/** Where a comment ends that may begin here; -1 if none does, or if it is not closed. */
const commentEnd = (text: string, from: number): number => {
  if (text[from + 1] === "*") {
    const close = text.indexOf("*/", from + 2)
    return close === -1 ? -1 : close + 2
  }
  if (text[from + 1] !== "/") return -1
  const end = text.slice(from).search(/[\n\r]/)
  return end === -1 ? text.length : from + end
}

/** A text being copied in parts, of which some are replaced. */
interface Copy {
  readonly parts: Array<string>
  taken: number
  /** The part that is a comma after a value, with nothing but comments behind it. */
  comma: number
  before: string
}

const replace = (copy: Copy, text: string, at: number, by: string, end: number): number => {
  copy.parts.push(text.slice(copy.taken, at), by)
  copy.taken = end
  return end
}

/** Takes the sign at a place that is neither white space nor a comment; answers where it ends, -1 if it does not. */
const takeSign = (copy: Copy, text: string, at: number): number => {
  const sign = text.charAt(at)
  const ends = sign === "," && copy.before !== "" && !"[{,:".includes(copy.before)
  if (copy.comma >= 0 && (sign === "}" || sign === "]")) copy.parts[copy.comma] = " "
  copy.comma = ends ? copy.parts.length + 1 : -1
  copy.before = sign
  if (ends) return replace(copy, text, at, sign, at + 1)
  return sign === '"' ? JsonScan.stringEnd(text, at) : at + 1
}

const blank = /\s/

/** Plain JSON of JSON with comments and trailing commas; null where something is not closed. */
const plain = (text: string): string | null => {
  const copy: Copy = { parts: [], taken: 0, comma: -1, before: "" }
  let at = 0
  while (at >= 0 && at < text.length) {
    const sign = text.charAt(at)
    if (blank.test(sign)) at++
    else if (sign !== "/") at = takeSign(copy, text, at)
    else {
      const end = commentEnd(text, at)
      at = end < 0 ? end : replace(copy, text, at, " ", end)
    }
  }
  return at < 0 ? null : copy.parts.join("") + text.slice(copy.taken)
}

/** The value of JSON with comments and trailing commas; undefined where it is none. */
export const parseWithComments = (text: string): unknown => {
  const strict = JsonScan.parse(text)
  const value = strict === JsonScan.failed ? JsonScan.parse(plain(text) ?? "") : strict
  return value === JsonScan.failed ? undefined : value
}
