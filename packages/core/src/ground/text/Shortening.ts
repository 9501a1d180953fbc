/** JSON that fits a size: whole, with its longest texts and lists shortened. */
import { clip } from "./Text.ts"

interface Limit {
  readonly text: number
  readonly items: number
}

const limits: ReadonlyArray<Limit> = [
  { text: 8000, items: 200 },
  { text: 2000, items: 50 },
  { text: 500, items: 20 },
  { text: 100, items: 10 },
  { text: 20, items: 3 }
]

const shorten = (value: unknown, limit: Limit): unknown => {
  if (typeof value === "string") return clip(value, limit.text)
  if (Array.isArray(value)) return value.slice(0, limit.items).map((item: unknown) => shorten(item, limit))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, limit)]))
}

const encoder = new TextEncoder()

/** The JSON of a value in at most `maxBytes` of UTF-8; the last resort is null. */
export const shortened = (value: unknown, maxBytes: number): string => {
  for (const limit of limits) {
    const text = JSON.stringify(shorten(value, limit), null, 2)
    // A text of a third of the bytes fits whatever is in it.
    if (text.length * 3 <= maxBytes || encoder.encode(text).length <= maxBytes) return text
  }
  return "null"
}
