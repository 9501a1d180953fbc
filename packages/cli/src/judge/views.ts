/** A view of sessions: what is folded, how it is drawn, and which exit status it deserves. */
import type * as ExitCode from "../process/ExitCode.ts"
import type { Form, Section } from "../session/Report.ts"
import * as Sheet from "../terminal/Sheet.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"
import { screen } from "./marked.ts"
import type { FoldedSession, TurnView } from "./SessionFold.ts"

/** `A` is what is shown of a turn; several sessions are counted by their looks. */
export interface SessionView<S, A, Name extends string> {
  /** In words such as "judging" and "judged". */
  readonly doing: string
  readonly done: string
  readonly turns: TurnView<S, A>
  /** What JSON says. */
  readonly record: (shown: A) => { readonly version: number }
  /** The blocks of the screen; `last` is the number of the session's last turn. */
  readonly parts: (style: TerminalStyle, shown: A, last: number) => ReadonlyArray<ReadonlyArray<string>>
  /** All turns at once. */
  readonly list?: (style: TerminalStyle, section: Section<FoldedSession<A>>) => string
  readonly looks: Readonly<Record<Name, Sheet.Look>>
  readonly lookOf: (shown: A) => Name
  /** What is said of all sessions behind the counts. */
  readonly total?: (all: ReadonlyArray<A>) => string
  readonly code: (shown: A) => ExitCode.ExitCode
}

/** How the sessions are shown: with `all` every turn. */
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
