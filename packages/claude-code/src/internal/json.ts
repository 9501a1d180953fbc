/** Total readers of untyped JSON: whatever the value, an answer of the asked type or null. */

export type Json = Readonly<Record<string, unknown>>

const none: Json = {}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const object = (value: unknown): Json => (isObject(value) ? value : none)

export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const string = (value: unknown): string | null => (typeof value === "string" ? value : null)

/** A moment in ISO 8601, null for a text that is none. */
export const time = (value: unknown): string | null =>
  typeof value === "string" && value.length < 40 && !Number.isNaN(Date.parse(value)) ? value : null

export const text = (value: unknown): string => (typeof value === "string" ? value : "")

export const number = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null

/** The text of a message's or a tool result's content: a string, or its text blocks a line each. */
export const contentText = (content: unknown): string => {
  if (typeof content === "string") return content
  let out = ""
  for (const block of list(content)) {
    const piece = string(object(block)["text"])
    if (piece !== null) out += out === "" ? piece : `\n${piece}`
  }
  return out
}

/** The text between `<tag>` and `</tag>`, null without them. */
export const tagged = (source: string, tag: string): string | null => {
  const open = source.indexOf(`<${tag}>`)
  if (open === -1) return null
  const start = open + tag.length + 2
  const close = source.indexOf(`</${tag}>`, start)
  return close === -1 ? null : source.slice(start, close)
}

/** Keeps a text's first and last `each` characters. */
export const clip = (source: string, each: number): string =>
  source.length <= 2 * each
    ? source
    : `${source.slice(0, each)}\n[${source.length - 2 * each} characters left out]\n${source.slice(-each)}`

const maxCommand = 64 * 1024
const maxField = 8 * 1024

/** A tool's input with its long texts clipped, so that what is kept of a call is bounded. */
export const clipInput = (input: unknown): unknown => {
  if (!isObject(input)) return input ?? null
  let out: Record<string, unknown> | undefined
  for (const key of Object.keys(input)) {
    const value = input[key]
    const limit = key === "command" ? maxCommand : maxField
    if (typeof value !== "string" || value.length <= 2 * limit) continue
    out ??= { ...input }
    out[key] = clip(value, limit)
  }
  return out ?? input
}
