/** Prints the results of sessions as text or JSON, without secrets. */
import { redact } from "@reflexion/core/Redaction"
import { rule } from "../terminal/Sheet.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"

export type Format = "text" | "json" | "jsonl"

/** The output for one session. */
export interface Section<out A> {
  readonly file: string
  readonly value: A
}

/** How a view shows its result, which is plain data. */
export interface Form<in out A> {
  /** Returns the JSON values of one session. */
  readonly records: (value: A) => ReadonlyArray<{ readonly version: number }>
  /** True if a session can have several values. Then a document is always an array. */
  readonly severalEach: boolean
  readonly draw: (style: TerminalStyle, section: Section<A>) => string
  /** Returns the last line, if there are several sessions. */
  readonly summary: (style: TerminalStyle, values: ReadonlyArray<A>, failed: number) => string
}

/** The output while it is produced. Both functions return the text to print now, or null. */
export interface Report<in A> {
  readonly add: (section: Section<A>) => string | null
  /** Takes the number of sessions that failed. */
  readonly end: (failed: number) => string | null
}

/** Escapes all characters in a JSON text that could control a terminal. */
export const escaped = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/** Removes secrets from every text once more. They were already removed where the texts were made. */
const redacted = <A>(value: A): A =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) => (typeof one === "string" ? redact(one) : one))

const print = (value: unknown, indent?: number): string => escaped(JSON.stringify(value, null, indent))

interface Options {
  readonly style: TerminalStyle
  readonly format: Format
  readonly files: number
}

/** Prints text. Several sessions are separated and counted at the end. */
const text = <A>(form: Form<A>, { files, style }: Options): Report<A> => {
  const values: Array<A> = []
  return {
    add: ({ file, value }) => {
      const shown = redacted(value)
      const apart = values.length > 0 ? `${rule(style)}\n` : ""
      values.push(shown)
      return `${apart}${form.draw(style, { file, value: shown })}${files > 1 ? "\n" : ""}`
    },
    end: (failed) => (files > 1 ? `${rule(style)}\n${form.summary(style, values, failed)}` : null)
  }
}

/**
 * Makes a report in a format. `files` is the number of sessions. "json" is one document; "jsonl" prints each record at
 * once, on its own line.
 */
export const make = <A>(form: Form<A>, options: Options): Report<A> => {
  const { files, format } = options
  if (format === "text") return text(form, options)
  const held: Array<unknown> = []
  return {
    add: ({ file, value }) => {
      const all = form.records(redacted(value)).map(({ version, ...rest }) => ({ version, file, ...rest }))
      if (format === "jsonl") return all.map((one) => print(one)).join("\n")
      held.push(...all)
      return null
    },
    end: () => {
      const value = files > 1 || form.severalEach ? held : held[0]
      return format === "jsonl" || value === undefined ? null : print(value, 2)
    }
  }
}
