/** One finding of the doctor, and the output of all findings on a terminal. */
import type { Level, LookFinding as Finding } from "@reflexion/core/internal/session/host/Host"
import type { ExitCode } from "../process/ExitCode.ts"
import { counted, hanging, oneLine, pad, wrap } from "../terminal/Layout.ts"
import { type Paint, paint, symbols, type Symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"

export type { LookFinding as Finding } from "@reflexion/core/internal/session/host/Host"

export type Findings = ReadonlyArray<Finding>

export interface Section {
  readonly title: string
  readonly findings: Findings
}

const make =
  (level: Level) =>
  (term: string, text: string): Finding => ({ level, term, text })

export const good = make("good")
export const plain = make("plain")
export const needed = make("needed")
export const blind = make("blind")

/** Removes repeated findings if they are good or could not be checked. All other findings stay. */
export const distinct = (findings: Findings): Findings => {
  const texts = findings.map(({ level, term, text }) => `${level} ${term} ${text.replace(/\b\d{1,9} ms\b/g, "")}`)
  return findings.filter(
    ({ level }, index) => (level !== "blind" && level !== "good") || texts.indexOf(texts[index] ?? "") === index
  )
}

export const softened = (findings: Findings): Findings =>
  findings.map((one) => (one.level === "needed" ? plain(one.term, one.text) : one))

const signs: Readonly<Record<Level, readonly [sign: keyof Symbols, paint: Paint]>> = {
  good: ["passed", "green"],
  plain: ["none", "dim"],
  needed: ["failed", "red"],
  blind: ["unknown", "yellow"]
}

const termWidth = 15

const lines = (style: TerminalStyle, { level, term, text }: Finding): ReadonlyArray<string> => {
  const [sign, color] = signs[level]
  const head = `  ${paint(style, [color], symbols[sign])} ${pad(oneLine(term), termWidth)}`
  const indent = 4 + termWidth
  const lines = text.split("\n").flatMap((one) => wrap(oneLine(one), style.width - indent))
  return hanging(head, indent, lines)
}

const count = (sections: ReadonlyArray<Section>, level: Level): number =>
  sections.flatMap(({ findings }) => findings).filter((one) => one.level === level).length

export const exitCode = (sections: ReadonlyArray<Section>): ExitCode => {
  if (count(sections, "blind") > 0) return 2
  return count(sections, "needed") > 0 ? 1 : 0
}

const summary = (style: TerminalStyle, sections: ReadonlyArray<Section>): string => {
  const open = count(sections, "needed")
  const unseen = count(sections, "blind")
  if (unseen + open === 0) return paint(style, ["green", "bold"], "All is well.")
  const text = [
    ...(open === 0 ? [] : [`${counted(open, "thing")} ${open === 1 ? "needs" : "need"} you`]),
    ...(unseen === 0 ? [] : [`${counted(unseen, "thing")} could not be checked`])
  ].join("; ")
  return paint(style, [exitCode(sections) === 1 ? "red" : "yellow", "bold"], `${text}.`)
}

export const list = (style: TerminalStyle, sections: ReadonlyArray<Section>): ReadonlyArray<string> =>
  sections.map(({ findings, title }) =>
    [paint(style, ["bold"], title), ...findings.flatMap((one) => lines(style, one))].join("\n")
  )

export const render = (style: TerminalStyle, sections: ReadonlyArray<Section>): string =>
  [...list(style, sections), summary(style, sections)].join("\n\n")
