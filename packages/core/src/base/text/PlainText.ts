/**
 * Text without what nobody sees: escape sequences, control characters, and what Unicode lets a program leave out when it
 * shows a text, as characters without width, fillers, marks of direction, variants and tags. What a session or a project's
 * files say is shown to people and to the agent; this is the one definition for that, for what a prompt gets and for what
 * redaction looks through.
 */
import { lazy } from "./Lazy.ts"

const sequence = String.raw`\u001b(?:\[[0-?]{0,64}[ -/]{0,16}[@-~]?|[\]PX^_][^\u001b\u0007]*(?:\u0007|\u001b\\)|[ -/]{1,4}[0-~]|[^\n]?)`

/** White space is seen: the break of a line and a tab are controls by name. */
const unseenCharacter = String.raw`(?![\t\n\r])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`

/** How programs write an escape sequence in a string. */
const written = String.raw`\\(?:[uU]001[bB]|x1[bB]|033|e)\[[\d;]{0,20}[mK]`

// Classes of Unicode take a process longer to make than most texts take to be read.
const unseen = lazy(() => new RegExp(`(?:${sequence}|${unseenCharacter})+`, "gu"))
const unseenOrWritten = lazy(() => new RegExp(`(?:${sequence}|${unseenCharacter}|${written})+`, "gu"))

const scripts = "Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt"

const joined = lazy(() => new RegExp(`^[${scripts.replaceAll(/(\w+) ?/g, "\\p{sc=$1}")}\\p{Mn}]$`, "u"))

const picture = lazy(() => /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u)

/** Nothing between two seen characters but the one joiner, or the two marks, that a word or an emoji is written with. */
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

/** What is certainly seen: ASCII, Latin, Greek, punctuation, arrows and signs, and the scripts of East Asia. */
const plainly = String.raw`\n -~\u00a1-\u00ac\u00ae-\u034e\u0370-\u05ff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\u3163\u3165-\ud7a3`

const mayHide = new RegExp(`[^${plainly}]`)

/** A text without what nobody sees; a joiner between letters that are written with it, or in an emoji, stays. */
const withoutUnseen = (text: string): string =>
  !mayHide.test(text) ? text : text.replace(unseen(), (run, at: number) => (isMeant(text, at, run) ? run : ""))

/**
 * Takes out escape sequences, control characters and characters that turn the text's direction or have no width, so
 * that no text can move the cursor, colour the screen or hide a part of itself. Line breaks stay; tabs become spaces.
 */
export const clean = (text: string): string =>
  withoutUnseen(text.replaceAll("\t", "  ").replace(/\r\n?|[\u2028\u2029]/g, "\n"))

/** A text as it is seen, and where its characters stand in the text as it is. */
export interface VisibleText {
  readonly text: string
  readonly at: (index: number) => number
}

/** In every text with a part that is not seen. */
const suspect = new RegExp(String.raw`[^\t\r${plainly}]|\\[uUx0e]`)

/** Null where all of the text is seen. */
export const seen = (text: string): VisibleText | null => {
  if (!suspect.test(text)) return null
  /** From which place of the seen text on how much more of the text as it is stands before it. */
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
