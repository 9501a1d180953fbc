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

/** `bytesWritten` is the frame's packed length. */
type Unpacker = Transform & { readonly bytesWritten: number }

const isMaker = (value: unknown): value is () => Unpacker => typeof value === "function"

const make: unknown = Reflect.get(zlib, "createZstdDecompress")

export const isSupported = isMaker(make)

/** A normal stream has one frame, plus one for each time something was appended. */
const mostFrames = 1000

const failed = (message: string, code: string): Error => Object.assign(new Error(message), { code })

/** Translates Node's error codes into those that `Input` knows. */
const coded = (cause: unknown): Error => {
  const code = Predicate.hasProperty(cause, "code") ? String(cause.code) : ""
  if (!code.startsWith("ZSTD_")) return failed("it is cut off", "Z_ZSTD")
  return code.endsWith("windowTooLarge")
    ? failed("its zstd window is too large", "Z_ZSTD_GREEDY")
    : failed("its zstd data are damaged", "Z_ZSTD_ALTERED")
}

export const unpack = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (!isMaker(make)) throw failed("this Node has no zstd", "Z_ZSTD_MISSING")
  const packed = await buffer(bytes)
  let frames = 0
  for (let at = 0; at < packed.length; frames++) {
    if (frames === mostFrames) throw failed("it has too many frames", "Z_ZSTD_GREEDY")
    const unpacker = make()
    unpacker.end(packed.subarray(at))
    try {
      for await (const piece of unpacker) if (piece instanceof Uint8Array) yield piece
    } catch (cause) {
      throw coded(cause)
    }
    at += unpacker.bytesWritten
  }
}
