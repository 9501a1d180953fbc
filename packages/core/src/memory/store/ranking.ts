/** Texts ranked by Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009), by one look at each. */
import { termsOf } from "../../base/text/Terms.ts"

const k1 = 1.2
const b = 0.75

/** A term that stands in a text more often adds nothing to its weight. */
const maxTimes = 15

/**
 * Texts of other words that are taken to be there as well: of one alone, nobody could tell which of its words are rare.
 */
const elsewhere = 20

/** `similarity` is between 0 and 1: of what the query's terms could weigh, known or not, how much they do. */
export interface Ranked<A> {
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
): ReadonlyArray<Ranked<A>> => {
  const wanted = new Map([...new Set(termsOf(query))].map((term, index) => [term, index]))
  if (wanted.size === 0) return []
  const having = new Float64Array(wanted.size)
  let total = 0
  const found: Array<{ readonly of: A; readonly length: number; readonly times: ReadonlyMap<number, number> }> = []
  for (const one of all) {
    const terms = termsIn(one)
    total += terms.length
    const times = new Map<number, number>()
    for (const term of terms) {
      const index = wanted.get(term)
      if (index !== undefined) times.set(index, (times.get(index) ?? 0) + 1)
    }
    for (const index of times.keys()) having[index] = (having[index] ?? 0) + 1
    if (times.size > 0) found.push({ of: one, length: terms.length, times })
  }
  const idf = having.map((count) => Math.log(1 + (all.length + elsewhere - count + 0.5) / (count + 0.5)))
  const full = idf.reduce((sum, one) => sum + one, 0) * (k1 + 1)
  const average = Math.max(1, total / all.length)
  const rarest = [...wanted].toSorted(([, one], [, other]) => (idf[other] ?? 0) - (idf[one] ?? 0))
  return found.map(({ length, of, times }) => {
    const norm = k1 * (1 - b + (b * length) / average)
    let weight = 0
    for (const [index, often] of times) {
      const count = Math.min(often, maxTimes)
      weight += ((idf[index] ?? 0) * (k1 + 1) * count) / (count + norm)
    }
    const terms = rarest.flatMap(([term, index]) => (times.has(index) ? [term] : []))
    return { of, similarity: weight / full, terms }
  })
}
