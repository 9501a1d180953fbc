import { redact } from "./Redaction.ts"

/** Up to the last white space where something is cut off: the beginning of a token is no longer known as one. */
const wordsWithin = (text: string, limit: number): string => {
  let end = limit
  while (end > 0 && !/\s/.test(text.charAt(end))) end -= 1
  return text.slice(0, end)
}

/** A long text's beginning without its secrets, nor what the cut would leave of one. */
export const redactedHead = (text: string, limit: number): string => {
  if (text.length <= limit) return redact(text)
  const words = wordsWithin(text, limit)
  return words === "" ? redact(text.slice(0, limit)).slice(0, -limit / 2) : redact(words)
}

/** A text's beginning in which every secret is still known as one, for a redaction that comes later. */
export const head = (text: string, limit: number): string =>
  text.length <= limit ? text : wordsWithin(text, limit) || redactedHead(text, 2 * limit)
