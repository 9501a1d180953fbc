/** Words that a model quotes, found again where they stand: what is passed on is the place's own text, never the model's. */
import { clip, oneLine } from "../../ground/text/Text.ts"
import { withoutUnnamed } from "../../ground/text/Addresses.ts"
import { isOrder, ownSentences } from "../../session/task/Intent.ts"
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

/** The words of a text that are quoted, as they stand in it; null where they do not. */
export const found = (text: string, quote: string): string | null => {
  const parts = partsOf(quote)
  if (parts.length === 0) return null
  const whole = clean(text.slice(0, maxText))
  const { at, folded } = fold(whole)
  const places = parts.map((part) => folded.indexOf(part))
  const [first] = places
  if (first === undefined || places.some((place) => place < 0)) return null
  const end = at[first + (parts[0]?.length ?? 0) - 1] ?? 0
  return whole.slice(at[first] ?? 0, end + 1)
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

/** The sentences that the user says in their own words: nothing pasted, no plan, no log. */
const ownWords = (turn: Turn): ReadonlyArray<string> => [
  ...userTexts(turn).flatMap((text) => [...ownSentences(clean(text.slice(0, maxText)))]),
  ...conditions(turn).map(clean)
]

/** The quoted words as the agent may be reminded of them; null where they are not the user's own. */
export const order = (turn: Turn, quote: string): string | null => {
  for (const sentence of ownWords(turn)) {
    const words = found(sentence, quote) ?? (isQuoted(sentence) ? found(quote, sentence) && sentence : null)
    if (words !== null) return shown(words)
  }
  return null
}

/** What the user ordered last, in a sentence of theirs; null where neither the task nor the turn before it has an order. */
export const lastOrder = (turn: Turn): string | null => {
  for (const text of userTexts({ ...turn, before: turn.before.slice(-1) }).toReversed()) {
    const sentence = [...ownSentences(clean(text.slice(0, maxText)))].find((one) => isOrder(one))
    if (sentence !== undefined) return shown(sentence)
  }
  return null
}
