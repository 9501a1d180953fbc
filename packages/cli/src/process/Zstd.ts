/** Zstandard, which Node 20 cannot unpack: Codex puts sessions away in it. */
import { Decompress } from "fzstd"
import xxhash, { type XXHash } from "xxhash-wasm"

const magic = [0x28, 0xb5, 0x2f, 0xfd]

/**
 * How many first bytes tell.
 *
 * @category limits
 */
export const headBytes = 4

const isFrame = (head: ReadonlyArray<number>): boolean => magic.every((byte, index) => head[index] === byte)

/** A frame that is passed over. */
const isSkippable = ([first = 0, ...rest]: ReadonlyArray<number>): boolean =>
  (first & 0xf0) === 0x50 && [0x2a, 0x4d, 0x18].every((byte, index) => rest[index] === byte)

export const isZstd = (bytes: Uint8Array): boolean => {
  const head = [...bytes.subarray(0, headBytes)]
  return isFrame(head) || isSkippable(head)
}

/** What `zstd` itself unpacks without being told to; a frame that asks for more is not worth the memory. */
const maxWindow = 128 * 1024 * 1024

/** What a block has at most, by RFC 8878. */
const maxBlock = 128 * 1024

/**
 * What the unpacking of a stream may take: the library moves a block's whole window for each block, a byte that comes out costs
 * as much as some 16 that are moved, and a frame as much as two megabytes. An honest stream never takes as much.
 */
const leave = { first: 8 * 1024 ** 3, perPackedByte: 64 * 1024, perByte: 16, perFrame: 2 * 1024 ** 2 }

/** A failure of the format, by a code like those of Node's own formats. */
const failed = (message: string): Error => Object.assign(new Error(message), { code: "Z_ZSTD" })

/** What came out is not what was packed. */
const altered = (message: string): Error => Object.assign(new Error(message), { code: "Z_ZSTD_ALTERED" })

const greedy = (message: string): Error => Object.assign(new Error(message), { code: "Z_ZSTD_GREEDY" })

const numberOf = (bytes: ReadonlyArray<number>): number =>
  bytes.reduce((total, byte, at) => total + byte * 256 ** at, 0)

const dictionaryLength = (descriptor: number): number => [0, 1, 2, 4][descriptor & 3] ?? 0

const isSingleSegment = (descriptor: number): boolean => (descriptor & 0x20) !== 0

/** How many bytes name the content's length, where the frame does. */
const lengthBytes = (descriptor: number): number =>
  descriptor >> 6 > 0 || isSingleSegment(descriptor) ? 2 ** (descriptor >> 6) : 0

const hasChecksum = (descriptor: number): boolean => (descriptor & 4) !== 0

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

/** How long a frame says that its content is, null where it does not: what has two bytes counts from 256. */
const sizeOf = (head: ReadonlyArray<number>): number | null => {
  const [descriptor = 0] = head.slice(4)
  const count = lengthBytes(descriptor)
  return count === 0 ? null : numberOf(head.slice(-count)) + (count === 2 ? 256 : 0)
}

interface Frame {
  readonly window: number
  readonly size: number | null
  readonly checksum: boolean
}

const frameOf = (head: ReadonlyArray<number>): Frame => {
  if (!isFrame(head)) throw failed("what follows is no zstd frame")
  return { window: windowOf(head), size: sizeOf(head), checksum: hasChecksum(head[4] ?? 0) }
}

/** A part of a stream: what of a frame is there, the frame where it begins, and where it ends its last four bytes. */
interface Part {
  readonly bytes: Uint8Array
  readonly begins: Frame | null
  readonly ends: ReadonlyArray<number> | null
}

