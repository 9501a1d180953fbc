/** What came of sessions on its way out: cleaned of secrets, as text or as JSON. */
import { rule } from "../terminal/Sheet.ts"
import type { Format } from "./SessionRequest.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"

/**
 * What one session adds to the output.
 *
 * @category models
 */
export interface Section<out A> {
  readonly file: string
  readonly value: A
}

/**
 * How a command shows what it found. Every value is `redacted` before anything else is done with it.
 *
 * @category models
 */
export interface Form<in out A> {
  readonly redacted: (value: A) => A
  /** One JSON value each, several where `severalEach`: then a document is always an array. */
  readonly records: (section: Section<A>) => ReadonlyArray<unknown>
  readonly severalEach: boolean
  readonly draw: (style: TerminalStyle, section: Section<A>) => string
  /** The last line, where several sessions were asked for. */
  readonly summary: (
    style: TerminalStyle,
    counts: { readonly values: ReadonlyArray<A>; readonly failed: number }
  ) => string
}

/**
 * The output under way. `add` and `end` answer with the text to print now, null for none.
 *
 * @category models
 */
export interface Report<in A> {
  readonly add: (section: Section<A>) => string | null
  readonly fail: () => void
  readonly end: () => string | null
}

/**
 * JSON in which, beyond what JSON itself escapes, also that is which a terminal would obey if the document were shown on
 * one.
 *
 * @category rendering
 */
export const escaped = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/**
 * What JSON says of a session: the file goes behind the version.
 *
 * @category rendering
 */
export const record = <A extends { readonly version: number }>(file: string, { version, ...rest }: A) => ({
  version,
  file,
  ...rest
})

const recordsOf = <A>(form: Form<A>, { file, value }: Section<A>): ReadonlyArray<unknown> =>
  form.records({ file, value: form.redacted(value) })

/** One document at the end: a record, or an array where several were asked for, however many there are. */
const json = <A>(form: Form<A>, files: number): Report<A> => {
  const records: Array<unknown> = []
  return {
    add: (section) => {
      records.push(...recordsOf(form, section))
      return null
    },
    fail: () => {},
    end: () => {
      const value = files > 1 || form.severalEach ? records : records[0]
      return value === undefined ? null : escaped(JSON.stringify(value, null, 2))
    }
  }
}

/** One record a line, as soon as it is there. */
const jsonl = <A>(form: Form<A>): Report<A> => ({
  add: (section) =>
    recordsOf(form, section)
      .map((record) => escaped(JSON.stringify(record)))
      .join("\n"),
  fail: () => {},
  end: () => null
})

/** Text to read; several sessions are set apart, and counted at the end. */
const text = <A>(
  form: Form<A>,
  { files, style }: { readonly style: TerminalStyle; readonly files: number }
): Report<A> => {
  const values: Array<A> = []
  let failed = 0
  return {
    add: (section) => {
      const value = form.redacted(section.value)
      const apart = values.length > 0 ? `${rule(style)}\n` : ""
      values.push(value)
      return `${apart}${form.draw(style, { file: section.file, value })}${files > 1 ? "\n" : ""}`
    },
    fail: () => {
      failed += 1
    },
    end: () => (files > 1 ? `${rule(style)}\n${form.summary(style, { values, failed })}` : null)
  }
}

/**
 * The report in a format; `files` is how many sessions were asked for.
 *
 * @category constructors
 */
export const make = <A>(
  form: Form<A>,
  options: { readonly style: TerminalStyle; readonly format: Format; readonly files: number }
): Report<A> => {
  if (options.format === "json") return json(form, options.files)
  return options.format === "jsonl" ? jsonl(form) : text(form, options)
}
