/** Cuts of a text without its secrets, nor what the cut would leave of one: the half of a secret is not known as one. */
import { redact } from "./Redaction.ts"

/** Up to the last white space where something is cut off: the beginning of a token is no longer known as one. */
const wordsWithin = (text: string, limit: number): string => {
  let end = limit
  while (end > 0 && !/\s/.test(text.charAt(end))) end -= 1
  return text.slice(0, end)
}

/** A long text's beginning without its secrets. */
export const redactedHead = (text: string, limit: number): string => {
  if (text.length <= limit) return redact(text)
  const words = wordsWithin(text, limit)
  return words === "" ? redact(text.slice(0, limit)).slice(0, -limit / 2) : redact(words)
}

/** A text's beginning in which every secret is still known as one, for a redaction that comes later. */
export const head = (text: string, limit: number): string =>
  text.length <= limit ? text : wordsWithin(text, limit) || redactedHead(text, 2 * limit)

/** `left` is how many characters between them are left out; the tail is empty where all stands in the head. */
export interface Ends {
  readonly head: string
  readonly tail: string
  readonly left: number
}

/** The longest secret that is known, a private key, and something more. */
const margin = 24_000

/** Both ends of a text without its secrets, in a time that does not grow with it. What lies next to a cut is left out as well. */
export const redactedEnds = (text: string, part: number, plain = (piece: string): string => piece): Ends => {
  const read = part + margin
  const safe = (piece: string): string => redact(plain(piece))
  const isShort = text.length <= 2 * read
  const first = safe(isShort ? text : text.slice(0, read))
  if (isShort && first.length <= 2 * part) return { head: first, tail: "", left: 0 }
  const head = (isShort ? first : first.slice(0, -margin)).slice(0, part)
  const tail = (isShort ? first : safe(text.slice(-read)).slice(margin)).slice(-part)
  return { head, tail, left: (isShort ? first : text).length - head.length - tail.length }
}
