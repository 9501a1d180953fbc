/** Zstandard, which Node 20 cannot unpack: Codex puts sessions away in it. */
import { Decompress } from "fzstd"

const magic = [0x28, 0xb5, 0x2f, 0xfd]

/**
 * How many first bytes tell.
 *
 * @category limits
 */
export const headBytes = 6

export const isZstd = (head: Uint8Array): boolean => magic.every((byte, index) => head[index] === byte)

/** What `zstd` itself unpacks without being told to; a frame that asks for more is not worth the memory. */
const maxWindow = 128 * 1024 * 1024

/** The window that the first frame asks for, as RFC 8878 has it; 0 where its whole content is the window. */
const windowOf = (head: Uint8Array): number => {
  const [descriptor = 0, window = 0] = head.subarray(4, 6)
  if ((descriptor & 0x20) !== 0) return 0
  const base = 2 ** (10 + (window >> 3))
  return base + (base / 8) * (window & 7)
}

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
  for await (const piece of bytes) yield* push(piece, false)
  yield* push(new Uint8Array(), true)
}
