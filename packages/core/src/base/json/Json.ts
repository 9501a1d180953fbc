/** Total readers of untyped JSON, for decoders: whatever the value, an answer of the asked type or an empty one. */

/** Any object: its fields are not known. */
export type Json = Readonly<Record<string, unknown>>

const none: Json = {}

/** Whether a value is an object that is no array. */
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The object, or one without keys. */
export const object = (value: unknown): Json => (isObject(value) ? value : none)

/** The array, or an empty one. */
export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The string, or null. */
export const string = (value: unknown): string | null => (typeof value === "string" ? value : null)

/** The string, or an empty one. */
export const text = (value: unknown): string => (typeof value === "string" ? value : "")

/** The finite number, or null. */
export const number = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null

/** An exit status, null for anything else; hosts write a negative one for a process that was killed. */
export const exitCode = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : null

/** A moment in ISO 8601, null for a text that is none. */
export const time = (value: unknown): string | null =>
  typeof value === "string" && value.length < 40 && !Number.isNaN(Date.parse(value)) ? value : null

/** A moment given in milliseconds since the epoch, in ISO 8601. */
export const millis = (value: unknown): string | null =>
  typeof value === "number" && value > 0 && value < 8.64e15 ? new Date(value).toISOString() : null

/** The text of a message or of a tool's output: a string, an object's `text` or `content`, or an array's texts, a line each. */
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

/** A text's first and last `each` characters, and between them how many were left out. */
export const clip = (source: string, each: number): string =>
  source.length <= 2 * each
    ? source
    : `${source.slice(0, each)}\n[${source.length - 2 * each} characters left out]\n${source.slice(-each)}`

/** The list with one more, without its oldest beyond the limit. */
export const append = <A>(items: ReadonlyArray<A>, item: A, limit: number): ReadonlyArray<A> =>
  items.length < limit ? [...items, item] : [...items.slice(items.length - limit + 1), item]

/** A moment in ms since the epoch, null for none and for what is none. */
export const momentOf = (at: string | null | undefined): number | null => {
  const time = at === null || at === undefined ? Number.NaN : Date.parse(at)
  return Number.isNaN(time) ? null : time
}
