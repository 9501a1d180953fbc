/** What a change makes of a text, to read: the changed lines with a few around them. */
import * as Redaction from "@reflexion/core/Redaction"
import { structuredPatch } from "diff"
import { clean } from "./Layout.ts"
import { paint, type TerminalStyle } from "./TerminalStyle.ts"

const context = 3

const painted = (style: TerminalStyle, line: string): string => {
  if (line.startsWith("+")) return paint(style, ["green"], line)
  return line.startsWith("-") ? paint(style, ["red"], line) : line
}

/** A settings file may hold keys: what stands next to a change is printed as well. */
const shown = (line: string): string => clean(Redaction.redact(line)).replaceAll("\n", "")

/** An empty range is said to stand behind the line before it. */
const range = (start: number, lines: number): string =>
  lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`

/** A unified diff. Null stands for no file; secrets are replaced. */
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
