/**
 * Finds keys of services without a rule of their own: a short prefix, "-" or "_", and at least twenty mixed characters.
 * Ids of calls, messages and sessions have the same form but are not secrets.
 */
import { eachMatch, type SearchWork, type Span } from "./secretRule.ts"
import { isScrambled } from "./scrambled.ts"
import { isMasked } from "./secretValues.ts"

/** Begins at the first "-" or "_" of a word. A look-behind checks the prefix. */
const candidate =
  /[-_](?=[\w-]{20})(?<=(?<![\w-])(?:[a-z][a-z0-9]{0,11}|[A-Z][A-Z0-9]{0,7})[-_])[\w-]{20,400}(?![\w/+=-])/g

const prefix = /(?:[a-z][a-z0-9]{0,11}|[A-Z][A-Z0-9]{0,7})$/

/** Prefixes of ids and of hash algorithms. */
const ofThings: ReadonlySet<string> = new Set(
  (
    "acc acct account agent asst assistant batch build call cell ch chatcmpl chunk cmpl commit conv conversation css ctc cus " +
    "deploy deployment dpl evt event fc file gen gid hash id img image in item job md5 message msg order ord org part perm pi " +
    "price prj proj project prod prompt prt que req request resp response rs run ses sess session sha sha1 sha224 sha256 sha384 " +
    "sha512 span step sub task team thread tool toolcall toolu srvtoolu trace turn txn uid upload user usr uuid ws"
  ).split(" ")
)

/** After these prefixes, even hexadecimal digits are a key. */
const ofKeys: ReadonlySet<string> = new Set("apikey live pat rk secret sk token".split(" "))

const uuid = /(?:^|[-_])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=[-_]|$)/i

/** Forms of ids that hosts use, and of ids that begin with a time. */
const ids = /^(?:01[1-9A-HJ-NP-Za-km-z]{20,24}|0[0-9A-Z]{25}|0[0-9a-z]{25}|[0-9a-f]{12}[0-9A-Za-z]{14})$/

const word = /(?:^|[-_])(?:[A-Z]?[a-z]{4,}|[A-Z]{4,})(?=[-_]|$)/

const isHexadecimal = (text: string): boolean => /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text)

/** Names of classes and functions do not reach this threshold. */
const surely = 100

const isKey = (body: string, keyed: boolean): boolean => {
  const text = body.replaceAll(/[-_]/g, "")
  const distinct = new Set(text).size
  // A text in which no character repeats is an alphabet for making ids.
  const isAlphabet = text.length >= 36 && distinct === text.length
  if (text.length < 20 || ids.test(text) || isMasked(body) || distinct < 10 || isAlphabet) return false
  if (uuid.test(body) || isHexadecimal(text)) return keyed && text.length >= 32
  const parts = body.split(/[-_]/)
  if (!keyed && parts.some((part) => part.length >= 16 && isHexadecimal(part))) return false
  // If the value was built from words, no part of it is a key.
  if (word.test(body) || !parts.some((part) => part.length >= 10 && !isHexadecimal(part))) return false
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text)
  if (!/\d/.test(text)) return isMixed && isScrambled(text, surely)
  return (isMixed || text.length >= (keyed ? 20 : 24)) && isScrambled(text)
}

/** The maximum number of parts of a prefix. For example, `sk_live_` has two parts. */
const mostParts = 4

/** The longest prefix of a key. For example, `sk-ant-api03-` has 13 characters. Prefixes of ids are longer. */
const longest = 15

/** Returns where the key begins in `rest`, which may begin with more parts of the prefix. -1 if there is no key. */
const keyIn = (first: string, rest: string): number => {
  const parts = [first.toLowerCase()]
  let at = 0
  while (parts.length <= mostParts && first.length + 1 + at <= longest) {
    const body = rest.slice(at)
    const keyed = parts.some((part) => ofKeys.has(part))
    if (!keyed && parts.some((part) => ofThings.has(part))) return -1
    if (isKey(body, keyed)) return at
    const next = /^[A-Za-z0-9]{1,12}(?=[-_])/.exec(body)?.[0]
    if (next === undefined) return -1
    parts.push(next.toLowerCase())
    at += next.length + 1
  }
  return -1
}

export const prefixedKeys = (text: string, work: SearchWork): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  eachMatch(candidate, text, work, (match) => {
    const first = prefix.exec(text.slice(Math.max(0, match.index - 12), match.index))?.[0] ?? ""
    const at = keyIn(first, match[0].slice(1))
    if (at >= 0) spans.push({ kind: "api-key", start: match.index + 1 + at, end: match.index + match[0].length })
  })
  return spans
}
