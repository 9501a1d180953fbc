/** Prints the results of sessions as text or JSON, without secrets. */
import { redact } from "@reflexion/core/Redaction"
import { escaped } from "../terminal/Layout.ts"
import { rule, tally } from "../terminal/Sheet.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"
import { screen } from "./marked.ts"
import type { Format } from "./request.ts"
import type { FoldedSession } from "./SessionFold.ts"
import type { Section, SessionView } from "./views.ts"

/** Both functions return the text to print now, or null. */
export interface Report<in A> {
  readonly add: (section: Section<A>) => string | null
  readonly end: (failed: number) => string | null
}

/** Removes secrets from every text a second time. The code that made the texts already removed them. */
const redacted = <A>(value: A): A =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) => (typeof one === "string" ? redact(one) : one))

const print = (value: unknown, indent?: number): string => escaped(JSON.stringify(value, null, indent))

interface Options {
  readonly style: TerminalStyle
  readonly format: Format
  readonly files: number
  /** If every turn is shown, the JSON document is always an array. */
  readonly all: boolean
}

const text = <S, A, Name extends string>(
  { done, list, lookOf, looks, parts, total }: SessionView<S, A, Name>,
  { all, files, style }: Options
): Report<FoldedSession<A>> => {
  const ends: Array<A> = []
  let count = 0
  return {
    add: ({ file, value }) => {
      const { last, shown } = redacted(value)
      const apart = count > 0 ? `${rule(style)}\n` : ""
      count += 1
      ends.push(...shown.slice(-1))
      const drawn =
        all && list !== undefined
          ? list(style, { file, value: { ...value, shown } })
          : shown.map((one) => screen(style, file, parts(style, one, last))).join("\n\n")
      return `${apart}${drawn}${files > 1 ? "\n" : ""}`
    },
    end: (failed) => {
      const counted = tally(style, looks, { values: ends.map(lookOf), failed, done })
      return files > 1 ? `${rule(style)}\n${counted}${total?.(ends) ?? ""}` : null
    }
  }
}

/** "json" is one document. "jsonl" prints each record at once, on its own line. */
export const make = <S, A, Name extends string>(
  view: SessionView<S, A, Name>,
  options: Options
): Report<FoldedSession<A>> => {
  const { all, files, format } = options
  if (format === "text") return text(view, options)
  const held: Array<unknown> = []
  return {
    add: ({ file, value }) => {
      const records = redacted(value.shown.map(view.record)).map(({ version, ...rest }) => ({ version, file, ...rest }))
      if (format === "jsonl") return records.map((one) => print(one)).join("\n")
      held.push(...records)
      return null
    },
    end: () => {
      const value = files > 1 || all ? held : held[0]
      return format === "jsonl" || value === undefined ? null : print(value, 2)
    }
  }
}
