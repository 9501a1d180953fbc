/**
 * An inverted index ranked by Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). Documents
 * are numbered in the order in which they come. A search looks through the rarest terms first, and through the long lists
 * of common ones only for documents that can still be among the best (Moffat and Zobel's "continue" strategy, 1996, exact
 * by its bounds).
 */
import { termsOf } from "./terms.ts"

const k1 = 1.2
const b = 0.75

/** Terms beyond so often in one document add nothing to its weight, and fit into four bits. */
const maxTimes = 15

interface Postings {
  /** Document times 16, and how often the term stands in it: ascending. */
  readonly entries: Array<number>
}

export interface LexicalIndex {
  readonly terms: Map<string, Postings>
  lengths: Uint16Array
  documents: number
  total: number
}

export const make = (): LexicalIndex => ({ terms: new Map(), lengths: new Uint16Array(1024), documents: 0, total: 0 })

/** Adds the next document. An empty text takes a number as well. */
export const add = (index: LexicalIndex, text: string): void => {
  const document = index.documents
  if (document === index.lengths.length) {
    const longer = new Uint16Array(document * 2)
    longer.set(index.lengths)
    index.lengths = longer
  }
  const terms = termsOf(text)
  const times = new Map<string, number>()
  for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1)
  for (const [term, count] of times) {
    const entry = document * 16 + Math.min(count, maxTimes)
    const postings = index.terms.get(term)
    if (postings === undefined) index.terms.set(term, { entries: [entry] })
    else postings.entries.push(entry)
  }
  index.lengths[document] = Math.min(terms.length, 0xffff)
  index.total += terms.length
  index.documents += 1
}

interface QueryTerm {
  readonly term: string
  readonly entries: ReadonlyArray<number>
  readonly idf: number
}

const queryOf = ({ documents, terms }: LexicalIndex, query: string): ReadonlyArray<QueryTerm> =>
  [...new Set(termsOf(query))]
    .flatMap((term) => {
      const entries = terms.get(term)?.entries
      if (entries === undefined) return []
      const idf = Math.log(1 + (documents - entries.length + 0.5) / (entries.length + 0.5))
      return [{ term, entries, idf }]
    })
    .toSorted((left, right) => right.idf - left.idf)

/** A document of these lengths gets from a term at most its idf times this. */
const most = k1 + 1

const weightOf = (index: LexicalIndex, entry: number, average: number): number => {
  const times = entry % 16
  const length = index.lengths[(entry - times) / 16] ?? 0
  return (times * most) / (times + k1 * (1 - b + (b * length) / average))
}

/** Where a document stands in an ascending list, or would; looked for from `from` on in growing steps. */
const seek = (entries: ReadonlyArray<number>, document: number, from: number): number => {
  const wanted = document * 16
  let step = 1
  let low = from
  while (low + step < entries.length && (entries[low + step] ?? 0) < wanted) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, entries.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

export interface SearchOptions {
  readonly limit: number
  /** Whether a document may be found at all. */
  readonly accepts: (document: number) => boolean
  /** What a document's similarity is multiplied by. */
  readonly factor: (document: number) => number
  /** The most that `factor` gives. */
  readonly maxFactor: number
}

/** `similarity` is between 0 and 1: of what the query's terms could weigh, how much they do. */
export interface Hit {
  readonly document: number
  readonly similarity: number
  readonly score: number
}

/** The score that the best `limit` of these have at least. */
const threshold = (candidates: ReadonlyArray<number>, scoreOf: (document: number) => number, limit: number): number => {
  if (candidates.length < limit) return 0
  const best: Array<number> = []
  for (const document of candidates) {
    const score = scoreOf(document)
    if (best.length === limit && score <= (best[0] ?? 0)) continue
    if (best.length === limit) best.shift()
    const at = best.findIndex((other) => other > score)
    best.splice(at < 0 ? best.length : at, 0, score)
  }
  return best[0] ?? 0
}

/** The best documents, best first; of equal ones the newer. */
export const search = (index: LexicalIndex, query: string, options: SearchOptions): ReadonlyArray<Hit> => {
  const terms = queryOf(index, query)
  const full = terms.reduce((sum, { idf }) => sum + idf * most, 0)
  if (full === 0 || options.limit <= 0) return []
  const average = Math.max(1, index.total / Math.max(1, index.documents))
  const weights = new Float64Array(index.documents)
  let candidates: Array<number> = []
  let left = full
  let isClosed = false
  for (const { entries, idf } of terms) {
    // Once nothing new can reach the best, a list that is longer than the candidates is only looked up.
    if (!isClosed && entries.length > 4 * candidates.length && candidates.length >= options.limit) {
      const scoreOf = (document: number): number => (weights[document] ?? 0) * options.factor(document)
      const least = threshold(candidates, scoreOf, options.limit)
      if (left * options.maxFactor < least) {
        isClosed = true
        const reach = (document: number): boolean =>
          ((weights[document] ?? 0) + left) * options.factor(document) >= least
        candidates = candidates.filter(reach).toSorted((one, other) => one - other)
      }
    }
    if (isClosed) {
      let at = 0
      for (const document of candidates) {
        at = seek(entries, document, at)
        const entry = entries[at] ?? -1
        if (entry >= document * 16 && entry < document * 16 + 16)
          weights[document] = (weights[document] ?? 0) + idf * weightOf(index, entry, average)
      }
    } else {
      for (const entry of entries) {
        const document = (entry - (entry % 16)) / 16
        const before = weights[document] ?? 0
        if (before === 0) {
          if (!options.accepts(document)) continue
          candidates.push(document)
        }
        weights[document] = before + idf * weightOf(index, entry, average)
      }
    }
    left -= idf * most
  }
  return candidates
    .map((document) => {
      const similarity = (weights[document] ?? 0) / full
      return { document, similarity, score: similarity * options.factor(document) }
    })
    .toSorted((one, other) => other.score - one.score || other.document - one.document)
    .slice(0, options.limit)
}

/** The terms of a query that a text has, the rarest first: why it was found. */
export const shared = (index: LexicalIndex, query: string, text: string): ReadonlyArray<string> => {
  const there = new Set(termsOf(text))
  return queryOf(index, query)
    .filter(({ term }) => there.has(term))
    .map(({ term }) => term)
}
