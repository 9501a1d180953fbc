/** Formats the help of commands for a terminal. */
import { nearest } from "@reflexion/core/internal/base/text/Nearest"
import { pad, wrap } from "../terminal/Layout.ts"
import { paint, type TerminalStyle } from "../terminal/TerminalStyle.ts"

type Rows = ReadonlyArray<readonly [term: string, text: string]>

/** Formats terms and their meanings, in two columns if there is room. */
const terms = (style: TerminalStyle, rows: Rows): ReadonlyArray<string> => {
  // A longer term gets its own line.
  const column = Math.max(0, ...rows.map(([term]) => term.length).filter((length) => length <= 30)) + 2
  const room = style.width - column - 2
  return rows.flatMap(([term, text]) => {
    const head = paint(style, ["cyan"], pad(term, column))
    if (room < 24 || term.length > column - 2)
      return [
        ...wrap(term, style.width - 2).map((line) => `  ${paint(style, ["cyan"], line)}`),
        ...wrap(text, style.width - 6).map((line) => `      ${line}`)
      ]
    return wrap(text, room).map((line, index) => `  ${index === 0 ? head : " ".repeat(column)}${line}`)
  })
}

const title = (style: TerminalStyle, text: string): string => paint(style, ["bold"], text)

/** Formats the usage line. Lines do not break inside brackets. */
const calls = (style: TerminalStyle, usage: string): ReadonlyArray<string> => {
  const whole = usage.replaceAll(/\[[^\]]*\]/gu, (group) => group.replaceAll(" ", "\u00a0"))
  return wrap(whole, style.width - 6).map(
    (line, index) => `${index === 0 ? "  " : "      "}${line.replaceAll("\u00a0", " ")}`
  )
}

/** Tables, each with a title. */
export type Groups = ReadonlyArray<readonly [title: string, rows: Rows]>

/** The purpose of the program or a command, and how it is called. */
export interface About {
  readonly summary: string
  readonly usage: string
}

/** Returns the help of the program or of a command. */
export const render = (style: TerminalStyle, { summary, usage }: About, groups: Groups): string =>
  [
    wrap(summary, style.width).join("\n"),
    [title(style, "Usage"), ...calls(style, usage)].join("\n"),
    ...groups.flatMap(([name, rows]) =>
      rows.length === 0 ? [] : [[title(style, name), ...terms(style, rows)].join("\n")]
    )
  ].join("\n\n")

/** Returns a hint with the candidate that a misspelled word most likely means. Empty if no candidate is close. */
export const hint = (word: string, candidates: ReadonlyArray<string>): string => {
  const begun = word.length < 3 ? [] : candidates.filter((candidate) => candidate.startsWith(word))
  const best = begun.length === 1 ? begun[0] : nearest(word, candidates)
  return best == null ? "" : `; did you mean ${best}?`
}
