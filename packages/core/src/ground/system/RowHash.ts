/** A 32-bit hash of the UTF-8 bytes of what a row is looked for by: MurmurHash3 (Austin Appleby), which takes four of them in a step. */

const encoder = new TextEncoder()

const scrambled = (word: number): number => {
  const value = Math.imul(word, 0xcc9e2d51)
  return Math.imul((value << 15) | (value >>> 17), 0x1b873593)
}

export const seed = 0

/** With the next four bytes, the first of them the lowest. */
export const step = (hash: number, word: number): number => {
  const value = hash ^ scrambled(word)
  return (Math.imul((value << 13) | (value >>> 19), 5) + 0xe6546b64) | 0
}

/** What the steps come to: with the bytes that are left, fewer than four, as a word, and how many there were in all. */
export const finished = (hash: number, rest: number, length: number): number => {
  let value = hash ^ scrambled(rest) ^ length
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

export const ofBytes = (bytes: Uint8Array, from: number, to: number): number => {
  let hash = seed
  let word = 0
  for (let at = from; at < to; at += 1) {
    const place = (at - from) & 3
    word |= (bytes[at] ?? 0) << (place * 8)
    if (place < 3) continue
    hash = step(hash, word)
    word = 0
  }
  return finished(hash, word, to - from)
}

export const ofText = (text: string): number => {
  let hash = seed
  let word = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 127) return ofEncoded(text)
    const place = at & 3
    word |= code << (place * 8)
    if (place < 3) continue
    hash = step(hash, word)
    word = 0
  }
  return finished(hash, word, text.length)
}

const ofEncoded = (text: string): number => {
  const bytes = encoder.encode(text)
  return ofBytes(bytes, 0, bytes.length)
}
