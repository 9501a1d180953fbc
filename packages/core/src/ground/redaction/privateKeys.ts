/** Private key blocks, whole or cut off. */
import type { Span } from "./secretRule.ts"
import { charged, type SearchWork } from "./searchWork.ts"

const maxBlock = 20_000
const begin = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
const body = /^(?:[A-Za-z0-9+/=:,\s-]|\\[nr]){0,20000}/

/** The key's own text, up to its end line, the next block or the first character that no key holds. */
const bodyLength = (rest: string): number => {
  const end = /-----END [A-Z0-9 ]{1,60}-----/.exec(rest)
  const next = rest.indexOf("-----BEGIN ")
  if (end !== null && (next < 0 || end.index < next)) return end.index + end[0].length
  const limit = next < 0 ? rest : rest.slice(0, next)
  return body.exec(limit)?.[0].trimEnd().length ?? 0
}

export const privateKeys = (text: string, work: SearchWork): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  begin.lastIndex = 0
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    if (!charged(work, 4 * maxBlock)) return spans
    const from = begin.lastIndex
    const rest = text.slice(from, from + maxBlock)
    const length = bodyLength(rest)
    // Code that only looks for the header has no key after it.
    if (!/[A-Za-z0-9+/]{24}/.test(rest.slice(0, length))) continue
    spans.push({ kind: "private-key", start: match.index, end: from + length })
    begin.lastIndex = from + length
  }
  return spans
}
