/** Zstandard, which Node 20 cannot unpack: Codex puts sessions away in it. */
import { Decompress } from "fzstd"

const magic = [0x28, 0xb5, 0x2f, 0xfd]

/**
 * How many first bytes tell.
 *
 * @category limits
 */
export const headBytes = 4

export const isZstd = (head: Uint8Array): boolean => magic.every((byte, index) => head[index] === byte)

/** What `zstd` itself unpacks without being told to; a frame that asks for more is not worth the memory. */
const maxWindow = 128 * 1024 * 1024

/**
 * What the unpacking of a stream may take: the library moves a block's whole window for each block, and a byte that comes out
 * costs as much as some 16 that are moved. That is some ten seconds for any stream, and for one that is honest never reached.
 */
const leave = { first: 64 * 1024 ** 3, perPackedByte: 64 * 1024, perByte: 16 }

/** A failure of the format, by a code like those of Node's own formats. */
const failed = (message: string): Error => Object.assign(new Error(message), { code: "Z_ZSTD" })

const greedy = (message: string): Error => Object.assign(new Error(message), { code: "Z_ZSTD_GREEDY" })

const numberOf = (bytes: ReadonlyArray<number>): number =>
  bytes.reduce((total, byte, at) => total + byte * 256 ** at, 0)

const dictionaryLength = (descriptor: number): number => [0, 1, 2, 4][descriptor & 3] ?? 0

const isSingleSegment = (descriptor: number): boolean => (descriptor & 0x20) !== 0

/** How many bytes name the content's length, where the frame does. */
const lengthBytes = (descriptor: number): number =>
  descriptor >> 6 > 0 || isSingleSegment(descriptor) ? 2 ** (descriptor >> 6) : 0

const hasChecksum = (descriptor: number): boolean => (descriptor & 4) !== 0

const isSkippable = ([first = 0, ...rest]: ReadonlyArray<number>): boolean =>
  (first & 0xf0) === 0x50 && [0x2a, 0x4d, 0x18].every((byte, index) => rest[index] === byte)

/** How long the head of a frame is, by what is there of it. */
const frameHeadLength = (head: ReadonlyArray<number>): number => {
  const descriptor = head[4]
  if (isSkippable(head)) return 8
  if (descriptor === undefined) return 5
  return 5 + (isSingleSegment(descriptor) ? 0 : 1) + dictionaryLength(descriptor) + lengthBytes(descriptor)
}

/** The window that a frame asks for, as RFC 8878 has it: in a single segment the length of its content. */
const windowOf = (head: ReadonlyArray<number>): number => {
  const [descriptor = 0, window = 0] = head.slice(4)
  if (isSingleSegment(descriptor)) return numberOf(head.slice(5 + dictionaryLength(descriptor)))
  const base = 2 ** (10 + (window >> 3))
  return base + (base / 8) * (window & 7)
}

/** Walks a stream's frames and blocks, of which the library tells nothing, and fails where they ask for too much. */
const watch = () => {
  let head: Array<number> = []
  let skipped = 0
  let frame: { readonly window: number; readonly checksum: boolean } | null = null
  let left = leave.first
  const spend = (cost: number): void => {
    left -= cost
    if (left < 0) throw greedy("its zstd data take too long to unpack")
  }
  const beginFrame = (): void => {
    if (isSkippable(head)) {
      skipped = numberOf(head.slice(4))
      return
    }
    if (!isZstd(Uint8Array.from(head))) throw failed("what follows is no zstd frame")
    const window = windowOf(head)
    if (window > maxWindow) throw greedy("its zstd window is too large")
    spend(window)
    frame = { window, checksum: hasChecksum(head[4] ?? 0) }
  }
  const beginBlock = ({ window, checksum }: NonNullable<typeof frame>): void => {
    const block = numberOf(head)
    const repeats = (block & 2) !== 0
    skipped = repeats ? 1 : block >> 3
    spend(window)
    if ((block & 1) === 0) return
    skipped += checksum ? 4 : 0
    frame = null
  }
  return {
    packed: (piece: Uint8Array): void => {
      left += piece.length * leave.perPackedByte
      for (let at = 0; at < piece.length;) {
        const over = Math.min(skipped, piece.length - at)
        skipped -= over
        at += over
        if (at === piece.length) return
        head.push(piece[at++] ?? 0)
        if (head.length < (frame === null ? frameHeadLength(head) : 3)) continue
        if (frame === null) beginFrame()
        else beginBlock(frame)
        head = []
      }
    },
    unpacked: (piece: Uint8Array): void => spend(piece.length * leave.perByte)
  }
}

const slice = 1024

/**
 * The content of a stream that `isZstd`, in pieces as they come.
 *
 * @category streams
 */
export const unpack = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const watched = watch()
  let found: Array<Uint8Array> = []
  const frames = new Decompress((piece) => {
    if (piece.length > 0) found.push(piece)
  })
  const push = (piece: Uint8Array, last: boolean): ReadonlyArray<Uint8Array> => {
    found = []
    watched.packed(piece)
    try {
      frames.push(piece, last)
    } catch (cause) {
      throw failed(String(cause))
    }
    found.forEach(watched.unpacked)
    return found
  }
  // What a small piece unpacks to is handed on before the next: a bomb is stopped by whoever reads too much of it.
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += slice) yield* push(piece.subarray(at, at + slice), false)
  yield* push(new Uint8Array(), true)
}
