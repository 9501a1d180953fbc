/**
 * Extracts JSON from a model's answer. A model often puts JSON into a code fence or after a sentence, even if it should
 * return only JSON.
 */
import { jsonrepair } from "jsonrepair"
import * as JsonScan from "./JsonScan.ts"

/** True for empty braces. They are not an answer. */
const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0

/** The maximum length of a text that is repaired. The time for a repair can grow with the square of the length. */
const longest = 16_384

/**
 * Returns the value of a text that is JSON or almost JSON: with comments, other quotes or keys without quotes.
 * Undefined for any other text.
 */
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
 * Finds the last object in a text, because earlier ones are drafts or quotations. An empty object after another one
 * does not count. Returns undefined if there is no object, or if the text ends inside one. An answer that was cut off
 * is not used.
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

/** Returns the text of the last object. Null if there is no object, or if the last one is cut off. */
export const lastObject = (text: string): string | null => last(text, strict)?.text ?? null

/**
 * Returns the value of the last object, even if it is only almost JSON. Undefined if there is no object, or if the last
 * one is cut off.
 */
export const lastValue = (text: string): unknown => last(text, repaired)?.value
