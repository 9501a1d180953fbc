/**
 * What node:test prints of tests that are marked as yet to pass: their errors stand among the others, and are no reason of a
 * failure.
 */
import type { OutputText } from "../../../ground/text/OutputLines.ts"

/** In the words of its reporters, with the mark or the reason behind it: older ones show it as they show a failure. */
const head =
  /^\s{0,40}(?:[✖⚠] .{1,400} \(\d{1,12}(?:\.\d{1,12})?ms\) # (?!EXPECTED FAILURE)|not ok \d{1,6} - .{1,400} # TODO\b)/u

const marginOf = (line: string): number => line.length - line.trimStart().length

/** Without them, and what is set in below them. */
export const withoutTodos = ({ lines, text }: OutputText): OutputText => {
  let margin = Infinity
  const kept = lines.filter(({ raw }) => {
    if (head.test(raw)) {
      margin = marginOf(raw)
      return false
    }
    if (raw !== "" && marginOf(raw) <= margin) margin = Infinity
    return margin === Infinity
  })
  return { lines: kept, text }
}
