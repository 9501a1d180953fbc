/** Short questions to a text: cut to a length, put on one line, compared with another. */
import { clean } from "./PlainText.ts"

/** The last `limit` characters, begun after a line break where one is near. */
export const tail = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const cut = text.slice(text.length - limit)
  const newline = cut.indexOf("\n")
  return newline >= 0 && newline < 200 ? cut.slice(newline + 1) : cut
}

/** At most `limit` characters, with an ellipsis where something was left out. */
export const clip = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, Math.max(0, limit - 1)).trimEnd()}…`

export const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

/** A word as it is typed for a shell: in quotation marks where it has more than a plain name has. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word.slice(0, 500)) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** One line: white space folded, clipped, without what a terminal would obey. */
export const oneLine = (text: string, limit: number): string =>
  clip(
    clean(text.slice(0, limit * 4))
      .replaceAll(/\s+/g, " ")
      .trim(),
    limit
  )

/** The longest word that is left whole. */
const longWord = 40

/** One line, clipped behind a whole word where one ends near the limit. */
export const oneLineOfWords = (text: string, limit: number): string => {
  const line = oneLine(text, Math.max(limit, longWord) * 4)
  if (line.length <= limit) return line
  const cut = line.slice(0, Math.max(0, limit - 1))
  const end = /\s/.test(line[limit - 1] ?? "") ? cut.length : cut.lastIndexOf(" ")
  return end > limit - longWord && end > 0 ? `${cut.slice(0, end).replace(/[\s,;:]+$/, "")}…` : clip(line, limit)
}

const isFence = (line: string): boolean => {
  const start = line.slice(0, 40).trimStart()
  return start.startsWith("```") || start.startsWith("~~~")
}

/** Lines outside fenced code, each clipped to 2,000 characters: what a person would call the prose. */
export const proseLines = (text: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let fenced = false
  for (const raw of text.split("\n")) {
    const line = raw.slice(0, 2000)
    if (isFence(line)) fenced = !fenced
    else if (!fenced) lines.push(line)
  }
  return lines
}

/** Whether a fenced block was opened and never closed. */
export const hasOpenFence = (text: string): boolean => text.split("\n").filter(isFence).length % 2 === 1

/** Paragraphs of prose: runs of non-blank lines. */
export const paragraphs = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  lines
    .join("\n")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.split("\n").filter((line) => line.trim() !== ""))
    .filter((paragraph) => paragraph.length > 0)

const listMarker = /^\s{0,12}(?:[-*•·]\s|(?:\*\*)?(?:\d{1,3}[.):]|[a-zA-Z][.)]|option \w{1,2}[.:)]?)(?:\*\*)?\s)/i
const heading = /^\s{0,3}#{1,6}\s/

export const isListItem = (line: string): boolean => listMarker.test(line)

export const isHeading = (line: string): boolean => heading.test(line)

const emphasis = /[*_]{2,3}|(?<![\w])[*_](?=\w)|(?<=\w)[*_](?![\w])/g

const withoutEmphasis = (line: string): string =>
  line.includes("*") || line.includes("_") ? line.replaceAll(emphasis, "") : line

/** A line without list markers, heading marks and emphasis, so that patterns see its words. */
export const plain = (line: string): string =>
  withoutEmphasis(line.slice(0, 2000).replace(heading, "").replace(listMarker, "")).replaceAll("’", "'").trim()

const sentenceEnd =
  /[。？！؟]|(?:[?!]|(?<!(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx))(?<!(?:^|[\s(])no(?=\.\s\d))\.)["')\]*?!]*(?=\s|$)/gi

/** Sentences of a line. Abbreviations, versions and file names do not end one. */
export const sentences = (line: string): ReadonlyArray<string> => {
  const text = line.slice(0, 2000)
  const ends = [...text.matchAll(sentenceEnd)].map((end) => end.index + end[0].length)
  return [...ends, text.length]
    .map((end, at) => text.slice(ends[at - 1] ?? 0, end).trim())
    .filter((sentence) => sentence !== "")
}

const common = new Set(
  (
    "this that with from have been will would could should there their then than them they what when where which while also just only " +
    "into about after before some more most other such each both your please need needs want make makes made does done doing using " +
    "used like still yet next now here very well file files code change changes changed work works task tasks part"
  ).split(" ")
)

/** The words of a text that carry its meaning, cut to their first six letters so that endings do not tell them apart. */
export const contentWords = (text: string): ReadonlySet<string> => {
  const words = [
    ...text
      .slice(0, 4000)
      .toLowerCase()
      .matchAll(/[a-z][a-z-]{3,30}/g)
  ].map(([word]) => word)
  return new Set(words.filter((word) => !common.has(word)).map((word) => word.slice(0, 6)))
}

/** Whether two texts share a word that carries meaning. */
export const overlaps = (left: string, right: string): boolean => {
  const words = contentWords(right)
  return [...contentWords(left)].some((word) => words.has(word))
}

/** Whether one of the patterns fits somewhere in the text. */
export const matchesAny = (patterns: ReadonlyArray<RegExp>, text: string): boolean =>
  patterns.some((pattern) => pattern.test(text))

/** The source of a regular expression that matches a text as it stands. */
export const asPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** What was thrown, in words. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
