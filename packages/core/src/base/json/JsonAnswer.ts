/** Extracts JSON from a model's answer, which often has a code fence or a sentence around the JSON. */
import { jsonrepair } from "jsonrepair"
import * as JsonScan from "./JsonScan.ts"

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0

/** A longer text is not repaired: the repair time can grow with the square of the length. */
const longest = 16_384

/** Also accepts comments, single quotes and keys without quotes. Undefined if the text cannot be repaired. */
export const repaired = (text: string): unknown => {
  const value = JsonScan.parse(text)
  if (value !== JsonScan.failed) return value
  try {
    return text.length > longest ? undefined : JSON.parse(jsonrepair(text))
  } catch {
    return undefined
  }
}

const strict = (text: string): unknown => {
  const value = JsonScan.parse(text)
  return value === JsonScan.failed ? undefined : value
}

/**
 * Finds the last object, because earlier ones are drafts or quotations. An empty object after another one does not
 * count. Undefined if there is no object, or if the text ends inside an object.
 */
const last = (text: string, read: (object: string) => unknown) => {
  let found: { readonly text: string; readonly value: unknown } | undefined
  for (let at = text.indexOf("{"); at >= 0;) {
    const { end } = JsonScan.valueEnd(text, at)
    if (end < 0) return undefined
    const object = text.slice(at, end)
    const value = read(object)
    if (value !== undefined && (found === undefined || !isEmpty(value))) found = { text: object, value }
    at = text.indexOf("{", end)
  }
  return found
}

/** Null if there is no object, or if the last one is cut off. */
export const lastObject = (text: string): string | null => last(text, strict)?.text ?? null

/** Like `lastObject`, but returns the value, and also repairs almost valid JSON. */
export const lastValue = (text: string): unknown => last(text, repaired)?.value
