/** A view of sessions: how a session is folded, how the result is drawn, and which exit status it has. */
import type * as ExitCode from "../process/ExitCode.ts"
import type { Form, Section } from "../session/Report.ts"
import * as Sheet from "../terminal/Sheet.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"
import { screen } from "./marked.ts"
import type { FoldedSession, TurnView } from "./SessionFold.ts"

/** `A` is the result for one turn. Several sessions are counted by the looks of their results. */
export interface SessionView<S, A, Name extends string> {
  /** A verb for messages, for example "judging". */
  readonly doing: string
  /** The same verb in the past, for example "judged". */
  readonly done: string
  readonly turns: TurnView<S, A>
  /** Returns the value for JSON output. */
  readonly record: (shown: A) => { readonly version: number }
  /** Returns the blocks of the screen. `last` is the number of the session's last turn. */
  readonly parts: (style: TerminalStyle, shown: A, last: number) => ReadonlyArray<ReadonlyArray<string>>
  /** Formats all turns together. */
  readonly list?: (style: TerminalStyle, section: Section<FoldedSession<A>>) => string
  readonly looks: Readonly<Record<Name, Sheet.Look>>
  readonly lookOf: (shown: A) => Name
  /** Returns a text about all sessions, which follows the counts. */
  readonly total?: (all: ReadonlyArray<A>) => string
  readonly code: (shown: A) => ExitCode.ExitCode
}

/** Returns how the sessions are shown. If `all` is true, every turn is shown. */
export const formOf = <S, A, Name extends string>(
  { done, list, lookOf, looks, parts, record, total }: SessionView<S, A, Name>,
  all: boolean
): Form<FoldedSession<A>> => ({
  records: ({ shown }) => shown.map(record),
  severalEach: all,
  draw: (style, section) => {
    const { file, value } = section
    if (all && list !== undefined) return list(style, section)
    return value.shown.map((one) => screen(style, file, parts(style, one, value.last))).join("\n\n")
  },
  summary: (style, values, failed) => {
    const ends = values.flatMap(({ shown }) => shown.slice(-1))
    return Sheet.tally(style, looks, { values: ends.map(lookOf), failed, done }) + (total?.(ends) ?? "")
  }
})
