/**
 * Bytes of UTF-8, four at a time. What is looked at may reach `slack` bytes beyond where a line ends, so a view of it has to.
 */
import * as RowHash from "./RowHash.ts"

/** As far beyond its end as anything here looks. */
export const slack = 32

const encoder = new TextEncoder()

export interface Literal {
  readonly length: number
  readonly words: Int32Array
  /** The last four bytes, some of which the word before may have too. */
  readonly last: number
}

/** Of four bytes or more, and of fewer than `slack`. */
export const literal = (text: string): Literal => {
  const bytes = encoder.encode(text)
  const view = new DataView(bytes.buffer)
  const words = Int32Array.from({ length: bytes.length >> 2 }, (_, index) => view.getInt32(index * 4, true))
  return { length: bytes.length, words, last: view.getInt32(bytes.length - 4, true) }
}

export const isAt = (view: DataView, at: number, { last, length, words }: Literal): boolean => {
  for (let index = 0; index < words.length; index += 1)
    if (view.getInt32(at + index * 4, true) !== words[index]) return false
  return view.getInt32(at + length - 4, true) === last
}

/** The top bit of every byte that is zero, and maybe of such above it: the lowest is right. */
const zeros = (word: number): number => (word - 0x01010101) & ~word

/**
 * The top bit of the lowest byte at which a JSON text ends or is not as it stands: a quote, a backslash, a control; nothing
 * where there is none. (The bit tricks are Alan Mycroft's and Sean Anderson's.)
 */
const stopsIn = (word: number): number =>
  (zeros(word ^ 0x22222222) | zeros(word ^ 0x5c5c5c5c) | ((word - 0x20202020) & ~word)) & 0x80808080

/** How many bytes stand before the lowest of the bits. */
const before = (stops: number): number => (31 - Math.clz32(stops & -stops)) >>> 3

/** Where a text stops that goes on at `from`: at its quote, unless it has an escape or no end. */
export const stopOf = (view: DataView, from: number): number => {
  let at = from
  let stops = stopsIn(view.getInt32(at, true))
  while (stops === 0) {
    at += 4
    stops = stopsIn(view.getInt32(at, true))
  }
  return at + before(stops)
}

/** The `RowHash` of the text that `hashTo` read last: two results without an object for each. */
export let hashed = 0

/** Where a text stops, as `stopOf` has it. */
export const hashTo = (view: DataView, from: number): number => {
  let hash = RowHash.seed
  let at = from
  let word = view.getInt32(at, true)
  let stops = stopsIn(word)
  while (stops === 0) {
    hash = RowHash.step(hash, word)
    at += 4
    word = view.getInt32(at, true)
    stops = stopsIn(word)
  }
  const rest = before(stops)
  hashed = RowHash.finished(hash, word & ((1 << (rest * 8)) - 1), at + rest - from)
  return at + rest
}
