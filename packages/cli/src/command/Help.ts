/** Formats the help of commands for a terminal. */
import { nearest } from "@reflexion/core/internal/base/text/Nearest"
import { wrap } from "../terminal/Layout.ts"
import { blocks, type Row, terms } from "../terminal/Sheet.ts"
import { paint, type TerminalStyle } from "../terminal/TerminalStyle.ts"

/** Lines do not break inside brackets. */
const calls = (style: TerminalStyle, usage: string): ReadonlyArray<string> => {
  const whole = usage.replaceAll(/\[[^\]]*\]/gu, (group) => group.replaceAll(" ", "\u00a0"))
  return wrap(whole, style.width - 6).map(
    (line, index) => `${index === 0 ? "  " : "      "}${line.replaceAll("\u00a0", " ")}`
  )
}

export type Groups = ReadonlyArray<readonly [title: string, rows: ReadonlyArray<Row>]>

export interface About {
  readonly summary: string
  readonly usage: string
}

export const render = (style: TerminalStyle, { summary, usage }: About, groups: Groups): string =>
  blocks([
    wrap(summary, style.width),
    [paint(style, ["bold"], "Usage"), ...calls(style, usage)],
    ...groups.map(([name, rows]) => terms(style, name, rows))
  ])

/** Names the candidate that the user most likely meant. Empty if none is close. */
export const hint = (word: string, candidates: ReadonlyArray<string>): string => {
  const begun = word.length < 3 ? [] : candidates.filter((candidate) => candidate.startsWith(word))
  const best = begun.length === 1 ? begun[0] : nearest(word, candidates)
  return best == null ? "" : `; did you mean ${best}?`
}
