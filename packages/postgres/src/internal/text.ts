/**
 * Makes every text fit into PostgreSQL, which rejects NUL and half a surrogate pair. U+001A and four hex digits stand
 * for these, and for U+001A itself.
 */
const forbidden = /\\(?:u(0000|001a|d[89a-f][0-9a-f]{2})|[^])/g

const stored = /\\(?:u001a([0-9a-f]{4})|[^])/g

export const toJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(forbidden, (found, hex?: string) => (hex === undefined ? found : `\\u001a${hex}`))

export const fromJson = (text: string): string =>
  !text.includes("\\u001a")
    ? text
    : text.replaceAll(stored, (found, hex?: string) => (hex === undefined ? found : `\\u${hex}`))

export const toText = (text: string): string => {
  const stored: unknown = JSON.parse(toJson(text))
  return String(stored)
}

export const fromText = (text: string): string => {
  const original: unknown = JSON.parse(fromJson(JSON.stringify(text)))
  return String(original)
}

const [first, last] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T00:00:00Z")] as const

/** Limits the time, because PostgreSQL has no year 0. Null if the time is unknown. */
export const toTime = (ms: number): string | null =>
  Number.isNaN(ms)
    ? null
    : ms === Number.NEGATIVE_INFINITY
      ? "-infinity"
      : new Date(Math.min(last, Math.max(first, ms))).toISOString()
