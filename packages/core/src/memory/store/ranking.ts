/** Texts ranked by Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009), by one look at each. */
import { termsOf } from "../../base/text/Terms.ts"

const k1 = 1.2
const b = 0.75

/**
 * Texts of other words that are taken to be there as well: of one alone, nobody could tell which of its words are rare.
 */
const elsewhere = 20

/** `similarity` is between 0 and 1: of what the query's terms could weigh, known or not, how much they do. */
export interface RankedEntry<A> {
  readonly of: A
  readonly similarity: number
  /** The terms that it shares with the query, the rarest first. */
  readonly terms: ReadonlyArray<string>
}

/** Those that share a term with the query, in the order given. `termsIn` may be asked for the same one again. */
export const ranked = <A>(
  all: ReadonlyArray<A>,
  query: string,
  termsIn: (one: A) => ReadonlyArray<string>
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
  const idf = new Map(
    [...having].map(([term, count]) => [term, Math.log(1 + (all.length + elsewhere - count + 0.5) / (count + 0.5))])
  )
  const full = [...idf.values()].reduce((sum, one) => sum + one, 0) * (k1 + 1)
  const rarest = [...idf].toSorted(([, one], [, other]) => other - one)
  return found.map(({ length, of, times }) => {
    const norm = k1 * (1 - b + (b * length) / Math.max(1, total / all.length))
    const shared = rarest.filter(([term]) => times.has(term))
    const weight = shared.reduce((sum, [term, rare]) => {
      const count = times.get(term) ?? 0
      return sum + (rare * (k1 + 1) * count) / (count + norm)
    }, 0)
    return { of, similarity: weight / full, terms: shared.map(([term]) => term) }
  })
}
