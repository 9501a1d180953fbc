/** How assessments are shown. */
import type { Loop } from "@reflexion/core/internal/judge/loops/Loops"
import { redact } from "@reflexion/core/Redaction"
import { Assessment } from "@reflexion/core/StuckAssessment"
import * as Schema from "effect/Schema"
import { type Form, record } from "../session/Report.ts"
import type { Assessed } from "./fold.ts"
import * as StuckRender from "./render.ts"

const loop = (one: Loop): Loop => ({
  ...one,
  calls: one.calls.map(({ summary, tool }) => ({ tool: redact(tool), summary: redact(summary) }))
})

const redacted = (one: Assessment): Assessment => ({
  ...one,
  evidence: one.evidence.map(redact),
  loops: one.loops.map(loop),
  nudge: one.nudge === null ? null : redact(one.nudge)
})

const encode = Schema.encodeSync(Assessment)

export const form: Form<Assessed> = {
  redacted: (value) => ({ ...value, assessment: redacted(value.assessment) }),
  records: ({ file, value }) => [record(file, encode(value.assessment))],
  severalEach: false,
  draw: (style, { file, value }) => StuckRender.detail(style, { file, ...value }),
  summary: StuckRender.summary
}
