/** Decisions to read: under a heading for each row of one session's, each with the whole of its reason. */
import type { AskLine } from "@reflexion/core/internal/model/calls/AskLog"
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as Asked from "./asked.ts"
import { oneLine, pad, width, wrap } from "../terminal/Layout.ts"
import { type Paint, paint, type TerminalStyle } from "../terminal/TerminalStyle.ts"

const leastShown = 8

const shared = (left: string, right: string): number => {
  let at = 0
  while (at < left.length && left[at] === right[at]) at += 1
  return at
}

/**
 * As much of the beginning of each session's id as tells it from the others, and names it with `--session`. Ids that
 * begin with the time, as those of Codex and OpenCode, have more in common than a few characters.
 *
 * @category rendering
 */
export const shortIds = (decisions: ReadonlyArray<Decision>): ReadonlyMap<string, string> => {
  const sorted = [...new Set(decisions.flatMap(({ sessionId }) => sessionId ?? []))].toSorted()
  return new Map(
    sorted.map((id, index) => {
      const beside = [sorted[index - 1], sorted[index + 1]].map((other) => shared(id, other ?? ""))
      return [id, id.slice(0, Math.max(leastShown, ...beside.map((common) => common + 1)))]
    })
  )
}

const paints: Readonly<Record<Decision["decision"], ReadonlyArray<Paint>>> = {
  push: ["yellow", "bold"],
  reminder: ["cyan"],
  notice: ["cyan"],
  none: ["dim"],
  abstain: ["dim"],
  stop: ["magenta"],
  start: ["magenta"],
  wrong: ["magenta"],
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

const heading = (tilde: (path: string) => string, session: string, decision: Decision): ReadonlyArray<string> => [
  local(decision)[0],
  oneLine(decision.host),
  oneLine(session),
  ...(decision.directory === null ? [] : [tilde(decision.directory)])
]

const attempt = ({ attempt, maxAttempts }: Decision): string =>
  attempt === null ? "" : `${attempt}/${maxAttempts ?? "?"}`

const statusWidth = 16

/** The status goes first where there is little room. */
const statusFrom = 72

/** With less room than this beside it, a reason goes below. */
const leastRoom = 28

const below = 6

/** The reason behind the head and on from there, whole: two decisions may differ in its last word alone. */
const beside = (head: string, headWidth: number, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line, index) => (index === 0 ? `${head}  ${line}` : `${" ".repeat(headWidth + 2)}${line}`).trimEnd())

const row = (
  style: TerminalStyle,
  decision: Decision,
  { asked, isTerminal }: { readonly asked: string; readonly isTerminal: boolean }
): ReadonlyArray<string> => {
  const [, at] = local(decision)
  const kind = pad(decision.decision, 7)
  const hasStatus = !isTerminal || style.width >= statusFrom
  const columns = [pad(attempt(decision), 3), ...(hasStatus ? [pad(decision.status ?? "", statusWidth)] : [])]
  const headWidth = 2 + width([at, kind, ...columns].join("  "))
  const head = [`  ${paint(style, ["dim"], at)}`, paint(style, paints[decision.decision], kind), ...columns].join("  ")
  const reason = oneLine(decision.reason) + asked
  const room = style.width - headWidth - 2
  if (!isTerminal || width(reason) <= room) return beside(head, headWidth, [reason])
  if (room >= leastRoom) return beside(head, headWidth, wrap(reason, room))
  return [head.trimEnd(), ...wrap(reason, style.width - below).map((line) => " ".repeat(below) + line)]
}

/**
 * `isTerminal`: it has a width, which lines are wrapped to; else each decision has one line, however long. `ids`: by which
 * the sessions are shown; `questions`: what was asked for each decision.
 *
 * @category models
 */
export interface Options {
  readonly isTerminal: boolean
  readonly ids: ReadonlyMap<string, string>
  readonly questions: ReadonlyMap<Decision, ReadonlyArray<AskLine>>
  readonly tilde: (path: string) => string
}

export const text = (
  style: TerminalStyle,
  decisions: ReadonlyArray<Decision>,
  { ids, isTerminal, questions, tilde }: Options
): string => {
  const lines: Array<string> = []
  let last = ""
  for (const decision of decisions) {
    const { sessionId } = decision
    const session = sessionId === null ? "no session" : (ids.get(sessionId) ?? sessionId)
    const title = heading(tilde, session, decision).join("  ")
    if (title !== last) {
      const shown = isTerminal ? wrap(title, style.width) : [title]
      lines.push(...(last === "" ? [] : [""]), ...shown.map((one) => paint(style, ["bold"], one)))
    }
    last = title
    lines.push(...row(style, decision, { asked: Asked.said(questions.get(decision) ?? []), isTerminal }))
  }
  return lines.join("\n")
}
