/**
 * Decides whether letters and digits have a random order. In names and sentences, most pairs of neighbours are among
 * three hundred common pairs, and capitals begin words.
 */

/** For each letter, the letters that often follow it in English and in names of programs. */
const following =
  "bcdfgiklmnprstuvxy aeijlorsuy acehiklorstu abcdefilmnoprstu abcdefghilmnopqrstuvwxy aefilorstu aehilnorstu aeiortu abcdefglmnoprstvxz es aeis abcdeilopstuy abeilmopstu acdefgiklmnoprstuv abcdfgiklmnoprstuvw adehiloprstuy u abcdefgiklmnoprstuvy abcdefhiklmnoprstuvy abcdefhilmnoprstuwy abcdefilmnprst aegi aeinors ceipt npst e".split(
    " "
  )

/**
 * How much more often a pair occurs in random letters than in names: the logarithm of the ratio, in tenths. In the
 * keys, "l" is a small letter and "U" a capital.
 */
const weights: Readonly<Record<string, readonly [common: number, rare: number]>> = {
  ll: [-19, 25],
  lU: [1, 20],
  Ul: [-2, 44],
  UU: [25, 46]
}

const classOf = (char: string): string =>
  char >= "a" && char <= "z" ? "l" : char >= "A" && char <= "Z" ? "U" : char >= "0" && char <= "9" ? "d" : ""

/** Null if the pair is no evidence, for example because it has no letter. */
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

/** 0.2 % of random values with twelve letters are below this threshold. 2 % of names are above it. */
const usual = -40

/** The threshold where a password is expected. Less than one random value in ten thousand is below it. */
export const lenient = -90

/** A value with fewer pairs is a number, a date or a version. */
const leastPairs = 6

/** The acronym at the beginning of some class names, for example "RSA" in "RSAPublicKey". */
const acronym = /^_?[A-Z]{2,3}(?=[A-Z][a-z]{3})/

export const isScrambled = (value: string, threshold: number = usual): boolean => {
  if (value.length < least || /\s/.test(value)) return false
  const one = value.slice(0, most).replace(acronym, "")
  // If all letters are capitals, the case is no evidence.
  const text = /[a-z]/.test(one) ? one : one.toLowerCase()
  const found = Array.from({ length: Math.max(0, text.length - 1) }, (_, at) =>
    pairWeight(text.charAt(at), text.charAt(at + 1))
  ).filter((weight) => weight !== null)
  const sum = found.reduce((total, weight) => total + weight, 0)
  return found.length >= Math.max(leastPairs, text.length / 2) && sum > threshold
}
