/** Makes JSON that fits a size. All keys stay; the longest texts and lists are shortened. */
import { clip } from "./Text.ts"

/** The limits to try, in this order. Each row has the length of a text and of a list. */
const limits = [
  [8000, 200],
  [2000, 50],
  [500, 20],
  [100, 10],
  [20, 3]
] as const

const shorten = (value: unknown, characters: number, items: number): unknown => {
  if (typeof value === "string") return clip(value, characters)
  if (Array.isArray(value)) return value.slice(0, items).map((item: unknown) => shorten(item, characters, items))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, characters, items)]))
}

/** At most `maxBytes` of UTF-8. "null" if even the shortest form is too long. */
export const shortened = (value: unknown, maxBytes: number): string => {
  for (const [characters, items] of limits) {
    const text = JSON.stringify(shorten(value, characters, items), null, 2)
    if (new TextEncoder().encode(text).length <= maxBytes) return text
  }
  return "null"
}
