/**
 * Patterns behind words. A process that lives for one stop reads each text once, and there compiling an expression
 * takes longer than running it: a text without the words that every match has costs neither.
 */
import { lazy } from "./Lazy.ts"

export interface Guarded {
  /** In lower case: groups separated by "&" of words separated by "|". Every match has a word of each group. */
  readonly words: string
  readonly pattern: () => RegExp
  /** Whether a text has a word of each group. */
  readonly admits: (text: string) => boolean
  readonly test: (text: string) => boolean
  readonly exec: (text: string) => RegExpExecArray | null
  readonly replace: (text: string, by: string) => string
}

/** Every guarded pattern made so far, for the proof that no guard keeps a match out. */
export const everyGuarded: Array<Guarded> = []

let last = ""
let lastLowered = ""

/** Row after row of patterns asks for the same text. */
const lowered = (text: string): string => {
  if (text !== last) {
    last = text
    // The long s is an "s" to an expression that knows Unicode.
    lastLowered = text.toLowerCase().replaceAll("ſ", "s")
  }
  return lastLowered
}

export const guarded = (words: string, make: () => RegExp): Guarded => {
  const pattern = lazy(make)
  const groups = lazy(() => words.split("&").map((group) => group.split("|")))
  const admits = (text: string): boolean => {
    const low = lowered(text)
    return groups().every((group) => group.some((word) => low.includes(word)))
  }
  const made: Guarded = {
    words,
    pattern,
    admits,
    test: (text) => admits(text) && pattern().test(text),
    exec: (text) => (admits(text) ? pattern().exec(text) : null),
    replace: (text, by) => (admits(text) ? text.replace(pattern(), by) : text)
  }
  everyGuarded.push(made)
  return made
}
