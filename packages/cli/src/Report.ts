/**
 * Verdicts on their way out: cleaned of secrets, as text or as JSON.
 *
 * @since 0.1.0
 */
import * as Redaction from "@reflexion/core/Redaction"
import type { Contradiction, Gate, Verdict } from "@reflexion/core/Verdict"
import type { Format } from "./JudgeRequest.ts"
import * as Render from "./Render.ts"
import type { TerminalStyle } from "./TerminalStyle.ts"

const gate = (one: Gate): Gate => ({
  ...one,
  detail: Redaction.redact(one.detail),
  evidence: one.evidence.map((evidence) => ({ ...evidence, command: Redaction.redact(evidence.command) }))
})

const contradiction = (one: Contradiction): Contradiction => ({
  ...one,
  claim: Redaction.redact(one.claim),
  fact: Redaction.redact(one.fact)
})

/**
 * A verdict without the secrets that its texts quote.
 *
 * @since 0.1.0
 * @category combinators
 */
export const redacted = (verdict: Verdict): Verdict => ({
  ...verdict,
  reason: Redaction.redact(verdict.reason),
  feedback: verdict.feedback === null ? null : Redaction.redact(verdict.feedback),
  missing: verdict.missing.map(Redaction.redact),
  nextActions: verdict.nextActions.map(Redaction.redact),
  task: { ...verdict.task, summary: Redaction.redact(verdict.task.summary) },
  gates: verdict.gates.map(gate),
  contradictions: verdict.contradictions.map(contradiction)
})

/**
 * JSON in which, beyond what JSON itself escapes, also that is which a terminal would obey if the document were shown on
 * one.
 *
 * @since 0.1.0
 * @category rendering
 */
export const escaped = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

const record = (file: string, { version, ...verdict }: Verdict) => ({ version, file, ...verdict })

type Records = ReadonlyArray<ReturnType<typeof record>>

/**
 * What one session adds to the output.
 *
 * @since 0.1.0
 * @category models
 */
export interface Section {
  readonly file: string
  readonly verdicts: ReadonlyArray<Verdict>
  /** The number of the session's last turn. */
  readonly lastTurn: number
}

/**
 * The output under way. `add` and `end` answer with the text to print now, null for none.
 *
 * @since 0.1.0
 * @category models
 */
export interface Report {
  readonly add: (section: Section) => string | null
  readonly fail: () => void
  readonly end: () => string | null
}

/**
 * One document at the end: a verdict, or an array where several were asked for, however many there are.
 *
 * @since 0.1.0
 * @category constructors
 */
export const json = (options: { readonly several: boolean }): Report => {
  const records: Array<Records[number]> = []
  return {
    add: ({ file, verdicts }) => {
      records.push(...verdicts.map((verdict) => record(file, redacted(verdict))))
      return null
    },
    fail: () => {},
    end: () => {
      const value = options.several ? records : records[0]
      return value === undefined ? null : escaped(JSON.stringify(value, null, 2))
    }
  }
}

/**
 * One verdict a line, as soon as it is there.
 *
 * @since 0.1.0
 * @category constructors
 */
export const jsonl = (): Report => ({
  add: ({ file, verdicts }) =>
    verdicts.map((verdict) => escaped(JSON.stringify(record(file, redacted(verdict))))).join("\n"),
  fail: () => {},
  end: () => null
})

/**
 * Text to read; several sessions are set apart, and counted at the end.
 *
 * @since 0.1.0
 * @category constructors
 */
export const text = (style: TerminalStyle, options: { readonly files: number; readonly all: boolean }): Report => {
  const last: Array<Verdict> = []
  let failed = 0
  return {
    add: ({ file, lastTurn, verdicts }) => {
      const entries = verdicts.map((verdict) => ({ file, lastTurn, verdict: redacted(verdict) }))
      const apart = last.length > 0 ? `${Render.rule(style)}\n` : ""
      last.push(...entries.slice(-1).map(({ verdict }) => verdict))
      const drawn = options.all
        ? Render.turns(style, entries)
        : entries.map((one) => Render.detail(style, one)).join("\n\n")
      return `${apart}${drawn}${options.files > 1 ? "\n" : ""}`
    },
    fail: () => {
      failed += 1
    },
    end: () =>
      options.files > 1 ? `${Render.rule(style)}\n${Render.summary(style, { verdicts: last, failed })}` : null
  }
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  style: TerminalStyle,
  options: { readonly format: Format; readonly files: number; readonly all: boolean }
): Report => {
  if (options.format === "json") return json({ several: options.files > 1 || options.all })
  return options.format === "jsonl" ? jsonl() : text(style, options)
}
