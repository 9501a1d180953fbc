/** Fast checksums that detect damaged files. Loading `node:crypto` takes too long for them. */

/** The hash has 53 bits (cyrb53), in base 36. */
export const ofText = (text: string): string => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (const byte of Buffer.from(text)) {
    high = Math.imul(high ^ byte, 2_654_435_761)
    low = Math.imul(low ^ byte, 1_597_334_677)
  }
  const one = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  const two = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & two) + (one >>> 0)).toString(36)
}

/** Puts a checksum into the first line. Only reflexion writes such files, so a correct checksum is enough. */
export const seal = (head: string, body: string): string => `${head} ${ofText(body)}\n${body}`

/** Null if the text was cut or changed. */
export const unseal = (text: string): readonly [head: string, body: string] | null => {
  const end = text.indexOf("\n")
  const body = text.slice(end + 1)
  const [, head = "", sum] = /^(.*) (\S+)$/.exec(text.slice(0, Math.max(0, end))) ?? []
  return sum === ofText(body) ? [head, body] : null
}

/** Safe against forgery. Loads `node:crypto` only when called, because it would make most stops 15 % slower. */
export const sha256 = (text: string, encoding: "base64url" | "hex" = "hex"): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest(encoding)
