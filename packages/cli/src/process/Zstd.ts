/** Zstandard, in which Codex puts sessions away: unpacked where Node can, from 22.15 on. */
import * as Predicate from "effect/Predicate"
import type { Transform } from "node:stream"
import { buffer } from "node:stream/consumers"
import * as zlib from "node:zlib"

/** How many first bytes tell. */
export const headBytes = 4

/** A frame, or one that is passed over. */
export const isZstd = ([first = 0, ...rest]: Uint8Array): boolean => {
  const end = Buffer.from(rest.slice(0, 3)).toString("hex")
  return (first === 0x28 && end === "b52ffd") || ((first & 0xf0) === 0x50 && end === "2a4d18")
}

/** Unpacks one frame; `bytesWritten` says how long it was. */
type Unpacker = Transform & { readonly bytesWritten: number }

const isMaker = (value: unknown): value is () => Unpacker => typeof value === "function"

const make: unknown = Reflect.get(zlib, "createZstdDecompress")

/** Whether this Node can unpack it. */
export const isSupported = isMaker(make)

/** An honest stream has one frame, or one for each time it was added to. */
const mostFrames = 1000

const failed = (message: string, code: string): Error => Object.assign(new Error(message), { code })

/** Node's codes in those of `Input`: cut off, too large a window, or another content than was packed. */
const coded = (cause: unknown): Error => {
  const code = Predicate.hasProperty(cause, "code") ? String(cause.code) : ""
  if (!code.startsWith("ZSTD_")) return failed("it is cut off", "Z_ZSTD")
  return code.endsWith("windowTooLarge")
    ? failed("its zstd window is too large", "Z_ZSTD_GREEDY")
    : failed("its zstd data are damaged", "Z_ZSTD_ALTERED")
}

/** The content of a stream that `isZstd`, in pieces as they come. */
export const unpack = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (!isMaker(make)) throw failed("this Node knows no zstd", "Z_ZSTD_MISSING")
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
