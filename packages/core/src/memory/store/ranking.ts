/** Ranks texts with Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). */
import { termsOf } from "../../base/text/Terms.ts"

const k1 = 1.2
const b = 0.75

/** How many imaginary texts without the query's words are added. Otherwise, common words would weigh almost nothing. */
const elsewhere = 20

/** Counts over all texts, for a caller that ranks only some of the texts. */
export interface Corpus {
  readonly size: number
  /** The number of terms in all texts together. */
  readonly length: number
  /** How many texts have each term of the query. */
  readonly having: ReadonlyMap<string, number>
}

export interface RankedEntry<A> {
  readonly of: A
  /** Between 0 and 1: the weight of the matching terms, divided by the maximum weight of all terms in the query. */
  readonly similarity: number
  /** The terms that the text shares with the query, the rarest first. */
  readonly terms: ReadonlyArray<string>
}

/** The texts that share a term with the query, in the given order. Without `corpus`, the given texts are all texts. */
export const ranked = <A>(
  all: ReadonlyArray<A>,
  query: string,
  termsIn: (one: A) => ReadonlyArray<string>,
  corpus?: Corpus
): ReadonlyArray<RankedEntry<A>> => {
  const having = new Map(termsOf(query).map((term) => [term, 0]))
  let total = 0
  const found = all.flatMap((of) => {
    const terms = termsIn(of)
    total += terms.length
    const times = new Map<string, number>()
    for (const term of terms) if (having.has(term)) times.set(term, (times.get(term) ?? 0) + 1)
    for (const term of times.keys()) having.set(term, (having.get(term) ?? 0) + 1)
    return times.size === 0 ? [] : [{ of, length: terms.length, times }]
  })
  // The numbers of `corpus` may be estimates that are too low.
  const size = Math.max(all.length, corpus?.size ?? 0)
  const idf = new Map(
    [...having].map(([term, own]) => {
      const count = Math.min(size, Math.max(own, corpus?.having.get(term) ?? 0))
      return [term, Math.log(1 + (size + elsewhere - count + 0.5) / (count + 0.5))]
    })
  )
  const average = Math.max(1, corpus === undefined ? total / all.length : corpus.length / corpus.size)
  const full = [...idf.values()].reduce((sum, one) => sum + one, 0) * (k1 + 1)
  const rarest = [...idf].toSorted(([, one], [, other]) => other - one)
  return found.map(({ length, of, times }) => {
    const norm = k1 * (1 - b + (b * length) / average)
    const shared = rarest.filter(([term]) => times.has(term))
    const weight = shared.reduce((sum, [term, rare]) => {
      const count = times.get(term) ?? 0
      return sum + (rare * (k1 + 1) * count) / (count + norm)
    }, 0)
    return { of, similarity: weight / full, terms: shared.map(([term]) => term) }
  })
}
