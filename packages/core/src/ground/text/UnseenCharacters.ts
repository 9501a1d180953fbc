/**
 * What of a text nobody sees: escape sequences, control characters, and what Unicode lets a program leave out when it
 * shows a text, as characters without width, fillers, marks of direction, variants and tags. The one definition for what
 * is shown, what a prompt gets and what redaction looks through.
 */
import { lazy } from "./Lazy.ts"

/** A part of a text that is not seen, `end` exclusive. */
export interface Run {
  readonly start: number
  readonly end: number
  /** Whether its neighbours are written with it: a joiner in a word or an emoji. */
  readonly means: boolean
}

const sequence = String.raw`\u001b(?:\[[0-?]{0,64}[ -/]{0,16}[@-~]?|[\]PX^_][^\u001b\u0007]*(?:\u0007|\u001b\\)|[ -/]{1,4}[0-~]|[^\n]?)`

/** White space is seen: the break of a line and a tab are controls by name. */
export const unseenCharacter = String.raw`(?![\t\n\r])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`

/** How programs write an escape sequence in a string. */
const written = String.raw`\\(?:[uU]001[bB]|x1[bB]|033|e)\[[\d;]{0,20}[mK]`

const unseen = lazy(() => new RegExp(`(?:${sequence}|${unseenCharacter})+`, "gu"))

const unseenOrWritten = lazy(() => new RegExp(`(?:${sequence}|${unseenCharacter}|${written})+`, "gu"))

const joined =
  /^[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\p{Mn}]$/u

const picture = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u

const before = (text: string, at: number): string => {
  const low = text.charCodeAt(at - 1)
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(Math.max(0, at - 2), at) : text.slice(Math.max(0, at - 1), at)
}

const after = (text: string, at: number): string => {
  const code = text.codePointAt(at)
  return code === undefined ? "" : String.fromCodePoint(code)
}

/** Nothing between two seen characters but the one joiner, or the two marks, that a word or an emoji is written with. */
const isMeant = (text: string, start: number, end: number): boolean => {
  const run = text.slice(start, end)
  const [left, right] = [before(text, start), after(text, end)]
  if (run === "\ufe0f") return picture.test(left) || (/^[\d#*]$/.test(left) && right === "\u20e3")
  if (run === "\u200d" || run === "\u200c") {
    if (joined.test(left) && joined.test(right)) return true
    return run === "\u200d" && picture.test(left) && picture.test(right)
  }
  return run === "\ufe0f\u200d" && picture.test(left) && picture.test(right)
}

/** The parts of a text that are not seen, in order. */
export const runs = (text: string): ReadonlyArray<Run> => {
  const found: Array<Run> = []
  const pattern = unseen()
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const end = match.index + match[0].length
    found.push({ start: match.index, end, means: end - match.index < 3 && isMeant(text, match.index, end) })
  }
  return found
}

/** A text as it is seen, and where its characters stand in the text as it is. */
export interface Seen {
  readonly text: string
  readonly at: (index: number) => number
}

/** In every text of which a part is not seen; what is beyond ASCII is looked at more closely then. */
const suspect = /[^\t\n\r -~]|\\[uUx0e]/

/** Null where all of the text is seen. */
export const seen = (text: string): Seen | null => {
  if (!suspect.test(text)) return null
  const pattern = unseenOrWritten()
  pattern.lastIndex = 0
  const parts: Array<string> = []
  /** From which place of the seen text on how much more is left out before it. */
  const places: Array<number> = []
  const shifts: Array<number> = []
  let [from, left] = [0, 0]
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    parts.push(text.slice(from, match.index))
    from = match.index + match[0].length
    left += match[0].length
    places.push(from - left)
    shifts.push(left)
  }
  if (from === 0) return null
  const at = (index: number): number => {
    let [low, high] = [0, places.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((places[middle] ?? 0) <= index) low = middle + 1
      else high = middle
    }
    return index + (shifts[low - 1] ?? 0)
  }
  return { text: parts.join("") + text.slice(from), at }
}