/** Walks a stream's frames and blocks, of which the library tells nothing, and fails where they ask for too much. */
const walker = () => {
  let head: Array<number> = []
  let skipped = 0
  let frame: Frame | null = null
  let isLast = false
  let tail: ReadonlyArray<number> = []
  let left = leave.first
  const spend = (cost: number): void => {
    left -= cost
    if (left < 0) throw greedy("its zstd data take too long to unpack")
  }
  const part = (bytes: Uint8Array, begins: Frame | null = null): Part => {
    tail = [...tail, ...bytes.subarray(-4)].slice(-4)
    if (!isLast || skipped > 0) return { bytes, begins, ends: null }
    frame = null
    isLast = false
    return { bytes, begins, ends: tail }
  }
  const beginFrame = (): Part | null => {
    if (isSkippable(head)) {
      skipped = numberOf(head.slice(4))
      return null
    }
    frame = frameOf(head)
    if (frame.window > maxWindow) throw greedy("its zstd window is too large")
    spend(frame.window + leave.perFrame)
    return part(Uint8Array.from(head), frame)
  }
  const beginBlock = ({ checksum, window }: Frame): Part => {
    const block = numberOf(head)
    if (block >> 3 > maxBlock || (block & 6) === 6) throw altered("a block is none by the format")
    isLast = (block & 1) !== 0
    skipped = ((block & 2) !== 0 ? 1 : block >> 3) + (isLast && checksum ? 4 : 0)
    spend(window)
    return part(Uint8Array.from(head))
  }
  const parts = function* (piece: Uint8Array): Generator<Part> {
    left += piece.length * leave.perPackedByte
    for (let at = 0; at < piece.length;) {
      const over = piece.subarray(at, at + skipped)
      at += over.length
      skipped -= over.length
      if (over.length > 0 && frame !== null) yield part(over)
      if (at === piece.length) return
      head.push(piece[at++] ?? 0)
      if (head.length < (frame === null ? frameHeadLength(head) : 3)) continue
      const begun = frame === null ? beginFrame() : beginBlock(frame)
      head = []
      if (begun !== null) yield begun
    }
  }
  return {
    parts,
    unpacked: (piece: Uint8Array): void => spend(piece.length * leave.perByte),
    isWithin: (): boolean => frame !== null || skipped > 0 || head.length > 0
  }
}

/** Unpacks one frame, and compares what came out with what the frame says of it, which the library does not. */
const unpackerOf = ({ checksum, size }: Frame, hash: XXHash<bigint>) => {
  let found: Array<Uint8Array> = []
  let length = 0
  const library = new Decompress((piece) => {
    if (piece.length > 0) found.push(piece)
  })
  const compare = (last: ReadonlyArray<number>): void => {
    if (size !== null && size !== length) throw altered("its length is another")
    if (checksum && Number(hash.digest() & 0xffffffffn) !== numberOf(last)) throw altered("its checksum is another")
  }
  return ({ bytes, ends }: Part): ReadonlyArray<Uint8Array> => {
    found = []
    try {
      library.push(bytes, ends !== null)
    } catch (cause) {
      throw altered(String(cause))
    }
    for (const piece of found) {
      length += piece.length
      if (checksum) hash.update(piece)
    }
    if (ends !== null) compare(ends)
    return found
  }
}

const slice = 1024

/**
 * The content of a stream that `isZstd`, in pieces as they come.
 *
 * @category streams
 */
export const unpack = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { create64 } = await xxhash()
  const walked = walker()
  let unpackPart: ((part: Part) => ReadonlyArray<Uint8Array>) | null = null
  const partsOf = function* (piece: Uint8Array): Generator<Uint8Array> {
    for (const part of walked.parts(piece)) {
      if (part.begins !== null) unpackPart = unpackerOf(part.begins, create64())
      const found: ReadonlyArray<Uint8Array> = unpackPart?.(part) ?? []
      found.forEach(walked.unpacked)
      yield* found
    }
  }
  // What a small piece unpacks to is handed on before the next: a bomb is stopped by whoever reads too much of it.
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += slice) yield* partsOf(piece.subarray(at, at + slice))
  if (walked.isWithin()) throw failed("it is cut off")
}
