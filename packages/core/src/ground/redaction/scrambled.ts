/**
 * Whether letters and digits stand in an order that no word has: in a name or a sentence most pairs of neighbours are
 * among three hundred, and capitals begin words.
 */
import { lazy } from "../text/Lazy.ts"

/** Of each letter those that often follow it in English and in the names of programs. */
const following =
  "bcdfgiklmnprstuvxy aeijlorsuy acehiklorstu abcdefilmnoprstu abcdefghilmnopqrstuvwxy aefilorstu aehilnorstu aeiortu abcdefglmnoprstvxz es aeis abcdeilopstuy abeilmopstu acdefgiklmnoprstuv abcdfgiklmnoprstuvw adehiloprstuy u abcdefgiklmnoprstuvy abcdefhiklmnoprstuvy abcdefhilmnoprstuwy abcdefilmnprst aegi aeinors ceipt npst e"

const common = lazy(() => {
  const pairs = new Set<number>()
  following.split(" ").forEach((row, first) => {
    for (const second of row) pairs.add((first << 5) | (second.charCodeAt(0) - 97))
  })
  return pairs
})

/**
 * How much more often a pair stands in random letters than in names, as the logarithm of the quotient in tenths: by the
 * case of both, "l" for a small letter, and whether the pair is common.
 */
const weights: Readonly<Record<string, readonly [common: number, rare: number]>> = {
  ll: [-19, 25],
  lU: [1, 20],
  Ul: [-2, 44],
  UU: [25, 46]
}

const digitBefore = 15
const digitBehind = 5

const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

const isDigit = (code: number): boolean => code >= 48 && code <= 57

const caseOf = (code: number): string => (code < 97 ? "U" : "l")

/** Null where neither is a letter: that says nothing. */
const pairWeight = (first: number, second: number): number | null => {
  if (isLetter(first) && isLetter(second)) {
    const [often, seldom] = weights[caseOf(first) + caseOf(second)] ?? [0, 0]
    return common().has((((first | 32) - 97) << 5) | ((second | 32) - 97)) ? often : seldom
  }
  if (isDigit(first) && isLetter(second)) return digitBefore
  return isLetter(first) && isDigit(second) ? digitBehind : null
}

const least = 10
const most = 200

/** Of random values of twelve letters two in a thousand have less, and one name in fifty has more. */
const usual = -40

/** For where a password stands: less has hardly one of ten thousand. */
export const lenient = -90

/** With fewer pairs it is a number, a date or a version. */
const leastPairs = 6

/** How names of classes begin: "RSAPublicKey", "_PKPushPayload". */
const acronym = /^_?[A-Z]{2,3}(?=[A-Z][a-z]{3})/

export const isScrambled = (value: string, threshold: number = usual): boolean => {
  if (value.length < least || /\s/.test(value)) return false
  const one = value.slice(0, most).replace(acronym, "")
  // In capitals alone the case says nothing.
  const text = /[a-z]/.test(one) ? one : one.toLowerCase()
  let [sum, pairs] = [0, 0]
  for (let at = 1; at < text.length; at += 1) {
    const weight = pairWeight(text.charCodeAt(at - 1), text.charCodeAt(at))
    if (weight === null) continue
    sum += weight
    pairs += 1
  }
  return pairs >= Math.max(leastPairs, text.length / 2) && sum > threshold
}
