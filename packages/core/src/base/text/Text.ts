/** Small functions that cut texts, put them on one line and compare them. */
import { clean } from "./PlainText.ts"

/** If a line break is near the cut, the text begins after it. */
export const tail = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const cut = text.slice(text.length - limit)
  const newline = cut.indexOf("\n")
  return newline >= 0 && newline < 200 ? cut.slice(newline + 1) : cut
}

export const clip = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, Math.max(0, limit - 1)).trimEnd()}…`

export const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word.slice(0, 500)) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** Folds white space, clips, and removes terminal control characters. */
export const oneLine = (text: string, limit: number): string =>
  clip(
    clean(text.slice(0, limit * 4))
      .replaceAll(/\s+/g, " ")
      .trim(),
    limit
  )

const longWord = 40

/** Cuts after a whole word if a word ends near the limit. */
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

/** The lines outside fenced code, each cut to 2,000 characters. */
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

export const hasOpenFence = (text: string): boolean => text.split("\n").filter(isFence).length % 2 === 1

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

/** Removes list markers, heading marks and emphasis, so that patterns see only words. */
export const plain = (line: string): string =>
  withoutEmphasis(line.slice(0, 2000).replace(heading, "").replace(listMarker, "")).replaceAll("’", "'").trim()

const sentenceEnd =
  /[。？！؟]|(?:[?!]|(?<!(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx))(?<!(?:^|[\s(])no(?=\.\s\d))\.)["')\]*?!]*(?=\s|$)/gi

/** Abbreviations, versions and file names do not end a sentence. */
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

/** Words that carry meaning, cut to six letters, so that different endings do not matter. */
export const contentWords = (text: string): ReadonlySet<string> => {
  const words = [
    ...text
      .slice(0, 4000)
      .toLowerCase()
      .matchAll(/[a-z][a-z-]{3,30}/g)
  ].map(([word]) => word)
  return new Set(words.filter((word) => !common.has(word)).map((word) => word.slice(0, 6)))
}

export const overlaps = (left: string, right: string): boolean => {
  const words = contentWords(right)
  return [...contentWords(left)].some((word) => words.has(word))
}

export const matchesAny = (patterns: ReadonlyArray<RegExp>, text: string): boolean =>
  patterns.some((pattern) => pattern.test(text))

/** The source of a regular expression that matches exactly this text. */
export const asPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
