/** Loops of words: the same message again and again, the same sentence within one, and refusals of a full context. */
import type { AssistantMessage, Notice } from "../../session/transcript/Transcript.ts"
import { redact } from "../../ground/redaction/Redaction.ts"
import { refusesContext } from "./ContextWords.ts"
import type { Spoken, Streak } from "./model.ts"
import { begun, finished, mixText, resultPrint } from "./textPrints.ts"
import { oneLine, tail } from "../../ground/text/Text.ts"

export const none: Streak = { print: 0, count: 0, text: "" }

const said = (text: string): string => oneLine(redact(text.slice(0, 1000)), 120)

/** One more of the same, or the first of something else. */
export const extend = (before: Streak, print: number, text: () => string): Streak =>
  before.count > 0 && before.print === print
    ? { ...before, count: before.count + 1 }
    : { print, count: 1, text: text() }

export const silence: Spoken = { id: null, print: 0, same: 0, words: [], alike: 0, text: "" }

const maxAlike = 400
const maxWords = 60
const minWords = 4
const minShared = 0.75

const wordsIn = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}]{1,40}/gu

const printOf = (word: string): number => {
  const sum = begun()
  mixText(sum, word.replaceAll(/\d{1,40}/g, "0"))
  return finished(sum)
}

/** Prints of the words of a short text, whatever its numbers; a long one says more than once what it says. */
const spokenWords = (text: string): ReadonlyArray<number> => {
  if (text.length > maxAlike) return []
  const words = text.toLowerCase().match(wordsIn) ?? []
  return [...new Set(words.slice(0, maxWords).map(printOf))]
}

const isAlike = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): boolean => {
  if (left.length < minWords || right.length < minWords) return false
  const shared = left.filter((word) => right.includes(word)).length
  return shared >= minShared * (left.length + right.length - shared)
}

/** One more message that says the same or nearly so, or the first that says something else; one that grows is one. */
export const message = (before: Spoken, { id: given, text }: AssistantMessage): Spoken => {
  const id = given === null ? null : given.slice(0, 100)
  const more = id !== null && id === before.id ? 0 : 1
  const print = resultPrint(text, false)
  const words = spokenWords(text.trim())
  const same = before.same > 0 && before.print === print ? before.same + more : 1
  const alike = isAlike(before.words, words) ? before.alike + more : 1
  return { id, print, same, words, alike, text: same > 1 || alike > 2 ? said(text) : "" }
}

/** What is said of one event after another that the host tells is nearly the same, and no monologue. */
export const interrupted = (before: Spoken): Spoken => ({ ...before, words: [], alike: 0 })

const minSame = 3
const minAlike = 4

/** How often the same was said, or nearly so; 0 where that is no loop. */
export const repeatedly = ({ alike, same }: Spoken): number => {
  if (same >= minSame) return same
  return alike >= minAlike ? alike : 0
}

const maxChant = 2400
const maxPeriod = 300

/** Of a text read backwards, the lengths of the beginnings that are also its ends: what Knuth, Morris and Pratt count. */
const borders = (text: string): Uint16Array => {
  const found = new Uint16Array(text.length)
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = found[length - 1] ?? 0
    if (text.charCodeAt(at) === text.charCodeAt(length)) length++
    found[at] = length
  }
  return found
}

const reversed = (text: string): string => {
  let out = ""
  for (let at = text.length - 1; at >= 0; at--) out += text.charAt(at)
  return out
}

/** Enough letters to be words: rules, tables and drawings repeat themselves by nature. */
const isSpeech = (round: string): boolean => {
  const letters = round.match(/\p{L}/gu) ?? []
  return letters.length >= 8 && new Set(letters).size >= 4 && letters.length * 2 >= round.length
}

/** A word or two: many more rounds are needed, and nothing but words; code and lists repeat short things as well. */
const isPhrase = (round: string, rounds: number): boolean => {
  const letters = round.match(/\p{L}/gu) ?? []
  const alone = !/[^\p{L}\p{N}\p{M}\s.!?…。！？、，'’-]/u.test(round)
  return alone && rounds >= minPhrases && new Set(letters).size >= 2 && letters.length * 2 >= round.length
}

const minChant = 240
/** One sign of these is worth two letters. */
const minDense = 120
const minRounds = 6
const minPhrases = 30

const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Whether a text ends within a block of code. */
const endsInCode = (text: string): boolean => text.split("```", 200).length % 2 === 0

/** What a message says over and over at its end. Counters in it do not matter. */
export const chant = (text: string): Streak => {
  const least = dense.test(text.slice(-40)) ? minDense : minChant
  if (text.length < least) return none
  const end = tail(text.trimEnd(), maxChant)
    .replaceAll(/\d{1,9}/g, "0")
    .replaceAll(/\s{1,200}/g, " ")
  const back = reversed(end)
  const known = borders(back)
  for (let length = back.length; length >= least; length--) {
    const period = length - (known[length - 1] ?? 0)
    const rounds = Math.floor(length / period)
    if (period > maxPeriod || rounds < minRounds) continue
    const round = end.slice(-period)
    const chants = isSpeech(round) || (isPhrase(round, rounds) && !endsInCode(text))
    return chants ? { print: 0, count: rounds, text: said(round) } : none
  }
  return none
}

const maxError = 500

const refusal = 1
const compaction = 2

export const isRefusal = ({ print }: Streak): boolean => print === refusal

/** A compaction between two refusals has not helped; one after another compaction does not, either. */
export const onNotice = (before: Streak, { detail, kind }: Notice): Streak => {
  if (kind === "compacted")
    return before.count > 0 && before.print === refusal
      ? before
      : extend(before, compaction, () => "the context was compacted")
  const refused = (kind === "api_error" || kind === "rate_limited") && detail !== null && refusesContext(detail)
  return refused ? extend(before, refusal, () => said(detail)) : before
}

const errorWords = /^(?:api |\w{0,20} ?)?error\b|^prompt is too long|^(?:\d{3} )?.{0,80}(?:too long|exceed)/i

/** The refusal that a host prints in the agent's place, null for the agent's own words. */
export const onMessage = (before: Streak, { text }: AssistantMessage): Streak | null => {
  const start = text.trim()
  if (start.length > maxError || !refusesContext(start) || !errorWords.test(start.slice(0, 200))) return null
  return extend(before, refusal, () => said(start))
}
