/**
 * Whether letters and digits stand in an order that no word has: in a name or a sentence most pairs of neighbours are
 * among three hundred, and capitals begin words.
 */

/** Of each letter those that often follow it in English and in the names of programs. */
const following =
  "bcdfgiklmnprstuvxy aeijlorsuy acehiklorstu abcdefilmnoprstu abcdefghilmnopqrstuvwxy aefilorstu aehilnorstu aeiortu abcdefglmnoprstvxz es aeis abcdeilopstuy abeilmopstu acdefgiklmnoprstuv abcdfgiklmnoprstuvw adehiloprstuy u abcdefgiklmnoprstuvy abcdefhiklmnoprstuvy abcdefhilmnoprstuwy abcdefilmnprst aegi aeinors ceipt npst e".split(
    " "
  )

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

/** "d" for a digit, "" for a sign. */
const classOf = (char: string): string =>
  char >= "a" && char <= "z" ? "l" : char >= "A" && char <= "Z" ? "U" : char >= "0" && char <= "9" ? "d" : ""

/** Null where neither is a letter: that says nothing. */
const pairWeight = (first: string, second: string): number | null => {
  const pair = classOf(first) + classOf(second)
  if (pair.length < 2) return null
  const often = following[first.toLowerCase().charCodeAt(0) - 97]?.includes(second.toLowerCase()) === true
  if (pair === "dl" || pair === "dU") return 15
  if (pair === "ld" || pair === "Ud") return 5
  return weights[pair]?.[often ? 0 : 1] ?? null
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
  const found = Array.from({ length: Math.max(0, text.length - 1) }, (_, at) =>
    pairWeight(text.charAt(at), text.charAt(at + 1))
  ).filter((weight) => weight !== null)
  const sum = found.reduce((total, weight) => total + weight, 0)
  return found.length >= Math.max(leastPairs, text.length / 2) && sum > threshold
}
