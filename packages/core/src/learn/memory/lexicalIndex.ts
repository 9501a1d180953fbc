/**
 * An inverted index ranked by Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). Documents
 * are numbered in the order in which they come. A search looks through the rarest terms first, and through the long lists
 * of common ones only for documents that can still be among the best (Moffat and Zobel's "continue" strategy, 1996, exact
 * by its bounds).
 */
import { termsOf } from "../../base/text/Terms.ts"

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
  /** By how much each document's length lets a term weigh less, as it was for so many documents. */
  norms: Float64Array
}

export const make = (): LexicalIndex => ({
  terms: new Map(),
  lengths: new Uint16Array(1024),
  documents: 0,
  total: 0,
  norms: new Float64Array(0)
})

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

/**
 * Documents of other words that are taken to be there as well: of one alone, nobody could tell which of its words are rare.
 */
const elsewhere = 20

const none: ReadonlyArray<number> = []

/** The rarest first; a term that no document has weighs most of all. */
const queryOf = ({ documents, terms }: LexicalIndex, query: string): ReadonlyArray<QueryTerm> =>
  [...new Set(termsOf(query))]
    .map((term) => {
      const entries = terms.get(term)?.entries ?? none
      const idf = Math.log(1 + (documents + elsewhere - entries.length + 0.5) / (entries.length + 0.5))
      return { term, entries, idf }
    })
    .toSorted((left, right) => right.idf - left.idf)

/** A document gets from a term at most its idf times this. */
const most = k1 + 1

const normsOf = (index: LexicalIndex): Float64Array => {
  const { documents, lengths, norms, total } = index
  if (norms.length === documents) return norms
  const average = Math.max(1, total / Math.max(1, documents))
  index.norms = Float64Array.from({ length: documents }, (_, document) => {
    const length = lengths[document] ?? 0
    return k1 * (1 - b + (b * length) / average)
  })
  return index.norms
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

/** `similarity` is between 0 and 1: of what the query's terms could weigh, known or not, how much they do. */
export interface Hit {
  readonly document: number
  readonly similarity: number
  readonly score: number
}

interface Ranked {
  readonly document: number
  readonly score: number
}

/** The best of some documents, best first; of equal ones the newer. Most are put aside by their weight alone. */
const best = (
  weights: Float64Array,
  candidates: Uint32Array | null,
  { accepts, factor, limit, maxFactor }: SearchOptions
): ReadonlyArray<Ranked> => {
  const found: Array<Ranked> = []
  let least = 0
  for (let at = (candidates ?? weights).length - 1; at >= 0; at -= 1) {
    const document = candidates === null ? at : (candidates[at] ?? 0)
    const weight = weights[document] ?? 0
    if (weight === 0 || weight * maxFactor <= least || !accepts(document)) continue
    const score = weight * factor(document)
    if (score <= least) continue
    let place = found.length
    while (place > 0 && (found[place - 1]?.score ?? 0) < score) place -= 1
    found.splice(place, 0, { document, score })
    if (found.length > limit) found.pop()
    if (found.length === limit) least = found[limit - 1]?.score ?? 0
  }
  return found
}

/** The documents that can still be among the best when `left` is all that may be added; null while others can. */
const closed = (weights: Float64Array, left: number, options: SearchOptions): Uint32Array | null => {
  const { factor, limit, maxFactor } = options
  const found = best(weights, null, options)
  const least = found.length === limit ? (found[limit - 1]?.score ?? 0) : 0
  if (left * maxFactor >= least) return null
  const reaching: Array<number> = []
  for (let document = 0; document < weights.length; document += 1) {
    const weight = weights[document] ?? 0
    if (weight > 0 && (weight + left) * maxFactor >= least && (weight + left) * factor(document) >= least)
      reaching.push(document)
  }
  return Uint32Array.from(reaching)
}

/** Lists that are shorter are gone through in less time than it takes to see whether they have to be. */
const short = 2000

/** The best documents, best first; of equal ones the newer. */
export const search = (index: LexicalIndex, query: string, options: SearchOptions): ReadonlyArray<Hit> => {
  const terms = queryOf(index, query)
  const full = terms.reduce((sum, { idf }) => sum + idf * most, 0)
  if (full === 0 || options.limit <= 0) return []
  const norms = normsOf(index)
  const weights = new Float64Array(index.documents)
  let candidates: Uint32Array | null = null
  let left = full
  for (const { entries, idf } of terms) {
    if (candidates === null && entries.length > short) candidates = closed(weights, left, options)
    const scale = idf * most
    if (candidates === null || candidates.length * 8 > entries.length) addAll(weights, norms, entries, scale)
    else addTo(candidates, weights, norms, entries, scale)
    left -= scale
  }
  return best(weights, candidates, options).map(({ document, score }) => ({
    document,
    similarity: (weights[document] ?? 0) / full,
    score: score / full
  }))
}

const addAll = (weights: Float64Array, norms: Float64Array, entries: ReadonlyArray<number>, scale: number): void => {
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at] ?? 0
    const document = entry >>> 4
    const times = entry & maxTimes
    weights[document] = (weights[document] ?? 0) + (scale * times) / (times + (norms[document] ?? 1))
  }
}

/** Looks the candidates up, which are ascending, in a list that is longer. */
const addTo = (
  candidates: Uint32Array,
  weights: Float64Array,
  norms: Float64Array,
  entries: ReadonlyArray<number>,
  scale: number
): void => {
  let at = 0
  for (const document of candidates) {
    at = seek(entries, document, at)
    const entry = entries[at] ?? -1
    if (entry < 0 || entry >>> 4 !== document) continue
    const times = entry & maxTimes
    weights[document] = (weights[document] ?? 0) + (scale * times) / (times + (norms[document] ?? 1))
  }
}

/** The terms of a query that a text has, the rarest first: why it was found. */
export const shared = (index: LexicalIndex, query: string, text: string): ReadonlyArray<string> => {
  const there = new Set(termsOf(text))
  return queryOf(index, query)
    .filter(({ term }) => there.has(term))
    .map(({ term }) => term)
}
