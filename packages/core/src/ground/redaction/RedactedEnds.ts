import { redact } from "./Redaction.ts"

/** `left` is how many characters between them are left out; the tail is empty where all stands in the head. */
export interface Ends {
  readonly head: string
  readonly tail: string
  readonly left: number
}

/** The longest secret that is known, a private key, and something more. */
const margin = 24_000

const unchanged = (text: string): string => text

const cut = (text: string, part: number): Ends =>
  text.length <= 2 * part
    ? { head: text, tail: "", left: 0 }
    : { head: text.slice(0, part), tail: text.slice(-part), left: text.length - 2 * part }

/**
 * Both ends of a text without its secrets, in a time that does not grow with it. What lies next to a cut is left out as
 * well: the half of a secret is not known as one.
 */
export const redactedEnds = (text: string, part: number, plain: (text: string) => string = unchanged): Ends => {
  const read = part + margin
  const safe = (piece: string): string => redact(plain(piece))
  if (text.length <= 2 * read) return cut(safe(text), part)
  const head = safe(text.slice(0, read)).slice(0, -margin).slice(0, part)
  const tail = safe(text.slice(-read)).slice(margin).slice(-part)
  return { head, tail, left: text.length - head.length - tail.length }
}
