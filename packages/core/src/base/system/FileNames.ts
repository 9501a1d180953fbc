/** Makes file names and state keys from the ids of hosts. These ids may have any length. */
import * as KeyHash from "./KeyHash.ts"

/** Distinguishes names. It is not cryptographic, so it cannot protect a secret. */
export const hash = (text: string): string =>
  [text, `again ${text}`]
    .map((one) => KeyHash.ofText(one).toString(36).padStart(7, "0"))
    .join("")
    .slice(0, 11)

/** A file name of two such names and an ending is far below the limits of file systems. */
const maxName = 80

/** Names that Windows reserves for devices. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Makes an id safe for a file name in every system. If something was replaced or cut, a hash of the whole id is added,
 * so that different ids stay different.
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

/** Keeps both ends of a long id, because two ids may differ only at one end. */
export const clippedId = (id: string | null): string | null =>
  id === null || id.length <= maxId ? id : `${id.slice(0, maxId / 2)}${id.slice(-maxId / 2)}`

/** All calls without an id share one key. */
export const callKey = (id: string | null): string => clippedId(id) ?? ""
