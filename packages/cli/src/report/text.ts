/** Formats the report for a terminal. Pure: the terminal is a parameter. */
import { clean, oneLine, pad, width, wrap } from "../terminal/Layout.ts"
import { blocks } from "../terminal/Sheet.ts"
import { type Paint, paint, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"
import type { Ending } from "./model.ts"
import type { Line, Row, Section, Sheet } from "./sheet.ts"

const paints: Readonly<Record<Ending, Paint>> = {
  done: "green",
  nudged: "yellow",
  yours: "cyan",
  open: "red",
  other: "dim"
}

export const render = (style: TerminalStyle, { about, foot, headline, lead, sections }: Sheet): string => {
  const { arrow, bar, bullet } = symbols
  const inTone = (tone: Ending, text: string) => paint(style, [paints[tone]], text)
  const bold = (text: string) => paint(style, ["bold"], text)
  const dim = (text: string) => paint(style, ["dim"], text)
  /** If the head is long, the text's other lines begin further left. */
  const hung = (head: string, text: string, paintHead = (shown: string) => shown): ReadonlyArray<string> => {
    const indent = width(head) + 28 > style.width ? 6 : width(head)
    const [first = "", ...others] = wrap(oneLine(text), style.width - width(head))
    const rest = oneLine(text).slice(first.length).trim()
    const below = others.length === 0 ? [] : wrap(rest, style.width - indent)
    return [paintHead(head) + first, ...below.map((line) => " ".repeat(indent) + line)]
  }
  const line = ({ as, head, text, time, tone }: Line): ReadonlyArray<string> => {
    if (as === "words") return wrap(clean(text), style.width - 8).map((one) => `      ${bar} ${one}`)
    const sign = as === "after" ? `${arrow} ` : as === "doubt" ? "! " : ""
    const start = as === "stop" ? `    ${time}  ${head}  ` : `      ${sign}`
    return hung(start, text, (shown) => inTone(tone, shown))
  }
  const row = ({ about: where, badge, lines, title, tone }: Row): ReadonlyArray<string> => [
    ...hung(badge === "" ? `  ${bullet} ` : `  ${pad(badge, 9)}  `, title, (shown) => inTone(tone, shown)),
    ...(where === "" ? [] : hung("    ", where).map(dim)),
    ...lines.flatMap(line)
  ]
  const section = ({ has, most, rest, rows, title }: Section): ReadonlyArray<string> => {
    const shown = rows.slice(0, most)
    const inOrder = has === "decisions" ? shown.toReversed() : shown
    const drawn = inOrder.flatMap((one, at) => {
      if (has === "days") return hung(`  ${one.title}  `, one.about)
      if (has === "decisions" && style.width >= 70) return decision(one)
      return [...(one.badge !== "" && at > 0 ? [""] : []), ...row(one)]
    })
    const left = rows.length - shown.length
    return [bold(title), ...drawn, ...(left === 0 ? [] : [dim(`  ${left} more: ${rest}`)])]
  }
  const decision = ({ about: where, badge, title, tone }: Row): ReadonlyArray<string> =>
    hung(`  ${where}  ${pad(badge, 9)}  `, title, (head) => dim(head.slice(0, -11)) + inTone(tone, head.slice(-11)))
  return blocks([
    hung("", about).map(dim),
    [bold(`${headline}.`), ...wrap(lead, style.width)],
    ...sections.map(section),
    foot.flatMap((one) => wrap(one, style.width)).map(dim)
  ])
}
