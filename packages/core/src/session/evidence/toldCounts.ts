/** How many tests failed by a text that is no runner's own: a tool's answer, or a subagent's report. */
import { matchesAny } from "../../ground/text/Text.ts"

const before =
  /(?<![\w.])(\d{1,6})(?: (?:of|out of) (?:the )?\d{1,6})?(?: [a-z]{1,14}){0,2}? fail(?:ed|ing|s|ures?)?\b/gi

const after =
  /(?:num|total|tests?)?[ _]?fail(?:ed|ures?|ing)?(?:[ _]?tests?|[ _]?count)?["']?\s{0,2}[:=]\s{0,2}(\d{1,6})\b/gi

/** `"failed": ["rounds"]` */
const listed = /"(?:failed|failures|failing|failed_?tests)"\s{0,3}:\s{0,3}\[\s{0,9}["{]/i

/** It tells of another time, or of what has become of it. */
const past: ReadonlyArray<RegExp> = [
  /\b(?:before|previous(?:ly)?|initial(?:ly)?|original(?:ly)?|at first|earlier|baseline|fixed|resolved|pre-?existing|already|unrelated|flaky|retr(?:y|ied))\b/i,
  /\b(?:on (?:main|master|base)|all (?:\d{1,6} )?(?:the )?(?:tests )?(?:now )?pass(?:ed|ing)?|now (?:all )?pass(?:es|ing)?|green)\b/i
]

/** A run's counts in somebody's own words: `11 passed, 1 failed`, `2 of 12 tests failed`, `I ran it: 3 tests failed`. */
const reported: ReadonlyArray<RegExp> = [
  /\b\d{1,6} (?:tests? )?passed\b.{0,60}\b\d{1,6} (?:tests? )?failed\b|\b\d{1,6} (?:tests? )?failed\b.{0,60}\b\d{1,6} (?:tests? )?passed\b/i,
  /\b\d{1,6} (?:of|out of) (?:the )?\d{1,6} (?:tests?|specs?) failed\b|\b(?:ran|running|run of)\b.{0,120}\b\d{1,6} (?:tests?|specs?) failed\b/i
]

/** The last count of failures that a text gives, null where that is none or no count at all. `isReport`: told in somebody's own words. */
export const toldFailing = (output: string, isReport: boolean): number | null => {
  const text = output.slice(-8000)
  const found = [...text.matchAll(before), ...text.matchAll(after)]
    .map((match) => ({ at: match.index, count: Number(match[1]) }))
    .toSorted((one, other) => one.at - other.at)
  if (/^\s{0,20}[{[]/.test(text)) {
    const most = Math.max(0, ...found.map(({ count }) => count))
    return most > 0 ? most : listed.test(text) ? 1 : null
  }
  const last = found.at(-1)
  if (last === undefined || last.count === 0) return null
  const line = text.lastIndexOf("\n", last.at) + 1
  const sentence = Math.max(line, ...[".", "!", "?"].map((end) => text.lastIndexOf(end, last.at) + 1))
  if (matchesAny(past, text.slice(sentence))) return null
  return !isReport || matchesAny(reported, text.slice(line).split("\n", 1)[0] ?? "") ? last.count : null
}
