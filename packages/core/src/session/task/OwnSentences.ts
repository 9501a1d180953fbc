/** Returns what the author says in their own words, without plans, logs, headings and texts to work on. */
import { proseLines } from "../../base/text/Text.ts"
import { spoken } from "../../base/text/Sentences.ts"

/** From this line on, a message is a document or a text to work on. */
const document = /^\s{0,3}(?:#{1,6}\s\S|(?:-{3,}|={3,}|\*{3,})\s*$)|^this session is being continued\b/i
const handsOver =
  /\b(?:(?:following|attached|below|pasted) (?:[\w-]+ )?(?:plan|spec|steps?|list|text|mail|message|issue|log|review)|this (?:plan|log|output)|(?:wrote|sent|told) (?:me|us) this)\b/i

/** Headings that introduce orders at any place in a short message. `ending` matches words about the end of the work. */
const ordersBelow =
  /^\s{0,3}#{1,6}\s(?:(?:your )?task|(?:when|once) (?:you(?:'re| are) )?(?:done|finished)|before you finish|finally|afterwards)\W*$/i

const ending =
  /(?<=^[^\p{L}]{0,6}|[.!] )(?:(?:when|once) (?:(?:you(?:'re| are)|it(?:'s| is)|everything(?:'s| is)) )?(?:done|finished)|before you finish), /iu

/** A line for somebody else, or a slash command. For example, "anna: please run the tests" or "/ship it". */
const another = /^\s{0,8}(?:(?!(?:please|task|also|now|then|finally|first|note|and)\b)@?[\w.-]{1,30}:\s+\S|\/[a-z])/i

/** The list below this line contains orders. */
const listsOrders =
  /^\W{0,4}(?:please|(?:please )?do (?:this|the following)|then|when (?:you are |you're )?done|fix (?:it|the (?:bug|error))|based on [^:]{1,40}):\s*$/i
/** At the start of a message, these lines introduce orders too, unless the message reports a fault. */
const beginsList = /^\W{0,4}(?:steps|tasks?|your tasks?|to-?dos?):\s*$/i
const reports = /\b(?:expected|actual|observed|reproduc\w*|crash\w*|bug report)\b/i
const item = /^\s{0,20}(?:[-*+•]|\d{1,3}[.)])\s/

/** Returns the lines of the author's own prose. After a colon, the rest of the paragraph does not count. */
const ownLines = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  let given: "begins" | "no" | "yes" = "no"
  return lines.filter((line, at) => {
    if (given !== "no") given = line.trim() !== "" ? "yes" : given === "begins" ? "begins" : "no"
    if (given !== "no" || another.test(line)) return false
    const below = lines.slice(at + 1).find((next) => next.trim() !== "") ?? ""
    const lists = listsOrders.test(line) || (at === 0 && beginsList.test(line) && !reports.test(lines.join("\n")))
    if (/[:：]\s*$/.test(line) && !(item.test(below) && lists)) given = "begins"
    return true
  })
}

const longest = 1500
const end = 400

/** Returns the start and the end of a long message, without half sentences. For a document, returns only the start. */
export const endsOf = (text: string, isDocument: boolean): string => {
  if (text.length <= longest) return text
  const head = text.slice(0, end).replace(/[^.?!\n]*$/, "")
  return isDocument ? head : `${head}\n\n${text.slice(-end).replace(/^[^.?!\n]*/, "")}`
}

/** Splits long lines, because a line is read only up to 2,000 characters. */
const inPieces = (line: string): ReadonlyArray<string> =>
  line.length > 1900 ? (line.match(/.{1,1900}(?:\s|$)|.{1,1900}/g) ?? []) : [line]

export const ownSentences = (text: string, cut: typeof endsOf = (own) => own): ReadonlyArray<string> => {
  const all = proseLines(text.slice(0, 20_000).split("\n").flatMap(inPieces).join("\n"))
  const isShort = text.length <= longest
  let [isOwn, isDocument] = [true, false]
  const lines = all.flatMap((line) => {
    const isOrders = isShort && ordersBelow.test(line)
    if (isOrders) isOwn = true
    else if (document.test(line)) [isOwn, isDocument] = [false, true]
    const end = isShort ? line.search(ending) : -1
    return isOrders ? [] : isOwn ? [line] : end < 0 ? [] : [line.slice(end)]
  })
  const own = cut(lines.join("\n"), isDocument)
  const said = spoken(ownLines(own.split("\n")).join("\n"))
  const given = said.findIndex((sentence) => handsOver.test(sentence))
  return said.slice(0, given < 0 ? said.length : given + 1).filter((sentence) => !/\bskills?\b/i.test(sentence))
}
