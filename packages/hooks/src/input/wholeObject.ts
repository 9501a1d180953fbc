/**
 * A look at the bytes of a JSON object while they come: whether all of it is there, and whether it can be parsed without a
 * danger to the process, for V8 takes 60 bytes of memory for each `[`. Nothing is parsed; a text that is no JSON is left to
 * whoever does.
 */

/** `more` is to come, `whole` it is; else what is wrong. */
export type Seen = "more" | "whole" | "none" | "deep" | "many"

/** @internal */
export const maxDepth = 500

/** How many values an object may hold in all: no tool's input or result comes near. */
export const maxValues = 1_000_000

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d]

/** White space, and the bytes of a byte order mark. */
const before: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

/** How many backslashes stand right before a place, at most back to `from`. */
const backslashes = (bytes: Uint8Array, at: number, from: number): number => {
  let first = at
  while (first > from && bytes[first - 1] === backslash) first -= 1
  return at - first
}

/** Is given the bytes in UTF-8, piece by piece, each once. */
export const make = (): ((piece: Uint8Array) => Seen) => {
  let [depth, values] = [0, 0]
  let [inText, isEscaped] = [false, false]

  /** Where the text goes on behind its end, which the piece may not have. */
  const pastText = (piece: Uint8Array, at: number): number => {
    let from = isEscaped ? at + 1 : at
    isEscaped = false
    for (;;) {
      const end = piece.indexOf(quote, from)
      const isOdd = backslashes(piece, end === -1 ? piece.length : end, from) % 2 === 1
      if (end === -1) {
        isEscaped = isOdd
        return piece.length
      }
      if (!isOdd) {
        inText = false
        return end + 1
      }
      from = end + 1
    }
  }

  return (piece) => {
    let at = 0
    if (depth === 0) {
      while (before.has(piece[at] ?? -1)) at += 1
      if (at === piece.length) return "more"
      if (piece[at] !== openObject) return "none"
    }
    while (at < piece.length) {
      if (inText) {
        at = pastText(piece, at)
        continue
      }
      const byte = piece[at++]
      if (byte === quote) inText = true
      else if (byte === closeObject || byte === closeList) depth -= 1
      else if (byte === openObject || byte === openList || byte === comma) {
        values += 1
        if (byte !== comma) depth += 1
        if (depth > maxDepth) return "deep"
        if (values > maxValues) return "many"
      }
      if (depth === 0) return "whole"
    }
    return "more"
  }
}
