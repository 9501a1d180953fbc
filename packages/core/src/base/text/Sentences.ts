/** The sentences of a person's message, and those at the end of an agent's answer. */
import { paragraphs, plain, proseLines, sentences, tail } from "./Text.ts"

export interface Prose {
  readonly paragraphs: ReadonlyArray<ReadonlyArray<string>>
  /** The sentences of each paragraph. */
  readonly said: ReadonlyArray<ReadonlyArray<string>>
  readonly closing: ReadonlyArray<string>
  readonly last: string
}

export const readProse = (text: string): Prose => {
  const lines = proseLines(tail(text, 6000)).filter((line) => !line.trimStart().startsWith(">"))
  const all = paragraphs(lines.filter((line) => !/^\s{0,8}(?:[-=*_─━]\s?){3,}$/.test(line.slice(0, 200))))
  const said = all.map((paragraph) => paragraph.flatMap((line) => sentences(plain(line))))
  const closing = said.slice(-6).flat()
  return {
    paragraphs: all,
    said,
    closing,
    last: closing.at(-1) ?? ""
  }
}

const english = new Set(
  "the is are and to of in it this that you for with not have was i all done test tests now no yes fixed added updated".split(
    " "
  )
)
const foreign = new Set(
  (
    "der die das und ist nicht ich wurde alle soll que los las una est les des pas une dans sont para está não uma het een niet sono " +
    "della che och att är nie jest się jak mit für eine auf auch noch wird el con por del pero le et avec pour sur foi com il la de " +
    "antes bitte"
  ).split(" ")
)

/** Also true if the text is too short to tell. */
export const isEnglish = (text: string): boolean => {
  const sample = tail(text, 2000)
  const nonLatin = sample.match(/[\u0370-\u1fff\u3040-\ud7ff]/g)?.length ?? 0
  if (nonLatin > 3 && nonLatin * 4 > sample.replaceAll(/\s/g, "").length) return false
  const small = sample.toLowerCase()
  const words = (/[^\n -~]/.test(small) ? small.match(/[\p{L}\p{N}_]+/gu) : small.match(/\w+/g)) ?? []
  const ours = words.filter((word) => english.has(word)).length
  const accented = sample.match(/[\u00bf\u00a1\u00df-\u00f6\u00f8-\u017f]/g)?.length ?? 0
  const theirs = words.filter((word) => foreign.has(word)).length + Math.min(3, accented)
  return theirs < 2 || ours >= theirs * 2 || (theirs < 3 && ours >= theirs)
}

const within = (sentence: string): ReadonlyArray<string> =>
  sentence
    .slice(0, 400)
    .split(/[,;:.!?()]+|\s[-–—]+\s/)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "")

export const clauses = (text: string): ReadonlyArray<string> => spoken(text).flatMap(within)

/** Returns only the sentences that the person wrote: a pasted review or a program's output is not a request. */
export const spoken = (text: string): ReadonlyArray<string> => {
  const lines = proseLines(text.length > 20_000 ? `${text.slice(0, 10_000)}\n${text.slice(-10_000)}` : text).filter(
    (line) => line.trim() !== "" && !isPasted(line)
  )
  const own = withoutQuotation(lines)
  const kept = own.length > 24 ? [...own.slice(0, 8), ...own.slice(-4)] : own
  return kept.flatMap((line) => sentences(plain(line))).slice(0, 60)
}

const introducing = new Set(
  (
    "tweet comment comments feedback review reviews message messages email post issue issues error errors output log logs text " +
    "paragraph article quote quoted quotes say says said wrote writes reported reports got getting see sees seeing saw showed " +
    "shows noticed"
  ).split(" ")
)

/** True for a line such as "Here is the output of it:". */
const introducesQuotation = (line: string): boolean => {
  const said = line.trimEnd()
  const last = said.slice(-70, -1).split(":").at(-1) ?? ""
  return (
    said.endsWith(":") &&
    last
      .toLowerCase()
      .split(/\W+/)
      .some((word) => introducing.has(word))
  )
}

/** After a line such as "I got this feedback:", somebody else wrote the text. A short last line by the person stays. */
const withoutQuotation = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const at = lines.findIndex(introducesQuotation)
  if (at < 0 || at === lines.length - 1) return lines
  const last = lines[lines.length - 1] ?? ""
  const own =
    at + 2 < lines.length &&
    last.length < 200 &&
    /^(?:can|could|please|fix|let's|what|is|do|should|would|address)\b/i.test(last.trim())
  return own ? [...lines.slice(0, at + 1), last] : lines.slice(0, at + 1)
}

const pasted: ReadonlyArray<RegExp> = [
  /^\s{0,8}>/,
  /^\s{0,40}(?:at\s\S|File "|Traceback|---\s(?:FAIL|PASS)|===\s(?:RUN|FAIL)|FAIL\b|ok\s{2}|PASS\b|ERROR\b|WARN\b|INFO\b|error(?:\[\w{1,10}\])?:|warning:)/,
  /^\s{0,40}(?:time=|level=|\d{4}-\d{2}-\d{2}[T ]\d{2}:|\[\d{2}:\d{2})/,
  /^\s{0,40}[\w./-]{1,200}:\d{1,6}(?::\d{1,6})?:/,
  /^\s{0,40}[❯$%#>]\s/,
  /^\s{0,20}[|+✓✗✔✘×│├└]/,
  /^(?:diff --git|index [0-9a-f]{6}|@@ |[+-]{3} [ab]\/)/
]

const isPasted = (line: string): boolean => pasted.some((pattern) => pattern.test(line.slice(0, 400)))
