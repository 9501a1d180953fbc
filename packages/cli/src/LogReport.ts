/**
 * Decisions to read: under a heading for each row of one session's, a line for each.
 *
 * @since 0.1.0
 */
import type { Decision } from "@reflexion/core/Decision"
import { clip, oneLine, pad, width } from "./Layout.ts"
import { type Paint, paint, symbols, type TerminalStyle } from "./TerminalStyle.ts"

/**
 * How much of a session's id is shown: enough to tell sessions apart, and to name one with `--session`.
 *
 * @since 0.1.0
 * @category limits
 */
export const shownId = 8

const paints: Readonly<Record<Decision["decision"], ReadonlyArray<Paint>>> = {
  push: ["yellow", "bold"],
  notice: ["cyan"],
  none: ["dim"],
  abstain: ["dim"],
  stop: ["magenta"],
  start: ["magenta"],
  rearm: ["dim"],
  failure: ["red", "bold"]
}

const two = (value: number): string => String(value).padStart(2, "0")

const date = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

const time = (at: Date): string => `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`

/** In the user's own time; a time that is none is left as it is. */
const local = (decision: Decision): readonly [date: string, time: string] => {
  const at = new Date(decision.at)
  return Number.isNaN(at.getTime()) ? ["unknown day", oneLine(decision.at).slice(0, 8)] : [date(at), time(at)]
}

const heading = (tilde: (path: string) => string, decision: Decision): ReadonlyArray<string> => [
  local(decision)[0],
  oneLine(decision.host),
  oneLine(decision.sessionId ?? "no session").slice(0, decision.sessionId === null ? undefined : shownId),
  ...(decision.directory === null ? [] : [tilde(decision.directory)])
]

const attempt = ({ attempt, maxAttempts }: Decision): string =>
  attempt === null ? "" : `${attempt}/${maxAttempts ?? "?"}`

const statusWidth = 16

/** The status goes first where there is little room. */
const statusFrom = 72

const line = (style: TerminalStyle, decision: Decision): string => {
  const [, at] = local(decision)
  const columns = [
    pad(attempt(decision), 3),
    ...(style.width < statusFrom ? [] : [pad(decision.status ?? "", statusWidth)])
  ]
  const kind = pad(decision.decision, 7)
  const room = style.width - width(["  ", at, kind, ...columns, ""].join("  ")) + 2
  const head = [`  ${paint(style, ["dim"], at)}`, paint(style, paints[decision.decision], kind), ...columns].join("  ")
  return `${head}  ${clip(oneLine(decision.reason), room, symbols(style).ellipsis)}`.trimEnd()
}

/**
 * @since 0.1.0
 * @category rendering
 */
export const text = (
  style: TerminalStyle,
  decisions: ReadonlyArray<Decision>,
  tilde: (path: string) => string
): string => {
  const lines: Array<string> = []
  let last = ""
  for (const decision of decisions) {
    const [day = "", ...rest] = heading(tilde, decision)
    const title = [day, ...rest].join("  ")
    if (title !== last) {
      const shown = clip(title, style.width, symbols(style).ellipsis)
      lines.push(...(last === "" ? [] : [""]), paint(style, ["bold"], shown))
    }
    last = title
    lines.push(line(style, decision))
  }
  return lines.join("\n")
}
