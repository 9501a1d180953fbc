/** Words that a model quotes, found again where they stand: what is passed on is the place's own text, never the model's. */
import { clip, matchesAny, oneLine } from "../../base/text/Text.ts"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import { spoken } from "../../base/text/Sentences.ts"
import { isImperative } from "../../session/task/Intent.ts"
import { ownSentences } from "../../session/task/OwnSentences.ts"
import { clean, isCondition, type Turn } from "./TurnRecord.ts"

/** Marks that a model adds or leaves out when it copies. */
const marks = /[*_`~#>"'“”„‘’«»「」『』]/u

/** A text with what copies differ in left out, and where each of its characters stood. */
const fold = (text: string): { readonly folded: string; readonly at: ReadonlyArray<number> } => {
  const at: Array<number> = []
  let folded = ""
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? ""
    if (marks.test(char)) continue
    if (/\s/.test(char)) {
      if (folded === "" || folded.endsWith(" ")) continue
      folded += " "
      at.push(index)
      continue
    }
    for (const one of char.normalize("NFKC").toLowerCase()) {
      folded += one
      for (let unit = 0; unit < one.length; unit++) at.push(index)
    }
  }
  return { folded, at }
}

const maxText = 20_000

const maxQuote = 2000

/** Scripts whose words have a letter or two. */
const dense = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u

const leastOf = (text: string): number => (dense.test(text) ? 4 : 8)

/** The parts of a quotation between its ellipses, without those that any text may have. */
const partsOf = (quote: string): ReadonlyArray<string> =>
  clean(quote.slice(0, maxQuote))
    .split(/…|\.{3}/)
    .map((part) => fold(part).folded.trim())
    .filter((part) => part.length >= leastOf(part))

/** Whether a quotation has enough words to be looked for. */
export const isQuoted = (quote: string): boolean => partsOf(quote).length > 0

/** Where in a text something stands, and the text as it was looked through. */
interface Place {
  readonly whole: string
  readonly start: number
  readonly end: number
}

const placeOf = (text: string, quote: string): Place | null => {
  const parts = partsOf(quote)
  if (parts.length === 0) return null
  const whole = clean(text.slice(0, maxText))
  const { at, folded } = fold(whole)
  const places = parts.map((part) => folded.indexOf(part))
  const [first] = places
  if (first === undefined || places.some((place) => place < 0)) return null
  return { whole, start: at[first] ?? 0, end: (at[first + (parts[0]?.length ?? 0) - 1] ?? 0) + 1 }
}

/** The words of a text that are quoted, as they stand in it; null where they do not. */
export const found = (text: string, quote: string): string | null => {
  const place = placeOf(text, quote)
  return place === null ? null : place.whole.slice(place.start, place.end)
}

/** What the user has said in this session, as far as a model was shown it: the task's own messages last. */
export const userTexts = ({ before, entries, known }: Turn): ReadonlyArray<string> => [
  ...before.map(({ asked }) => asked),
  ...entries.flatMap((entry) =>
    entry.event.type === "user_message" && !entry.event.synthetic && !isCondition(known, entry)
      ? [entry.event.text]
      : []
  ),
  known.task.text,
  known.task.message
]

/** The user's conditions for being done are theirs as well. */
const conditions = ({ known }: Turn): ReadonlyArray<string> =>
  known.doneWhen.filter(({ untrusted }) => untrusted !== true).map(({ text }) => text)

/** Whether the user has said this. */
export const isUsers = (turn: Turn, quote: string): boolean =>
  [...userTexts(turn), ...conditions(turn)].some((text) => found(text, quote) !== null)

const maxShown = 160

/** As it may stand between quotation marks: on one line, closed by nothing in it, and leading nowhere. */
const shown = (text: string): string =>
  clip(oneLine(withoutUnnamed(text, []), maxShown * 2).replaceAll('"', "'"), maxShown)

/** What is neither somebody else's text nor a line that a program printed. */
const own = (text: string): ReadonlyArray<string> => {
  const whole = clean(text.slice(0, maxText))
  const said = new Set(spoken(whole))
  return ownSentences(whole).filter((sentence) => said.has(sentence))
}

/** The sentences that the user says in their own words: nothing pasted, no plan, no log. */
export const ownWords = (turn: Turn): ReadonlyArray<string> => [
  ...userTexts(turn).flatMap(own),
  ...conditions(turn).map(clean)
]

/** Where a part of a sentence may end. */
const joint = /[,;:()]|\s(?:and|then|und|dann|y|et|puis|e|poi|en|i|и)\s/giu

/** What turns an order round, or narrows it: without it the rest of the sentence says something else. */
const turns: ReadonlyArray<RegExp> = [
  /n't|\b(?:not|never|no|none|dont|without|unless|until|before|after|once|when|if|only|but|except|instead|rather|avoid|stop)\b/i,
  /\b(?:nicht|kein\w{0,2}|nie|niemals|ohne|erst|wenn|falls|nur|aber|bevor|niet|geen|nooit|zonder)\b/i,
  /(?<!\p{L})(?:nunca|sin|si|solo|pero|antes|pas|jamais|sans|ne|mais|avant|non|mai|senza|ma|se|não|sem|mas)(?!\p{L})/iu,
  /(?<!\p{L})(?:не|нет|без|никогда|но|если|только)(?!\p{L})|[不别別勿没沒禁無无未]|ない|ません|ずに|않|말고|마세요|하지/iu
]

/** So much of a sentence around the quoted words that it says what the sentence does; null where that is too long to be shown. */
const whole = ({ end, start, whole: sentence }: Place): string | null => {
  const joints = [...sentence.matchAll(joint)].map(({ 0: { length }, index }) => ({ from: index, to: index + length }))
  const from = joints.findLast(({ to }) => to <= start)?.to ?? 0
  const next = joints.find((one) => one.from >= end)?.from ?? sentence.length
  const to = /^[\s.!]*$/.test(sentence.slice(end, next)) ? end : next
  if (!matchesAny(turns, sentence.slice(0, from)) && !matchesAny(turns, sentence.slice(to)))
    return sentence.slice(from, to).trim()
  return sentence.length <= maxShown ? sentence.trim() : null
}

/** The order in which the quoted words stand, as the agent may be reminded of it; null where they are not the user's own. */
export const order = (turn: Turn, quote: string): string | null => {
  for (const sentence of ownWords(turn)) {
    const place = placeOf(sentence, quote)
    const words =
      place !== null ? whole(place) : isQuoted(sentence) && found(quote, sentence) !== null ? sentence : null
    if (words !== null) return shown(words)
  }
  return null
}

/** What the user ordered last, in a sentence of theirs; null where neither the task nor the turn before it has an order. */
export const lastOrder = (turn: Turn): string | null => {
  for (const text of userTexts({ ...turn, before: turn.before.slice(-1) }).toReversed()) {
    const sentence = own(text).find(isImperative)
    if (sentence !== undefined) return shown(sentence)
  }
  return null
}
