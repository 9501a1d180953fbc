/** A view defines how a session is folded, how the result is drawn, and which exit status it has. */
import type * as ExitCode from "../process/ExitCode.ts"
import type * as Sheet from "../terminal/Sheet.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"
import type { FoldedSession, TurnView } from "./SessionFold.ts"

export interface Section<out A> {
  readonly file: string
  readonly value: A
}

/** `A` is the result for one turn. If there are several sessions, the end counts how many have each look. */
export interface SessionView<S, A, Name extends string> {
  /** A verb for messages, for example "judging". */
  readonly doing: string
  readonly done: string
  readonly turns: TurnView<S, A>
  readonly record: (shown: A) => { readonly version: number }
  /** `last` is the number of the session's last turn. */
  readonly parts: (style: TerminalStyle, shown: A, last: number) => ReadonlyArray<ReadonlyArray<string>>
  readonly list?: (style: TerminalStyle, section: Section<FoldedSession<A>>) => string
  readonly looks: Readonly<Record<Name, Sheet.Look>>
  readonly lookOf: (shown: A) => Name
  /** A text about all sessions, after the counts. */
  readonly total?: (all: ReadonlyArray<A>) => string
  readonly code: (shown: A) => ExitCode.ExitCode
}
