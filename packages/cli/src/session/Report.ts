/** What came of sessions on its way out: cleaned of secrets, as text or as JSON. */
import { redact } from "@reflexion/core/Redaction"
import { rule } from "../terminal/Sheet.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"

export type Format = "text" | "json" | "jsonl"

/** What one session adds to the output. */
export interface Section<out A> {
  readonly file: string
  readonly value: A
}

/** How a view shows what it found, which is plain data. */
export interface Form<in out A> {
  /** One JSON value each, several where `severalEach`: then a document is always an array. */
  readonly records: (value: A) => ReadonlyArray<{ readonly version: number }>
  readonly severalEach: boolean
  readonly draw: (style: TerminalStyle, section: Section<A>) => string
  /** The last line, where several sessions were asked for. */
  readonly summary: (style: TerminalStyle, values: ReadonlyArray<A>, failed: number) => string
}

/** The output under way. `add` and `end` answer with the text to print now, null for none; `end` takes how many failed. */
export interface Report<in A> {
  readonly add: (section: Section<A>) => string | null
  readonly end: (failed: number) => string | null
}

/** JSON in which everything is escaped that a terminal would obey. */
export const escaped = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/** Secrets are taken out where texts are made; here they are looked for once more, in every text. */
const redacted = <A>(value: A): A =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) => (typeof one === "string" ? redact(one) : one))

const print = (value: unknown, indent?: number): string => escaped(JSON.stringify(value, null, indent))

interface Options {
  readonly style: TerminalStyle
  readonly format: Format
  readonly files: number
}

/** Text to read; several sessions are set apart, and counted at the end. */
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

/** The report in a format; `files` is how many sessions were asked for. JSON is one document, or a record a line at once. */
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
