import { parse, type ParseError } from "jsonc-parser"
import * as JsonScan from "./JsonScan.ts"

/** Accepts comments and trailing commas. Undefined if the text is not JSON or is nested too deeply. */
export const parseWithComments = (text: string): unknown => {
  const value = JsonScan.parse(text)
  if (value !== JsonScan.failed) return value
  const errors: Array<ParseError> = []
  try {
    const read: unknown = parse(text, errors, { allowTrailingComma: true })
    return errors.length === 0 ? read : undefined
  } catch {
    return undefined
  }
}
