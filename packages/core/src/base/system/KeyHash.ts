/** Hashes of keys and of files. */
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"

const encoder = new TextEncoder()

/** A 32-bit hash (FNV-1a with a final mix as in MurmurHash3). Stored names are made from it: it must never change. */
export const ofBytes = (bytes: Uint8Array): number => {
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

export const ofText = (text: string): number => ofBytes(encoder.encode(text))

/** Two hashes as one string. Don't use it where a collision would do harm. */
export const wordOf = (text: string): string =>
  `${ofText(text).toString(36)}${ofText(`${text.length} ${text}`).toString(36)}`

/** SHA-256 in hexadecimal digits. */
export const digest = (bytes: Uint8Array): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new Uint8Array(bytes))),
    (buffer) => Encoding.encodeHex(new Uint8Array(buffer))
  )
