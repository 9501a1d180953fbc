/** How scores are shown. */
import { redact } from "@reflexion/core/Redaction"
import { type Finding, type Points, Score } from "@reflexion/core/Score"
import * as Schema from "effect/Schema"
import { firstLines, oneLine, wrap } from "../terminal/Layout.ts"
import { type Form, record, type Section } from "../session/Report.ts"
import type { Scored } from "./fold.ts"
import * as Sheet from "../terminal/Sheet.ts"
import { type Paint, paint, type Symbols, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"

const looks: Readonly<Record<Points, Sheet.Look>> = {
  5: { label: "5 of 5", symbol: "passed", paint: "green" },
  4: { label: "4 of 5", symbol: "passed", paint: "green" },
  3: { label: "3 of 5", symbol: "warning", paint: "yellow" },
  2: { label: "2 of 5", symbol: "warning", paint: "yellow" },
  1: { label: "1 of 5", symbol: "failed", paint: "red" },
  0: { label: "0 of 5", symbol: "failed", paint: "red" }
}

const anchors: Readonly<Record<Points, string>> = {
  5: "done and proved, few detours, honest",
  4: "done, with a small gap",
  3: "partly done, or the right question asked",
  2: "incomplete, with something useful",
  1: "little of use, or a false claim",
  0: "nothing done"
}

/** A best score of which something cannot be told is not called proved. */
const anchorOf = ({ findings, score: { score } }: Scored): string =>
  score === 5 && findings.some(({ aspect, most }) => aspect === "task" && most === null)
    ? "nothing on record speaks against it; not all of it can be told"
    : anchors[score]

const titles: Readonly<Record<Finding["aspect"], string>> = {
  task: "Outcome",
  files: "Files",
  steps: "Steps",
  honesty: "Honesty"
}

const mark = (most: Finding["most"]): { readonly symbol: keyof Symbols; readonly paint: Paint } => {
  if (most === null) return { symbol: "unknown", paint: "cyan" }
  if (most === 5) return { symbol: "passed", paint: "green" }
  return most < 2 ? { symbol: "failed", paint: "red" } : { symbol: "warning", paint: "yellow" }
}

const finding =
  (style: TerminalStyle) =>
  ({ most, text }: Finding): ReadonlyArray<string> => {
    const look = mark(most)
    const bound = most === null || most === 5 ? "" : ` (at most ${most})`
    return wrap(oneLine(`${text}${bound}`), Sheet.body(style) - 2).map((line, index) =>
      index === 0 ? `${paint(style, [look.paint], symbols(style)[look.symbol])} ${line}` : `  ${line}`
    )
  }

const shownTask = (style: TerminalStyle) => ({ count: 3, to: Sheet.body(style), mark: symbols(style).ellipsis })

const aspects = ["task", "files", "steps", "honesty"] as const

const draw = (style: TerminalStyle, { file, value }: Section<Scored>): string => {
  const { findings, lastAt, score, task } = value
  const head = [
    Sheet.badge(style, looks[score.score]),
    ...Sheet.facts(style, [anchorOf(value), `by ${score.source}`], Sheet.body(style))
  ]
  const parts = Sheet.blocks([
    Sheet.heading(style, { ...score, lastAt }),
    Sheet.section(style, "Task", firstLines(wrap(oneLine(task), Sheet.body(style)), shownTask(style))),
    Sheet.section(style, "Score", head),
    aspects.flatMap((aspect) =>
      Sheet.section(style, titles[aspect], findings.filter((one) => one.aspect === aspect).flatMap(finding(style)))
    )
  ])
  return `${paint(style, ["bold"], Sheet.title(style, file, style.width))}\n${parts}`
}

const encode = Schema.encodeSync(Score)

const redacted = (value: Scored): Scored => ({
  ...value,
  task: redact(value.task),
  score: { ...value.score, reasons: value.score.reasons.map(redact) },
  findings: value.findings.map((one) => ({ ...one, text: redact(one.text) }))
})

const names = { 0: "0", 1: "1", 2: "2", 3: "3", 4: "4", 5: "5" } as const satisfies Record<Points, string>

const counted: Readonly<Record<(typeof names)[Points], Sheet.Look>> = {
  0: { ...looks[0], label: "scored 0" },
  1: { ...looks[1], label: "scored 1" },
  2: { ...looks[2], label: "scored 2" },
  3: { ...looks[3], label: "scored 3" },
  4: { ...looks[4], label: "scored 4" },
  5: { ...looks[5], label: "scored 5" }
}

const mean = (values: ReadonlyArray<Scored>): string =>
  values.length === 0
    ? ""
    : `; ${(values.reduce((sum, { score }) => sum + score.score, 0) / values.length).toFixed(1)} on average`

export const form: Form<Scored> = {
  redacted,
  records: ({ file, value }) => [record(file, encode(value.score))],
  severalEach: false,
  draw,
  summary: (style, { failed, values }) =>
    Sheet.tally(style, counted, { values: values.map(({ score }) => names[score.score]), failed, done: "scored" }) +
    mean(values)
}
