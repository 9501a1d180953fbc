/** Shows a change of a text: the changed lines with a few lines around them. */
import * as Redaction from "@reflexion/core/Redaction"
import { structuredPatch } from "diff"
import { clean } from "./Layout.ts"
import { paint, type TerminalStyle } from "./TerminalStyle.ts"

const context = 3

const painted = (style: TerminalStyle, line: string): string => {
  if (line.startsWith("+")) return paint(style, ["green"], line)
  return line.startsWith("-") ? paint(style, ["red"], line) : line
}

/** Removes secrets, because a line of a settings file next to the change may contain a key. */
const shown = (line: string): string => clean(Redaction.redact(line)).replaceAll("\n", "")

/** An empty range gets the number of the line before it. */
const range = (start: number, lines: number): string =>
  lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`

/** A null text means that the file does not exist. */
export const render = (
  style: TerminalStyle,
  change: { readonly file: string; readonly before: string | null; readonly after: string | null }
): string => {
  const { after, before, file } = change
  const { hunks } = structuredPatch(file, file, before ?? "", after ?? "", "", "", { context })
  const heads = [`--- ${before === null ? "/dev/null" : file}`, `+++ ${after === null ? "/dev/null" : file}`]
  return [
    ...heads.map((line) => paint(style, ["bold"], clean(line))),
    ...hunks.flatMap(({ lines, newLines, newStart, oldLines, oldStart }) => [
      paint(style, ["cyan"], `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`),
      ...lines.map((line) => painted(style, shown(line)))
    ])
  ].join("\n")
}
