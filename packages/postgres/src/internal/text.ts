/**
 * Makes every text fit into PostgreSQL, which stores no NUL and no half of a surrogate pair. Such a character is stored
 * as U+001A and its four hex digits. U+001A itself is stored in the same way, so nothing is lost.
 */
const forbidden = /\\(?:u(0000|001a|d[89a-f][0-9a-f]{2})|[^])/g

const stored = /\\(?:u001a([0-9a-f]{4})|[^])/g

/** Returns the JSON of a value. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(forbidden, (found, hex?: string) => (hex === undefined ? found : `\\u001a${hex}`))

/** Returns the original JSON text from the text of a `jsonb` value. It undoes `toJson`. */
export const fromJson = (text: string): string =>
  // Almost no text has such a character.
  !text.includes("\\u001a")
    ? text
    : text.replaceAll(stored, (found, hex?: string) => (hex === undefined ? found : `\\u${hex}`))

/** Returns the stored form of a text. */
export const toText = (text: string): string => {
  const stored: unknown = JSON.parse(toJson(text))
  return String(stored)
}

/** Returns the text from its stored form. */
export const fromText = (text: string): string => {
  const original: unknown = JSON.parse(fromJson(JSON.stringify(text)))
  return String(original)
}

const [first, last] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T00:00:00Z")] as const

/** Returns a time for PostgreSQL, which has no year 0. Null if the time is unknown. */
export const toTime = (ms: number): string | null =>
  Number.isNaN(ms)
    ? null
    : ms === Number.NEGATIVE_INFINITY
      ? "-infinity"
      : new Date(Math.min(last, Math.max(first, ms))).toISOString()
