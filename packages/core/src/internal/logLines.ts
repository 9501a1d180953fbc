/** The lines of an open log, by chunks: a file of any size is read with the memory of one chunk. */
import type { LogFile } from "../LogDisk.ts"

const lineBreak = 10
const chunkBytes = 1024 * 1024

export type OnLine = (chunk: Uint8Array, from: number, to: number, at: number) => void

/**
 * Gives each whole line between two offsets, without its line break, and says where the last of them ends. `upTo` ends
 * it after the chunk in which so many bytes were read. The chunk is used again after each call.
 */
export const scanLines = (
  file: LogFile,
  { from, to, upTo = Number.POSITIVE_INFINITY }: { readonly from: number; readonly to: number; readonly upTo?: number },
  onLine: OnLine
): number => {
  let length = Math.min(chunkBytes, to - from)
  // As the driver makes them: Node's own bytes are searched many times as fast as others.
  let own: Uint8Array = new Uint8Array(0)
  let at = from
  while (at < to && at - from < upTo) {
    const wanted = Math.min(length, to - at)
    let filled: number
    if (own.length < wanted) {
      own = file.read(at, wanted)
      filled = own.length
    } else filled = file.readInto(own.subarray(0, wanted), at)
    const last = own.subarray(0, filled).lastIndexOf(lineBreak)
    if (last < 0) {
      if (filled < wanted || at + filled >= to) return at
      length *= 4
    } else {
      // They differ from others in what `slice` does, which is nothing that whoever gets them should have to know.
      const chunk = new Uint8Array(own.buffer, own.byteOffset, own.length)
      for (let start = 0; start <= last;) {
        const end = own.indexOf(lineBreak, start)
        onLine(chunk, start, end, at + start)
        start = end + 1
      }
      at += last + 1
    }
  }
  return at
}
