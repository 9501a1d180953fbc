/** Finds blocks of private keys, complete or cut off. */
import { charged, eachMatch, type SearchWork, type Span } from "./secretRule.ts"

const maxBlock = 20_000
const begin = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
const body = /^(?:[A-Za-z0-9+/=:,\s-]|\\[nr]){0,20000}/

/** The key ends at its end line, at the next block, or at the first character that a key cannot have. */
const bodyLength = (rest: string): number => {
  const end = /-----END [A-Z0-9 ]{1,60}-----/.exec(rest)
  const next = rest.indexOf("-----BEGIN ")
  if (end !== null && (next < 0 || end.index < next)) return end.index + end[0].length
  return body.exec(next < 0 ? rest : rest.slice(0, next))?.[0].trimEnd().length ?? 0
}

export const privateKeys = (text: string, work: SearchWork): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  eachMatch(begin, text, work, (match) => {
    if (!charged(work, 4 * maxBlock)) return
    const from = match.index + match[0].length
    const rest = text.slice(from, from + maxBlock)
    const end = from + bodyLength(rest)
    // Code that only searches for the header of a key has no key after the header.
    if (!/[A-Za-z0-9+/]{24}/.test(text.slice(from, end))) return
    spans.push({ kind: "private-key", start: match.index, end })
    return end
  })
  return spans
}
