/** Words that a model quotes, found again where they stand: what is passed on is a sentence of the user's, never the model's. */
import { oneLine } from "../../base/text/Text.ts"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import { spoken } from "../../base/text/Sentences.ts"
import { ownSentences } from "../../session/task/OwnSentences.ts"
import { clean, type Turn } from "./TurnRecord.ts"

/** Marks that a model adds or leaves out when it copies. */
const marks = /[*_`~#>"'“”„‘’«»「」『』]/gu

const fold = (text: string): string =>
  clean(text).normalize("NFKC").toLowerCase().replaceAll(marks, "").replaceAll(/\s+/gu, " ").trim()

/** Scripts whose words have a letter or two. */
const dense = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u

/** Whether a text has enough words to be looked for, rather than such as stand in any. */
const isTelling = (text: string): boolean => text.length >= (dense.test(text) ? 4 : 8)

/** Whether quoted words stand in a sentence: all that is between the quotation's ellipses, or the whole of the sentence in them. */
export const stands = (sentence: string, quote: string): boolean => {
  const [whole, said] = [fold(sentence), fold(quote.slice(0, 2000))]
  const parts = said.split(/…|\.{3}/).map((part) => part.trim())
  const telling = parts.filter(isTelling)
  return (
    (telling.length > 0 && telling.every((part) => whole.includes(part))) || (isTelling(whole) && said.includes(whole))
  )
}

const maxText = 20_000

/** What is neither somebody else's text nor a line that a program printed. */
const own = (text: string): ReadonlyArray<string> => {
  const whole = clean(text.slice(0, maxText))
  const said = new Set(spoken(whole))
  return ownSentences(whole).filter((sentence) => said.has(sentence))
}

/** What the user has said in this session, as far as a model was shown it: the task's own messages last. */
const userTexts = ({ before, entries, known }: Turn): ReadonlyArray<string> => [
  ...before.map(({ asked }) => asked),
  ...entries.flatMap(({ event }) => (event.type === "user_message" && !event.synthetic ? [event.text] : [])),
  known.task.text,
  known.task.message
]

/** The sentences that the user says in their own words: nothing pasted, no plan, no log; and their conditions for being done. */
export const ownWords = (turn: Turn): ReadonlyArray<string> => [
  ...userTexts(turn).flatMap(own),
  ...turn.known.doneWhen.filter(({ untrusted }) => untrusted !== true).map(({ text }) => clean(text))
]

const maxShown = 200

/** The user's sentence with the quoted words, whole, for a part may say otherwise; null where there is none that may be shown. */
export const order = (turn: Turn, quote: string): string | null => {
  const found = ownWords(turn).find((sentence) => stands(sentence, quote))
  const shown = found === undefined ? null : oneLine(withoutUnnamed(found, []), maxShown * 2).replaceAll('"', "'")
  return shown === null || shown.length > maxShown ? null : shown
}

/** The sentence of the agent's last words with the quoted ones, null where there is none. */
export const lastWords = ({ known: { stop } }: Turn, quote: string): string | null =>
  stop.spokeLast ? (spoken(clean(stop.text.slice(-maxText))).find((sentence) => stands(sentence, quote)) ?? null) : null

const maxWords = 2000

/** A model's words without secrets, unseen characters and addresses that the user did not write. */
export const shown = (turn: Turn): ((words: string) => string) => {
  const named = ownWords(turn)
  return (words) => withoutUnnamed(clean(words.slice(0, maxWords)), named)
}
