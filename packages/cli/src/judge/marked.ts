/** What every view of a session draws with: texts behind a mark, and the head of a screen. */
import { clip, firstLines, oneLine, wrap } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import { type Paint, paint, type Symbols, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"

export type Mark = readonly [symbol: keyof Symbols, paint: Paint]

/** A text behind a mark, its further lines below it, `most` of them at most. */
export const marked = (
  style: TerminalStyle,
  [symbol, colour]: Mark,
  text: string,
  most = Number.MAX_SAFE_INTEGER
): ReadonlyArray<string> => {
  const { [symbol]: sign, ellipsis: mark } = symbols(style)
  const to = Sheet.body(style) - sign.length - 1
  return firstLines(wrap(oneLine(text), to), { count: most, to, mark }).map((line, index) =>
    index === 0 ? `${paint(style, [colour, "bold"], sign)} ${line}` : `${" ".repeat(sign.length + 1)}${line}`
  )
}

/** Small print below a marked text. */
export const aside = (style: TerminalStyle, text: string): ReadonlyArray<string> =>
  wrap(oneLine(text), Sheet.body(style) - 4).map((line) => `    ${paint(style, ["dim"], line)}`)

/** The same on one line, cut where it is too long. */
export const asideLine = (style: TerminalStyle, lead: string, text: string): string =>
  `    ${lead}${paint(style, ["dim"], clip(oneLine(text), Sheet.body(style) - 4 - lead.length, symbols(style).ellipsis))}`

/** What was asked, in three lines at most. */
export const taskLines = (style: TerminalStyle, summary: string): ReadonlyArray<string> => {
  const to = Sheet.body(style)
  const text = summary.trim() === "" ? "(no task found)" : oneLine(summary)
  return firstLines(wrap(text, to), { count: 3, to, mark: symbols(style).ellipsis })
}

/** The session's name above its sections. */
export const screen = (style: TerminalStyle, file: string, parts: ReadonlyArray<ReadonlyArray<string>>): string =>
  `${paint(style, ["bold"], Sheet.title(style, file, style.width))}\n${Sheet.blocks(parts)}`
