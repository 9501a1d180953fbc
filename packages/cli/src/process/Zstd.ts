/** Zstandard, which Node 20 cannot unpack: Codex puts sessions away in it. */
import { Decompress } from "fzstd"

const magic = [0x28, 0xb5, 0x2f, 0xfd]

/**
 * How many first bytes tell.
 *
 * @category limits
 */
export const headBytes = 18

export const isZstd = (head: Uint8Array): boolean => magic.every((byte, index) => head[index] === byte)

/** What `zstd` itself unpacks without being told to; a frame that asks for more is not worth the memory. */
const maxWindow = 128 * 1024 * 1024

/** The length of the content, which is the window as well: behind the number of a dictionary, in 1, 2, 4 or 8 bytes. */
const lengthOf = (head: Uint8Array, descriptor: number): number => {
  const from = 5 + ([0, 1, 2, 4][descriptor & 3] ?? 0)
  const bytes = head.subarray(from, from + 2 ** (descriptor >> 6))
  return bytes.reduce((total, byte, at) => total + byte * 256 ** at, 0)
}

/** The window that the first frame asks for, as RFC 8878 has it. */
const windowOf = (head: Uint8Array): number => {
  const [descriptor = 0, window = 0] = head.subarray(4, 6)
  if ((descriptor & 0x20) !== 0) return lengthOf(head, descriptor)
  const base = 2 ** (10 + (window >> 3))
  return base + (base / 8) * (window & 7)
}

const slice = 1024

/** A failure of the format, by a code like those of Node's own formats. */
const failed = (message: string): Error => Object.assign(new Error(message), { code: "Z_ZSTD" })

/**
 * The content of a stream that `isZstd`, in pieces as they come. `bytes` begins with the whole head.
 *
 * @category streams
 */
export const unpack = async function* (head: Uint8Array, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (windowOf(head) > maxWindow) throw failed("its zstd window is too large")
  let found: Array<Uint8Array> = []
  const frames = new Decompress((piece) => {
    if (piece.length > 0) found.push(piece)
  })
  const push = (piece: Uint8Array, last: boolean): ReadonlyArray<Uint8Array> => {
    found = []
    try {
      frames.push(piece, last)
    } catch (cause) {
      throw failed(String(cause))
    }
    return found
  }
  // What a small piece unpacks to is handed on before the next: a bomb is stopped by whoever reads too much of it.
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += slice) yield* push(piece.subarray(at, at + slice), false)
  yield* push(new Uint8Array(), true)
}
