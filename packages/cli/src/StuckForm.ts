/**
 * How assessments are shown.
 *
 * @since 0.1.0
 */
import type { Loop } from "@reflexion/core/judge/loops/Loops"
import { redact } from "@reflexion/core/ground/redaction/Redaction"
import { Assessment } from "@reflexion/core/judge/stuck/StuckAssessment"
import * as Schema from "effect/Schema"
import { type Form, record } from "./Report.ts"
import type { Assessed } from "./StuckFold.ts"
import * as StuckRender from "./StuckRender.ts"

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

/**
 * @since 0.1.0
 * @category rendering
 */
export const form: Form<Assessed> = {
  redacted: (value) => ({ ...value, assessment: redacted(value.assessment) }),
  records: ({ file, value }) => [record(file, encode(value.assessment))],
  severalEach: false,
  draw: (style, { file, value }) => StuckRender.detail(style, { file, ...value }),
  summary: StuckRender.summary
}
