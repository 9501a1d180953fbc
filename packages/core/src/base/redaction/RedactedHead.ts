/** Cuts texts and removes their secrets. Text at a cut is removed too, because half of a secret is not recognised. */
import { redact } from "./Redaction.ts"

/** Cuts at white space, because the beginning of a token would not be recognised as a secret. */
const wordsWithin = (text: string, limit: number): string => {
  let end = limit
  while (end > 0 && !/\s/.test(text.charAt(end))) end -= 1
  return text.slice(0, end)
}

export const redactedHead = (text: string, limit: number): string => {
  if (text.length <= limit) return redact(text)
  const words = wordsWithin(text, limit)
  return words === "" ? redact(text.slice(0, limit)).slice(0, -limit / 2) : redact(words)
}

/** Returns the beginning of a text for a later redaction. Every secret in it is whole. */
export const head = (text: string, limit: number): string =>
  text.length <= limit ? text : wordsWithin(text, limit) || redactedHead(text, 2 * limit)

export interface Ends {
  readonly head: string
  /** Empty if the head contains the whole text. */
  readonly tail: string
  /** The number of characters left out. */
  readonly left: number
}

/** Longer than a private key, the longest known secret. */
const margin = 24_000

/** Returns both ends without secrets. The time does not grow with the text. Text next to a cut is left out too. */
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
