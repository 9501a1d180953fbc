/** JSON out of what a model says. It was asked for nothing else, and still puts it in a fence or after a sentence. */
import { jsonrepair } from "jsonrepair"
import * as JsonScan from "./JsonScan.ts"

/** Braces with nothing between them answer nothing. */
const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0

/** To repair takes up to the square of the length. */
const longest = 16_384

/** The value of a text that is JSON, or nearly so: with comments, other quotes, bare keys. Undefined for any other. */
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
 * The last object of a text, for an earlier one is a draft or a quotation. An empty one behind another does not count.
 * Undefined where there is none, and where the text ends in the middle of one, for of an answer that was cut off nothing
 * is taken.
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

/** The last object of a text, as it stands there; null where there is none or it is cut off. */
export const lastObject = (text: string): string | null => last(text, strict)?.text ?? null

/** The value of the last object of a text, also where it is nearly JSON; undefined where there is none or it is cut off. */
export const lastValue = (text: string): unknown => last(text, repaired)?.value
