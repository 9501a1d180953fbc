/**
 * A 32-bit hash of a key's UTF-8 bytes (FNV-1a, its bits mixed once more as in MurmurHash3). Names and files are made of it:
 * what it says of a text stays.
 */

const encoder = new TextEncoder()

const seed = 0x811c9dc5

const step = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

/** What the steps come to. */
const mixed = (hash: number): number => {
  let value = hash ^ (hash >>> 16)
  value = Math.imul(value, 0x85ebca6b)
  value ^= value >>> 13
  value = Math.imul(value, 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

export const ofBytes = (bytes: Uint8Array, from: number, to: number): number => {
  let hash = seed
  for (let at = from; at < to; at += 1) hash = step(hash, bytes[at] ?? 0)
  return mixed(hash)
}

/** A text put together of many is long to read letter by letter; its bytes are the same. */
const long = 4096

export const ofText = (text: string): number => {
  if (text.length > long) return ofEncoded(text)
  let hash = seed
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 127) return ofEncoded(text)
    hash = step(hash, code)
  }
  return mixed(hash)
}

const ofEncoded = (text: string): number => {
  const bytes = encoder.encode(text)
  return ofBytes(bytes, 0, bytes.length)
}
