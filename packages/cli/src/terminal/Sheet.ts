/** Drawing functions for a session: labels in the margin, badges, quoted texts. Pure: the terminal is a parameter. */
import { clean, clip, hanging, oneLine, pad, width, wrap } from "./Layout.ts"
import { type Paint, paint, type Symbols, symbols, type TerminalStyle } from "./TerminalStyle.ts"

export interface Look {
  readonly label: string
  readonly symbol: keyof Symbols
  readonly paint: Paint
}

const gutter = 11

/** The number of columns next to the margin. */
export const body = (style: TerminalStyle): number => style.width - gutter

/** Formats lines with a label in the margin. */
export const section = (style: TerminalStyle, label: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line, index) =>
    index === 0 ? paint(style, ["bold"], pad(label, gutter)) + line : line === "" ? "" : " ".repeat(gutter) + line
  )

export type Row = readonly [term: string, text: string]

/** Formats a bold title and rows that begin with their term. A long term gets its own line. Empty without rows. */
export const terms = (style: TerminalStyle, title: string, all: ReadonlyArray<Row>): ReadonlyArray<string> => {
  if (all.length === 0) return []
  const label = Math.max(0, ...all.map(([term]) => term.length).filter((length) => length <= 30)) + 2
  const room = style.width - label - 2
  const cyan = (text: string) => `  ${paint(style, ["cyan"], text)}`
  const rows = all.flatMap(([term, text]) =>
    room < 24 || term.length > label - 2
      ? [...wrap(term, style.width - 2).map(cyan), ...wrap(text, style.width - 6).map((line) => `      ${line}`)]
      : hanging(cyan(pad(term, label)), label + 2, wrap(text, room))
  )
  return [paint(style, ["bold"], title), ...rows]
}

/** Formats paragraphs without a margin. */
export const texts = (style: TerminalStyle, all: ReadonlyArray<string>): ReadonlyArray<string> =>
  all.flatMap((text) => wrap(text, style.width))

/** Formats a section of texts with bullets. Empty if there is no text. */
export const items = (style: TerminalStyle, label: string, texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.length === 0
    ? []
    : section(
        style,
        label,
        texts.flatMap((text) => hanging(`${symbols.bullet} `, 2, wrap(oneLine(text), body(style) - 2)))
      )

/** Formats `2026-01-02T10:31:05.000Z` as `2026-01-02 10:31 UTC`. A text that is not a time stays as it is. */
export const moment = (at: string): string => {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/u.exec(at)
  return match === null ? oneLine(at) : `${match[1]} ${match[2]}${at.endsWith("Z") ? " UTC" : ""}`
}

/** Cuts a long path at its beginning, because its end says more. */
export const title = (style: TerminalStyle, file: string, to: number): string => {
  const { ellipsis } = symbols
  const shown = file === "-" ? "standard input" : oneLine(file)
  const chars = [...shown]
  while (width(chars.join("")) > to - ellipsis.length && chars.length > 1) chars.shift()
  return width(shown) <= to ? shown : ellipsis + chars.join("")
}

/** Names the session: the host and a short id. */
export const identity = ({
  host,
  sessionId
}: {
  readonly host: string
  readonly sessionId: string | null
}): ReadonlyArray<string> => [
  host,
  ...(sessionId === null ? [] : [`session ${clip(oneLine(sessionId), 13, symbols.ellipsis)}`])
]

/** Formats small facts in one paragraph. */
export const facts = (style: TerminalStyle, parts: ReadonlyArray<string>, to: number): ReadonlyArray<string> =>
  wrap(parts.map(oneLine).join(` ${symbols.dot} `), to).map((line) => paint(style, ["dim"], line))

/** Names the session and the time of its last event. */
export const heading = (
  style: TerminalStyle,
  session: { readonly host: string; readonly sessionId: string | null; readonly lastAt: string | null }
): ReadonlyArray<string> => {
  const at = session.lastAt === null ? [] : [`last event ${moment(session.lastAt)}`]
  return facts(style, [...identity(session), ...at], style.width)
}

export const percent = (confidence: number): string => `${Math.round(confidence * 100)} %`

export const badge = (style: TerminalStyle, look: Look): string => {
  const label = style.color ? ` ${look.label} ` : look.label
  return `${paint(style, [look.paint, "bold"], symbols[look.symbol])} ${paint(style, [look.paint, "bold", "inverse"], label)}`
}

/** Formats a quoted text with a bar. Shows `none` if the text is null. */
export const quotation = (
  style: TerminalStyle,
  text: string | null,
  options: { readonly bar: Paint; readonly none: string }
): ReadonlyArray<string> => {
  if (text === null) return [paint(style, ["dim"], options.none)]
  const bar = paint(style, [options.bar], symbols.bar)
  return wrap(clean(text).trim(), body(style) - 2).map((line) => `${bar} ${line}`.trimEnd())
}

/** Joins blocks of lines with a blank line between them. */
export const blocks = (parts: ReadonlyArray<ReadonlyArray<string>>): string =>
  parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.trimEnd()).join("\n"))
    .join("\n\n")

/** A line between the sessions of a run. */
export const rule = (style: TerminalStyle): string => paint(style, ["dim"], symbols.rule.repeat(style.width))

/** `done` is the verb for failed sessions, for example "judged" in "2 could not be judged". */
export const tally = <A extends string>(
  style: TerminalStyle,
  looks: Readonly<Record<A, Look>>,
  counted: { readonly values: ReadonlyArray<A>; readonly failed: number; readonly done: string }
): string => {
  const { dot } = symbols
  const total = counted.values.length + counted.failed
  const parts = Object.entries<Look>(looks).flatMap(([name, look]) => {
    const count = counted.values.filter((value) => value === name).length
    return count === 0 ? [] : [paint(style, [look.paint], `${count} ${look.label.toLowerCase()}`)]
  })
  const failed =
    counted.failed === 0 ? [] : [paint(style, ["red", "bold"], `${counted.failed} could not be ${counted.done}`)]
  return `${paint(style, ["bold"], `${total} sessions`)}: ${[...parts, ...failed].join(` ${dot} `)}`
}
