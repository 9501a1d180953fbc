/** Total readers of untyped JSON: whatever the value, an answer of the asked type or null. */
import * as JsonLines from "@reflexion/core/JsonLines"

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

/** An exit status; hosts write a negative one for a process that was killed. */
export const exitCode = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : null

/** A moment in ISO 8601, null for a text that is none. */
export const time = (value: unknown): string | null =>
  typeof value === "string" && value.length < 40 && !Number.isNaN(Date.parse(value)) ? value : null

/** A moment given in milliseconds since the epoch. */
export const millis = (value: unknown): string | null =>
  typeof value === "number" && value > 0 && value < 8.64e15 ? new Date(value).toISOString() : null

/** The first JSON value of a text, undefined where there is none. */
export const parse = (source: string): unknown => {
  const first = JsonLines.decodeText(source, 1)[0]
  return first?._tag === "value" ? first.value : undefined
}

/** The text of a message's content or of a tool's output: a string, or its text parts a line each. */
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

/** Keeps a text's first and last `each` characters. */
export const clip = (source: string, each: number): string =>
  source.length <= 2 * each
    ? source
    : `${source.slice(0, each)}\n[${source.length - 2 * each} characters left out]\n${source.slice(-each)}`

/** The list with one more, without its oldest beyond the limit. */
export const append = <A>(items: ReadonlyArray<A>, item: A, limit: number): ReadonlyArray<A> =>
  items.length < limit ? [...items, item] : [...items.slice(items.length - limit + 1), item]
