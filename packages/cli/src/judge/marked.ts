/** Drawing functions that all views of a session share: texts with a mark, and the head of a screen. */
import { clip, firstLines, oneLine, wrap } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import { type Paint, paint, type Symbols, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"

export type Mark = readonly [symbol: keyof Symbols, paint: Paint]

export const marked = (
  style: TerminalStyle,
  [symbol, colour]: Mark,
  text: string,
  most = Number.MAX_SAFE_INTEGER
): ReadonlyArray<string> => {
  const { [symbol]: sign, ellipsis: mark } = symbols
  const to = Sheet.body(style) - sign.length - 1
  return firstLines(wrap(oneLine(text), to), { count: most, to, mark }).map((line, index) =>
    index === 0 ? `${paint(style, [colour, "bold"], sign)} ${line}` : `${" ".repeat(sign.length + 1)}${line}`
  )
}

export const aside = (style: TerminalStyle, text: string): ReadonlyArray<string> =>
  wrap(oneLine(text), Sheet.body(style) - 4).map((line) => `    ${paint(style, ["dim"], line)}`)

export const asideLine = (style: TerminalStyle, lead: string, text: string): string =>
  `    ${lead}${paint(style, ["dim"], clip(oneLine(text), Sheet.body(style) - 4 - lead.length, symbols.ellipsis))}`

export const taskLines = (style: TerminalStyle, summary: string): ReadonlyArray<string> => {
  const to = Sheet.body(style)
  const text = summary.trim() === "" ? "(no task found)" : oneLine(summary)
  return firstLines(wrap(text, to), { count: 3, to, mark: symbols.ellipsis })
}

export const screen = (style: TerminalStyle, file: string, parts: ReadonlyArray<ReadonlyArray<string>>): string =>
  `${paint(style, ["bold"], Sheet.title(style, file, style.width))}\n${Sheet.blocks(parts)}`
