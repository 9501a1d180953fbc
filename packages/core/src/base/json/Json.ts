/** Reads untyped JSON. Each function returns the requested type. For other types, it returns null or an empty value. */

export type Json = Readonly<Record<string, unknown>>

const none: Json = {}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const object = (value: unknown): Json => (isObject(value) ? value : none)

export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const string = (value: unknown): string | null => (typeof value === "string" ? value : null)

export const text = (value: unknown): string => (typeof value === "string" ? value : "")

export const number = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null

/** A negative number gives null: hosts write it for a killed process. */
export const exitCode = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : null

/** Returns a time in ISO 8601. Null if the text is not a time. */
export const time = (value: unknown): string | null =>
  typeof value === "string" && value.length < 40 && !Number.isNaN(Date.parse(value)) ? value : null

/** Converts milliseconds since the epoch to ISO 8601. Null if the value is not a valid time. */
export const millis = (value: unknown): string | null =>
  typeof value === "number" && value > 0 && value < 8.64e15 ? new Date(value).toISOString() : null

/** Reads a string, an object's `text` or `content`, or an array of parts. The texts of the parts become lines. */
export const contentText = (content: unknown): string => {
  if (typeof content === "string") return content
  if (isObject(content)) return text(content["text"] ?? content["content"])
  let out = ""
  for (const part of list(content)) {
    const piece = string(object(part)["text"])
    if (piece !== null) out += out === "" ? piece : `\n${piece}`
  }
  return out
}

/** Keeps the first and last `each` characters, with a note in between. */
export const clip = (source: string, each: number): string =>
  source.length <= 2 * each
    ? source
    : `${source.slice(0, each)}\n[${source.length - 2 * each} characters left out]\n${source.slice(-each)}`

/** Adds an item. If the list exceeds the limit, the oldest items are removed. */
export const append = <A>(items: ReadonlyArray<A>, item: A, limit: number): ReadonlyArray<A> =>
  items.length < limit ? [...items, item] : [...items.slice(items.length - limit + 1), item]

/** Converts a time to ms since the epoch. Null if the text is not a time. */
export const momentOf = (at: string | null | undefined): number | null => {
  const time = at === null || at === undefined ? Number.NaN : Date.parse(at)
  return Number.isNaN(time) ? null : time
}
