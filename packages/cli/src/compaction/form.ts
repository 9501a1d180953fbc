/** How what goes on after a compaction is shown. */
import { type Action, CompactionAssessment } from "@reflexion/core/Compaction"
import { redact } from "@reflexion/core/Redaction"
import * as Schema from "effect/Schema"
import type { Assessed } from "./fold.ts"
import { type Form, record, type Section } from "../session/Report.ts"
import * as Sheet from "../terminal/Sheet.ts"
import { paint, type TerminalStyle } from "../terminal/TerminalStyle.ts"

const actions: Readonly<Record<Action, Sheet.Look>> = {
  continue_task: { label: "GO ON WITH THE TASK", symbol: "arrow", paint: "blue" },
  needs_github_update: { label: "UPDATE GITHUB FIRST", symbol: "warning", paint: "yellow" },
  needs_clarification: { label: "WAIT FOR AN ANSWER", symbol: "unknown", paint: "cyan" },
  task_complete: { label: "DONE", symbol: "passed", paint: "green" }
}

const encode = Schema.encodeSync(CompactionAssessment)

const draw = (style: TerminalStyle, { file, value }: Section<Assessed>): string => {
  const { assessment, lastAt } = value
  const notes = [
    `confidence ${Sheet.percent(assessment.confidence)}`,
    assessment.hasActiveGitWork
      ? "a branch, pull request or issue is under way"
      : "no branch, pull request or issue is under way"
  ]
  const parts = Sheet.blocks([
    Sheet.heading(style, { ...assessment, lastAt }),
    Sheet.section(style, "Next", [
      Sheet.badge(style, actions[assessment.action]),
      ...Sheet.facts(style, notes, Sheet.body(style))
    ]),
    Sheet.section(style, "Text", Sheet.quotation(style, assessment.text, { bar: "yellow", none: "" }))
  ])
  return `${paint(style, ["bold"], Sheet.title(style, file, style.width))}\n${parts}`
}

export const form: Form<Assessed> = {
  redacted: (value) => ({ ...value, assessment: { ...value.assessment, text: redact(value.assessment.text) } }),
  records: ({ file, value }) => [record(file, encode(value.assessment))],
  severalEach: false,
  draw,
  summary: (style, { failed, values }) =>
    Sheet.tally(style, actions, { values: values.map(({ assessment }) => assessment.action), failed, done: "assessed" })
}
