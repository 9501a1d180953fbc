import { redact } from "../Redaction.ts"

/** Up to the last white space where something is cut off: the beginning of a token is no longer known as one. */
const beginning = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  let end = limit
  while (end > 0 && !/\s/.test(text.charAt(end))) end -= 1
  return text.slice(0, end)
}

/** A long text's beginning without its secrets, nor what the cut would leave of one. */
export const redactedHead = (text: string, limit: number): string => redact(beginning(text, limit))
