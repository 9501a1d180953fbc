/** The marks of a project, to read and to hand on. Pure: the terminal is a parameter. */
import * as Marks from "@reflexion/hooks/config/Marks"
import { escaped } from "../session/Report.ts"
import { counted, oneLine, pad, width, wrap } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"

const nothing = "No push is marked in this project. `/reflection wrong` in a session marks its last one."

const followsOf = (rule: string, lowered: ReadonlyArray<string>): string =>
  lowered.includes(rule) ? `: it only tells here; \`reflexion marks --clear ${rule}\` takes that back` : ""

/**
 * By rule, with what follows, and then one by one, the newest last.
 *
 * @category rendering
 */
export const text = (style: TerminalStyle, marks: ReadonlyArray<Marks.Mark>): string => {
  if (marks.length === 0) return wrap(nothing, style.width).join("\n")
  const counts = [...Marks.counts(marks)].map(([rule, count]) => [oneLine(rule), count] as const)
  const lowered = Marks.lowered(marks)
  const column = Math.max(...counts.map(([rule]) => width(rule))) + 2
  const body = style.width - column
  return Sheet.blocks([
    counts.flatMap(([rule, count]) =>
      wrap(`${counted(count, "push", "pushes")} marked${followsOf(rule, lowered)}`, body).map(
        (line, at) => `${pad(at === 0 ? rule : "", column)}${line}`
      )
    ),
    marks.flatMap(({ at, attempt, host, rules }) =>
      wrap(
        `${Sheet.moment(at)}  ${oneLine(host)}  ${attempt === null ? "" : `push ${attempt}: `}${rules.map((rule) => oneLine(rule)).join(", ")}`,
        style.width
      )
    )
  ])
}

/**
 * A line of JSON for each rule and mark. What would tell of the session stays here.
 *
 * @category rendering
 */
export const lines = (marks: ReadonlyArray<Marks.Mark>): ReadonlyArray<string> =>
  marks.flatMap(({ at, host, rules, stop }) => rules.map((rule) => escaped(JSON.stringify({ rule, at, host, stop }))))
