/** Unpacks Zstandard, which Codex uses for old sessions. Node supports it from version 22.15. */
import * as Predicate from "effect/Predicate"
import type { Transform } from "node:stream"
import { buffer } from "node:stream/consumers"
import * as zlib from "node:zlib"

export const headBytes = 4

/** True for a normal frame or a skippable frame. */
export const isZstd = ([first = 0, ...rest]: Uint8Array): boolean => {
  const end = Buffer.from(rest.slice(0, 3)).toString("hex")
  return (first === 0x28 && end === "b52ffd") || ((first & 0xf0) === 0x50 && end === "2a4d18")
}

const isMaker = (value: unknown): value is () => Transform => typeof value === "function"

const make: unknown = Reflect.get(zlib, "createZstdDecompress")

export const isSupported = isMaker(make)

/** A normal stream has one frame, plus one for each time something was appended. */
const mostFrames = 1000

const failed = (message: string, code: string): Error => Object.assign(new Error(message), { code })

const cutOff = () => failed("it is cut off", "Z_ZSTD")

const damaged = () => failed("its zstd data are damaged", "Z_ZSTD_ALTERED")

/**
 * Returns where the frame at `from` ends (RFC 8878). It may be behind the end of the bytes: Node 22 does not notice a
 * frame that is cut off, and each version of Node stops at another frame.
 */
const endOf = (bytes: Buffer, from: number): number => {
  if (!isZstd(bytes.subarray(from))) throw damaged()
  const first = from + headBytes
  if (bytes[from] !== 0x28) return first + 4 + (first + 4 <= bytes.length ? bytes.readUInt32LE(first) : 0)
  const flags = bytes[first] ?? 0
  const isSingle = (flags & 0x20) !== 0
  const sizes = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0
  let at = first + 1 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][flags & 3] ?? 0) + sizes
  for (let isLast = false; !isLast;) {
    if (at + 3 > bytes.length) return at + 3
    const block = bytes.readUIntLE(at, 3)
    isLast = (block & 1) === 1
    // A block of kind 1 is one byte that is repeated.
    at += 3 + ((block & 6) === 2 ? 1 : block >> 3)
  }
  return at + (flags & 4)
}

const coded = (cause: unknown, isCut: boolean): Error => {
  const code = Predicate.hasProperty(cause, "code") ? String(cause.code) : ""
  if (code.endsWith("windowTooLarge")) return failed("its zstd window is too large", "Z_ZSTD_GREEDY")
  return isCut ? cutOff() : damaged()
}

export const unpack = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (!isMaker(make)) throw failed("this Node has no zstd", "Z_ZSTD_MISSING")
  const packed = await buffer(bytes)
  let frames = 0
  for (let at = 0, end = 0; at < packed.length; at = end, frames++) {
    if (frames === mostFrames) throw failed("it has too many frames", "Z_ZSTD_GREEDY")
    end = endOf(packed, at)
    const unpacker = make()
    unpacker.end(packed.subarray(at, end))
    try {
      for await (const piece of unpacker) if (piece instanceof Uint8Array) yield piece
    } catch (cause) {
      throw coded(cause, end > packed.length)
    }
    if (end > packed.length) throw cutOff()
  }
}
