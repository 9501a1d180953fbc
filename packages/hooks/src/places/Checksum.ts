/** Checksums against torn and foreign files: loading `node:crypto` would cost more than they guard. And one against an enemy. */

const prime1 = 2_654_435_761
const prime2 = 1_597_334_677

/** 53 bits, in the manner of cyrb53 but over four bytes at a time, as base 36. */
export const ofBytes = (bytes: Uint8Array): string => {
  let high = 0xdeadbeef ^ bytes.length
  let low = 0x41c6ce57
  const whole = bytes.length >> 2
  const words = wordsOf(bytes, whole)
  for (let i = 0; i < whole; i++) {
    const word = words[i] ?? 0
    high = Math.imul(high ^ (high >>> 15) ^ word, prime1)
    low = Math.imul(low ^ (low >>> 15) ^ word, prime2)
  }
  for (let i = whole << 2; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    high = Math.imul(high ^ byte, prime1)
    low = Math.imul(low ^ byte, prime2)
  }
  return finish(high, low)
}

export const ofText = (text: string): string => ofBytes(Buffer.from(text))

/** Tells texts apart that somebody made alike. Loaded at the call: most stops need none, and would take 15 % longer. */
export const sha256 = (text: string, encoding: "base64url" | "hex" = "hex"): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest(encoding)

/** Reads in place where the bytes lie as words must. */
const wordsOf = (bytes: Uint8Array, count: number): Int32Array => {
  const placed = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  return new Int32Array(placed.buffer, placed.byteOffset, count)
}

const finish = (high: number, low: number): string => {
  const one = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  const two = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & two) + (one >>> 0)).toString(36)
}
