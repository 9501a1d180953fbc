/**
 * Whether a text has any of many words, in one pass over its characters: by the last five bits of three characters in a
 * row, which are the same in both cases, a table says where one of the words may begin.
 */
import { lazy } from "./lazy.ts"

export interface Words {
  /** As they are written; two characters at least. */
  readonly exact: Iterable<string>
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
}

const compiled = ({ either, exact }: Words) => {
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
  for (const text of exact) add({ text, isExact: true })
  for (const text of either) add({ text, isExact: false })
  return { begun, table }
}

const isAt = (text: string, at: number, { isExact, text: word }: Word): boolean =>
  isExact ? text.startsWith(word, at) : text.slice(at, at + word.length).toLowerCase() === word

export const wordScanner = (words: () => Words): ((text: string) => Seen) => {
  const known = lazy(() => compiled(words()))
  return (text) => {
    const { begun, table } = known()
    let [print, all] = [0, 0]
    let either = false
    // One more than there are, for a word of two at the end.
    for (let at = 0; at <= text.length; at += 1) {
      const code = at < text.length ? text.charCodeAt(at) : 0
      all |= code
      print = next(print, code)
      const which = table[print] ?? 0
      if (which === 0) continue
      for (const word of begun[which] ?? [])
        if (isAt(text, Math.max(0, at - 2), word)) {
          if (word.isExact) return { exact: true, either, isBeyond: all > 127 }
          either = true
        }
    }
    return { exact: false, either, isBeyond: all > 127 }
  }
}
