/** Names of files that ids of the hosts go into. */

/** 53 bits of a text's hash, for telling names apart, not for secrecy. */
export const hash = (text: string): string => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36).padStart(11, "0")
}

/** Longest name that `safeName` gives: two of them and an ending stay far below what file systems allow. */
export const maxName = 80

/** Names that Windows gives to devices. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * An id as part of a file's name: letters, digits, `.`, `_` and `-`, beginning with none that is special somewhere. Where
 * anything had to be replaced or cut, a hash of the whole id keeps two ids apart.
 */
export const safeName = (id: string): string => {
  const kept = id.slice(0, maxName).replaceAll(/[^A-Za-z0-9._-]/g, "-")
  const plain = kept.replace(/^[.-]{1,80}/, "")
  if (plain === id && plain !== "" && !plain.endsWith(".") && !device.test(plain)) return id
  return `${plain.slice(0, maxName - 13)}-x${hash(id)}`.replace(/^-/, "")
}
