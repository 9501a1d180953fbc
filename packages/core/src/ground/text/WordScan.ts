/**
 * Whether a text has any of many words, in one pass over its characters: by the last five bits of three characters in a
 * row, which are the same in both cases, a table says where one of the words may begin.
 */
import { lazy } from "./Lazy.ts"

export interface Words {
  /** As they are written; two characters at least. */
  readonly exact: Iterable<string>
  /** The same, found only where no letter and no digit stands before. */
  readonly begin: Iterable<string>
  /** Of ASCII letters in lower case, found in either case. */
  readonly either: Iterable<string>
}

export interface Seen {
  readonly exact: boolean
  readonly either: boolean
  /** Whether there are characters beyond ASCII, some of which are a letter of it in lower case. */
  readonly isBeyond: boolean
}

const mask = 0x7fff

const next = (print: number, code: number): number => ((print << 5) | (code & 31)) & mask

const codesAt = (word: string, at: number): ReadonlyArray<number> =>
  at < word.length ? [word.charCodeAt(at)] : Array.from({ length: 32 }, (_, code) => code)

interface Word {
  readonly text: string
  readonly isExact: boolean
  readonly begins: boolean
}

const compiled = ({ begin, either, exact }: Words) => {
  const begun: Array<Array<Word>> = [[]]
  /** Which of those begin so. */
  const table = new Uint16Array(mask + 1)
  const add = (word: Word): void => {
    const two = next(next(0, word.text.charCodeAt(0)), word.text.charCodeAt(1))
    for (const code of codesAt(word.text, 2)) {
      const print = next(two, code)
      if (table[print] === 0) table[print] = begun.push([]) - 1
      begun[table[print] ?? 0]?.push(word)
    }
  }
  for (const text of exact) add({ text, isExact: true, begins: false })
  for (const text of begin) add({ text, isExact: true, begins: true })
  for (const text of either) add({ text, isExact: false, begins: false })
  return { begun, table }
}

const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)

const isAt = (text: string, at: number, { begins, isExact, text: word }: Word): boolean => {
  if (!isExact) return text.slice(at, at + word.length).toLowerCase() === word
  if (text.charCodeAt(at) !== word.charCodeAt(0) || (begins && at > 0 && isWord(text.charCodeAt(at - 1)))) return false
  return text.startsWith(word, at)
}

/** Calls for each word at each of its places, until it is told to stop; all codes of the characters it came by, or-ed. */
const walk = ({ begun, table }: ReturnType<typeof compiled>, text: string, on: (word: Word) => boolean): number => {
  let [print, all] = [0, 0]
  // One more than there are, for a word of two at the end.
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    all |= code
    print = next(print, code)
    const which = table[print] ?? 0
    if (which === 0) continue
    for (const word of begun[which] ?? []) if (isAt(text, Math.max(0, at - 2), word) && on(word)) return all
  }
  return all
}

export const wordScanner = (words: () => Words): ((text: string) => Seen) => {
  const known = lazy(() => compiled(words()))
  return (text) => {
    let [exact, either] = [false, false]
    const all = walk(known(), text, ({ isExact }) => {
      if (isExact) exact = true
      else either = true
      return exact
    })
    return { exact, either, isBeyond: all > 127 }
  }
}

export interface Found {
  /** Those that are looked for as they are written. */
  readonly exact: ReadonlySet<string>
  readonly either: boolean
  readonly isBeyond: boolean
}

/** Which of the words a text has. */
export const wordFinder = (words: () => Words): ((text: string) => Found) => {
  const known = lazy(() => compiled(words()))
  return (text) => {
    const exact = new Set<string>()
    let either = false
    const all = walk(known(), text, (word) => {
      if (word.isExact) exact.add(word.text)
      else either = true
      return false
    })
    return { exact, either, isBeyond: all > 127 }
  }
}
