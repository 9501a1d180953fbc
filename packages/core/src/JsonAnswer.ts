/**
 * JSON out of what a model says. It was asked for nothing else, and still puts it in a fence or after a sentence.
 *
 * @since 0.1.0
 */
import * as JsonScan from "./internal/jsonScan.ts"

/**
 * The last object of a text, as it stands there: an earlier one is a draft or a quotation. Null where there is none, and
 * where the text ends in the middle of one, for of an answer that was cut off nothing is taken.
 *
 * @since 0.1.0
 * @category accessors
 */
export const lastObject = (text: string): string | null => {
  let found: string | null = null
  let at = text.indexOf("{")
  while (at >= 0) {
    const { end } = JsonScan.valueEnd(text, at)
    if (end < 0) return null
    const object = text.slice(at, end)
    if (JsonScan.parse(object) !== JsonScan.failed) found = object
    at = text.indexOf("{", end)
  }
  return found
}
