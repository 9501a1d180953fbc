/** What is made of ids of the hosts, which may be of any length: names of files, and keys of a state. */
import * as KeyHash from "./KeyHash.ts"

/** Tells names apart; no secret is hidden by it. */
export const hash = (text: string): string =>
  [text, `again ${text}`]
    .map((one) => KeyHash.ofText(one).toString(36).padStart(7, "0"))
    .join("")
    .slice(0, 11)

/** Longest name that `safeName` gives: two of them and an ending stay far below what file systems allow. */
const maxName = 80

/** Names that Windows gives to devices. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * An id as part of a file's name: letters, digits, `.`, `_` and `-`, beginning with none that is special somewhere. Where
 * anything had to be replaced or cut, a hash of the whole id keeps two ids apart.
 */
export const safeName = (id: string): string => {
  const plain = id
    .slice(0, maxName)
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[.-]{1,80}/, "")
  if (plain === id && plain !== "" && !plain.endsWith(".") && !device.test(plain)) return id
  return `${plain.slice(0, maxName - 13)}-x${hash(id)}`.replace(/^-/, "")
}

const maxId = 100

/** Both ends of a long id, for either may be what tells it from others. */
export const clippedId = (id: string | null): string | null =>
  id === null || id.length <= maxId ? id : `${id.slice(0, maxId / 2)}${id.slice(-maxId / 2)}`

/** What a call is known by; calls without an id are one. */
export const callKey = (id: string | null): string => clippedId(id) ?? ""
