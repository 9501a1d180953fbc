/** Extracts search terms from prose and code. A name in code gives a term for the whole name and for each part. */
import { lazy } from "./Lazy.ts"

const stop = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its may more most must no " +
    "not of on one only or other our out over should so some such than that the their them then there these they this those to too " +
    "under up was we were what when where which while who will with would you your"
  ).split(" ")
)

const maxText = 8192
const maxTerm = 48
const maxTerms = 512

/** Words, and names with dots, dashes, slashes and underscores inside. */
const word = lazy(() => /[\p{L}\p{N}_$][\p{L}\p{N}_$./:@-]*[\p{L}\p{N}_$]|[\p{L}\p{N}]/gu)

const joint = lazy(() => /[^\p{L}\p{N}]+/u)

const humps = lazy(() => /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)

/** Removes plural endings and the most common English verb endings. Imprecise, but the same for queries and texts. */
const stem = (term: string): string => {
  if (term.length < 5 || !/^[a-z]+$/.test(term)) return term
  if (term.endsWith("ies")) return `${term.slice(0, -3)}y`
  if (term.endsWith("sses")) return term.slice(0, -2)
  if (term.endsWith("ing") && term.length > 6) return term.slice(0, -3)
  if (term.endsWith("ed") && term.length > 5) return term.slice(0, -2)
  return term.endsWith("s") && !/(?:ss|us|is)$/.test(term) ? term.slice(0, -1) : term
}

const isTerm = (term: string): boolean => term !== "" && term.length <= maxTerm && !stop.has(term)

/** Scripts that put no space between words. */
const unspaced = lazy(
  () =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
)

/** In such a script, each pair of neighbouring letters is a term. */
const pairs = (name: string): ReadonlyArray<string> =>
  (name.match(unspaced()) ?? []).flatMap((run) => {
    const letters = [...run]
    return letters.length === 1 ? [run] : letters.slice(1).map((letter, index) => `${letters[index] ?? ""}${letter}`)
  })

const parts = (name: string): ReadonlyArray<string> =>
  name.split(joint()).flatMap((part) => (part === part.toLowerCase() ? [part] : part.split(humps())))

const simple = /^[a-z]+$/

const termsOfName = (name: string): ReadonlyArray<string> => {
  if (name === "") return []
  const lower = name.toLowerCase()
  if (simple.test(name)) return isTerm(lower) ? [stem(lower)] : []
  if (name.search(unspaced()) >= 0) return [...pairs(name), ...name.split(unspaced()).flatMap(termsOfName)]
  const pieces = parts(name)
    .map((part) => stem(part.toLowerCase()))
    .filter(isTerm)
  return pieces.length !== 1 && isTerm(lower) ? [...pieces, lower] : pieces
}

const mostKnown = 20_000
const known = new Map<string, ReadonlyArray<string>>()

const knownTerms = (name: string): ReadonlyArray<string> => {
  const before = known.get(name)
  if (before !== undefined) return before
  const terms = termsOfName(name)
  if (known.size >= mostKnown) known.clear()
  known.set(name, terms)
  return terms
}

/** Repeated terms are kept. */
export const termsOf = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const [name] of text.slice(0, maxText).matchAll(word()))
    if (found.length < maxTerms) found.push(...knownTerms(name))
  return found
}
