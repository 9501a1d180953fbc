/**
 * Orders that outlast the turn in which they were given, until they are taken back: to be asked before each step, and what
 * is not to be done. An agent that asks leave for what was forbidden, or as it was told to, keeps to them.
 */
import { asksFirst, imperative } from "./Intent.ts"
import { guarded } from "../../ground/text/Guarded.ts"
import { contentWords } from "../../ground/text/Text.ts"
import { ownSentences } from "./ownSentences.ts"
import { spoken } from "../../ground/text/UserSentences.ts"

const most = 8
const maxOrder = 300

const lasting = /\b(?:each|every|any|anything|always|all|never|whenever)\b/i

const negation = guarded(
  "n't|not|dont|never",
  () =>
    /(?:^|[,;:(] ?|\b(?:and|but|please|(?:you|we)(?: must| should)?) )(?:do not|don't|dont|(?:must|should) not|mustn't|never)(?: ever)? (?=[a-z])/i
)

const harmless = /^(?:forget|worr|hesitate|bother|mind|need|have |think|know|want|see\b|stop|let |be |give up)/i

/** "Never push to main", "and please don't run the migrations", not "I don't run them" and "don't forget the docs" */
const forbidden = (sentence: string): string | null => {
  const found = negation.exec(sentence)
  const what = found === null ? "" : sentence.slice(found.index + found[0].length)
  return what === "" || harmless.test(what) ? null : what
}

/** What a prohibition is about stands before its term and its reason. */
const tailOfOrder = /\b(?:until|unless|before|without|because|since|yet|for now|as|so that|if|when)\b.*$/i

const fillers = new Set(["agains", "never", "please", "again", "alread", "ever", "must", "touch", "anythi", "still"])

const objectOf = (what: string): ReadonlyArray<string> =>
  [...contentWords(what.replace(tailOfOrder, ""))].filter((word) => !fillers.has(word)).slice(0, 4)

/** "push" and "pushing", "migrate" and "migration" */
const has = (words: ReadonlySet<string>, word: string): boolean =>
  [...words].some((other) => other.startsWith(word) || word.startsWith(other))

const lastingOrder = (sentence: string): boolean =>
  forbidden(sentence) !== null || (asksFirst(sentence) && lasting.test(sentence))

/** The orders of a message that outlast its turn. */
const ordersIn = (text: string): ReadonlyArray<string> => {
  const own = ownSentences(text)
  return spoken(text)
    .filter((sentence) => own.has(sentence) && !sentence.endsWith("?"))
    .map((sentence) => sentence.slice(0, maxOrder))
    .filter(lastingOrder)
}

const unasked =
  /\b(?:no need to|(?:don't|do not)(?: have to| need to)?|needn't|stop|without|quit) (?:ask|check|confirm|wait)(?:ing)?\b/i

const allAtOnce =
  /\b(?:do|run|finish|complete|go through|go ahead with|proceed with|continue with|yes to) (?:all|everything|the rest)\b/i

const allows =
  /\b(?:you (?:can|may|are allowed to|are free to)|feel free to|go ahead|it's (?:ok|okay|fine) to|allowed)\b/i

const takesBack = (order: string, sentence: string): boolean => {
  const what = forbidden(order)
  if (what === null) return (unasked.test(sentence) || allAtOnce.test(sentence)) && !asksFirst(sentence)
  if (forbidden(sentence) !== null || !(imperative.test(sentence) || allows.test(sentence))) return false
  const object = objectOf(what)
  const said = contentWords(sentence)
  return object.length > 0 && object.every((word) => has(said, word))
}

/**
 * The orders that stand after a message, the newest last: at most eight.
 *
 * @category folds
 */
export const after = (standing: ReadonlyArray<string>, text: string): ReadonlyArray<string> => {
  const said = spoken(text).map((sentence) => sentence.slice(0, 600))
  const added = ordersIn(text)
  const kept = standing.filter(
    (order) => !added.includes(order) && !said.some((sentence) => takesBack(order, sentence))
  )
  return [...kept, ...added].slice(-most)
}

/**
 * Whether the agent is to ask before each step.
 *
 * @category predicates
 */
export const wantAsking = (standing: ReadonlyArray<string>): boolean => standing.some(asksFirst)

/**
 * Whether a question is about what the user forbade.
 *
 * @category predicates
 */
export const forbid = (standing: ReadonlyArray<string>, question: string): boolean => {
  const asked = contentWords(question)
  return standing.some((order) => {
    const object = objectOf(forbidden(order) ?? "")
    return object.length > 0 && object.filter((word) => has(asked, word)).length >= Math.min(2, object.length / 2)
  })
}
