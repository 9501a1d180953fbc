/** JSON out of what a model says. It was asked for nothing else, and still puts it in a fence or after a sentence. */
import * as JsonRepair from "./JsonRepair.ts"
import * as JsonScan from "./JsonScan.ts"

/** Braces with nothing between them answer nothing. */
const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0

/**
 * The last object of a text, as it stands there: an earlier one is a draft or a quotation. An empty one behind another
 * does not count. Null where there is none, and where the text ends in the middle of one, for of an answer that was cut
 * off nothing is taken.
 *
 * @category accessors
 */
export const lastObject = (text: string): string | null => {
  let found: string | null = null
  let at = text.indexOf("{")
  while (at >= 0) {
    const { end } = JsonScan.valueEnd(text, at)
    if (end < 0) return null
    const object = text.slice(at, end)
    const value = JsonScan.parse(object)
    if (value !== JsonScan.failed && (found === null || !isEmpty(value))) found = object
    at = text.indexOf("{", end)
  }
  return found
}

const read = (text: string): unknown => {
  const parsed = JsonScan.parse(text)
  const value = parsed === JsonScan.failed ? JsonRepair.repair(text) : parsed
  return value === JsonRepair.failed ? undefined : value
}

/**
 * The value of the last object of a text, also where it is nearly JSON: with comments, trailing commas, other quotes, bare
 * keys or Python's literals. Undefined where there is none, and where the text ends in the middle of one.
 *
 * @category accessors
 */
export const lastValue = (text: string): unknown => {
  let found: unknown
  let at = text.indexOf("{")
  while (at >= 0) {
    const { end } = JsonScan.valueEnd(text, at)
    if (end < 0) return undefined
    const value = read(text.slice(at, end))
    if (value !== undefined && (found === undefined || !isEmpty(value))) found = value
    at = text.indexOf("{", end)
  }
  return found
}
