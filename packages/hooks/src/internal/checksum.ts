/** A checksum against torn and foreign files, not against an enemy: loading `node:crypto` would cost more than it guards. */

const prime1 = 2_654_435_761
const prime2 = 1_597_334_677

/** 53 bits over UTF-16 code units (cyrb53), as base 36. */
export const ofText = (text: string): string => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    high = Math.imul(high ^ unit, prime1)
    low = Math.imul(low ^ unit, prime2)
  }
  return finish(high, low)
}

export const ofBytes = (bytes: Uint8Array): string => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (const byte of bytes) {
    high = Math.imul(high ^ byte, prime1)
    low = Math.imul(low ^ byte, prime2)
  }
  return finish(high, low)
}

const finish = (high: number, low: number): string => {
  const one = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  const two = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & two) + (one >>> 0)).toString(36)
}
