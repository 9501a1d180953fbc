/** The lines of an open log, by chunks: a file of any size is read with the memory of one chunk. */
import type { LogFile } from "../LogDisk.ts"

const lineBreak = 10
const chunkBytes = 1024 * 1024

export type OnLine = (chunk: Uint8Array, from: number, to: number, at: number) => void

/** Where the next line break is that is known to be there: four bytes at a time, of which most have none. */
const breakAt = (chunk: Uint8Array, words: Int32Array, from: number): number => {
  let at = from
  for (; (at & 3) !== 0; at += 1) if (chunk[at] === lineBreak) return at
  let word = at >> 2
  for (; word < words.length; word += 1) {
    const isBreak = (words[word] ?? 0) ^ 0x0a0a0a0a
    if (((isBreak - 0x01010101) & ~isBreak & 0x80808080) !== 0) break
  }
  at = word << 2
  while (chunk[at] !== lineBreak) at += 1
  return at
}

const wordsOf = (chunk: Uint8Array): Int32Array => new Int32Array(chunk.buffer, 0, chunk.length >> 2)

/**
 * Gives each whole line between two offsets, without its line break, and says where the last of them ends. `upTo` ends
 * it after the chunk in which so many bytes were read. The chunk is used again after each call.
 */
export const scanLines = (
  file: LogFile,
  { from, to, upTo = Number.POSITIVE_INFINITY }: { readonly from: number; readonly to: number; readonly upTo?: number },
  onLine: OnLine
): number => {
  let chunk = new Uint8Array(Math.min(chunkBytes, to - from))
  let words = wordsOf(chunk)
  let at = from
  while (at < to && at - from < upTo) {
    const filled = file.readInto(chunk.length <= to - at ? chunk : chunk.subarray(0, to - at), at)
    const last = chunk.subarray(0, filled).lastIndexOf(lineBreak)
    if (last < 0) {
      if (filled < chunk.length || at + filled >= to) return at
      chunk = new Uint8Array(Math.min(chunk.length * 4, to - at))
      words = wordsOf(chunk)
    } else {
      for (let start = 0; start <= last;) {
        const end = breakAt(chunk, words, start)
        onLine(chunk, start, end, at + start)
        start = end + 1
      }
      at += last + 1
    }
  }
  return at
}
