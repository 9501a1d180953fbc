/** Finds the original of a model's quotation. Then the user's own sentence is shown, not the model's copy. */
import { oneLine } from "../../base/text/Text.ts"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import { spoken } from "../../base/text/Sentences.ts"
import { ownSentences } from "../../session/task/OwnSentences.ts"
import { clean, type Turn } from "./TurnRecord.ts"

/** Marks that a model may add or leave out when it copies a text. */
const marks = /[*_`~#>"'“”„‘’«»「」『』]/gu

const fold = (text: string): string =>
  clean(text).normalize("NFKC").toLowerCase().replaceAll(marks, "").replaceAll(/\s+/gu, " ").trim()

const dense = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u

/** A shorter text may match by chance. In Chinese, Japanese and Korean, a word has only one or two letters. */
const isTelling = (text: string): boolean => text.length >= (dense.test(text) ? 4 : 8)

/** True if the sentence contains all parts between the quotation's ellipses, or the quotation contains the sentence. */
export const stands = (sentence: string, quote: string): boolean => {
  const [whole, said] = [fold(sentence), fold(quote.slice(0, 2000))]
  const parts = said.split(/…|\.{3}/).map((part) => part.trim())
  const telling = parts.filter(isTelling)
  return (
    (telling.length > 0 && telling.every((part) => whole.includes(part))) || (isTelling(whole) && said.includes(whole))
  )
}

const maxText = 20_000

const own = (text: string): ReadonlyArray<string> => {
  const whole = clean(text.slice(0, maxText))
  const said = new Set(spoken(whole))
  return ownSentences(whole).filter((sentence) => said.has(sentence))
}

const userTexts = ({ before, entries, known }: Turn): ReadonlyArray<string> => [
  ...before.map(({ asked }) => asked),
  ...entries.flatMap(({ event }) => (event.type === "user_message" && !event.synthetic ? [event.text] : [])),
  known.task.text,
  known.task.message
]

/** Pasted texts, plans and logs are left out. */
export const ownWords = (turn: Turn): ReadonlyArray<string> => [
  ...userTexts(turn).flatMap(own),
  ...turn.known.doneWhen.filter(({ untrusted }) => untrusted !== true).map(({ text }) => clean(text))
]

const maxShown = 200

/** The user's whole sentence, because a part could mean something else. Null if the sentence is too long to show. */
export const order = (turn: Turn, quote: string): string | null => {
  const found = ownWords(turn).find((sentence) => stands(sentence, quote))
  const shown = found === undefined ? null : oneLine(withoutUnnamed(found, []), maxShown * 2).replaceAll('"', "'")
  return shown === null || shown.length > maxShown ? null : shown
}

export const lastWords = ({ known: { stop } }: Turn, quote: string): string | null =>
  stop.spokeLast ? (spoken(clean(stop.text.slice(-maxText))).find((sentence) => stands(sentence, quote)) ?? null) : null

const maxWords = 2000

export const shown = (turn: Turn): ((words: string) => string) => {
  const named = ownWords(turn)
  return (words) => withoutUnnamed(clean(words.slice(0, maxWords)), named)
}
