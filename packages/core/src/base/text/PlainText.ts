/**
 * Removes invisible parts of a text: escape sequences, control characters, and characters that Unicode marks as
 * ignorable, for example direction marks and tags. Display, prompts and redaction all use this definition.
 */
import { lazy } from "./Lazy.ts"

const sequence = String.raw`\u001b(?:\[[0-?]{0,64}[ -/]{0,16}[@-~]?|[\]PX^_][^\u001b\u0007]*(?:\u0007|\u001b\\)|[ -/]{1,4}[0-~]|[^\n]?)`

/** Line breaks and tabs are control characters, but they count as visible. */
const unseenCharacter = String.raw`(?![\t\n\r])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`

/** An escape sequence in the form that programs write in a string. */
const written = String.raw`\\(?:[uU]001[bB]|x1[bB]|033|e)\[[\d;]{0,20}[mK]`

// Compiled at first use, because compiling Unicode classes takes longer than reading most texts.
const unseen = lazy(() => new RegExp(`(?:${sequence}|${unseenCharacter})+`, "gu"))
const unseenOrWritten = lazy(() => new RegExp(`(?:${sequence}|${unseenCharacter}|${written})+`, "gu"))

const scripts = "Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt"

const joined = lazy(() => new RegExp(`^[${scripts.replaceAll(/(\w+) ?/g, "\\p{sc=$1}")}\\p{Mn}]$`, "u"))

const picture = lazy(() => /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u)

/** True if the invisible characters belong to a word or an emoji, such as a joiner between two characters. */
const isMeant = (text: string, start: number, run: string): boolean => {
  if (run.length > 2) return false
  const left = Array.from(text.slice(Math.max(0, start - 2), start)).at(-1) ?? ""
  const [right = ""] = text.slice(start + run.length, start + run.length + 2)
  const pictures = picture().test(left) && picture().test(right)
  if (run === "\ufe0f") return picture().test(left) || (/^[\d#*]$/.test(left) && right === "\u20e3")
  if (run === "\u200d" || run === "\u200c")
    return (joined().test(left) && joined().test(right)) || (run === "\u200d" && pictures)
  return run === "\ufe0f\u200d" && pictures
}

/** Always visible: ASCII, Latin, Greek, punctuation, arrows, signs, and the scripts of East Asia. */
const plainly = String.raw`\n -~\u00a1-\u00ac\u00ae-\u034e\u0370-\u05ff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\u3163\u3165-\ud7a3`

const mayHide = new RegExp(`[^${plainly}]`)

const withoutUnseen = (text: string): string =>
  !mayHide.test(text) ? text : text.replace(unseen(), (run, at: number) => (isMeant(text, at, run) ? run : ""))

/** The result cannot move the cursor, colour the screen or hide text. Line breaks stay. Tabs become spaces. */
export const clean = (text: string): string =>
  withoutUnseen(text.replaceAll("\t", "  ").replace(/\r\n?|[\u2028\u2029]/g, "\n"))

/** `at` maps an index in the visible text to the index in the original text. */
export interface VisibleText {
  readonly text: string
  readonly at: (index: number) => number
}

const suspect = new RegExp(String.raw`[^\t\r${plainly}]|\\[uUx0e]`)

/** Null if the whole text is visible. */
export const seen = (text: string): VisibleText | null => {
  if (!suspect.test(text)) return null
  /** An index in the visible text, and how many original characters were removed before it. */
  const shifts: Array<readonly [from: number, shift: number]> = []
  let left = 0
  const visible = text.replace(unseenOrWritten(), (run, at: number) => {
    shifts.push([at - left, left + run.length])
    left += run.length
    return ""
  })
  if (left === 0) return null
  return { text: visible, at: (index) => index + (shifts.findLast(([from]) => from <= index)?.[1] ?? 0) }
}
