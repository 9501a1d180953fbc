/** The lines of an open log, by chunks: a file of any size is read with the memory of one chunk. */
import type { LogFile } from "./LogDisk.ts"

const lineBreak = 10
const chunkBytes = 1024 * 1024

export type OnLine = (chunk: Uint8Array, from: number, to: number, at: number) => void

/** What was read last, whose place the next can take: so many megabytes that are asked for anew cost more than to read them. */
export interface Room {
  bytes: Uint8Array
}

export const room = (): Room => ({ bytes: new Uint8Array(0) })

interface Range {
  readonly from: number
  readonly to: number
  readonly upTo?: number
  readonly room?: Room
}

/**
 * Gives each whole line between two offsets, without its line break, and says where the last of them ends. `upTo` ends
 * it after the chunk in which so many bytes were read. The chunk is used again after each call.
 */
export const scanLines = (
  file: LogFile,
  { from, room: own = room(), to, upTo = Number.POSITIVE_INFINITY }: Range,
  onLine: OnLine
): number => {
  let length = Math.min(chunkBytes, to - from)
  let at = from
  while (at < to && at - from < upTo) {
    const wanted = Math.min(length, to - at)
    let filled: number
    if (own.bytes.length < wanted) {
      // As the driver makes them: Node's own bytes are searched many times as fast as others.
      own.bytes = file.read(at, wanted)
      filled = own.bytes.length
    } else filled = file.readInto(own.bytes.subarray(0, wanted), at)
    const { bytes } = own
    const last = bytes.subarray(0, filled).lastIndexOf(lineBreak)
    if (last < 0) {
      if (filled < wanted || at + filled >= to) return at
      length *= 4
    } else {
      const { buffer, byteLength, byteOffset } = bytes
      // They differ from others in what `slice` does, which is nothing that whoever gets them should have to know.
      const chunk = new Uint8Array(buffer, byteOffset, byteLength)
      for (let start = 0; start <= last;) {
        const end = bytes.indexOf(lineBreak, start)
        onLine(chunk, start, end, at + start)
        start = end + 1
      }
      at += last + 1
    }
  }
  return at
}
