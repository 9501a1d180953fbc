/** How verdicts are shown. */
import type { Progress } from "@reflexion/core/internal/review/tiers/Progress"
import * as Acceptance from "@reflexion/core/internal/judge/verdict/Acceptance"
import * as Missing from "@reflexion/core/internal/judge/verdict/Missing"
import * as Redaction from "@reflexion/core/Redaction"
import type { Contradiction, Gate } from "@reflexion/core/Verdict"
import * as Render from "./render.ts"
import * as Report from "../session/Report.ts"
import type { Folded, Told } from "./SessionFold.ts"

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

const progress = (given: Progress): Progress => ({
  ...given,
  done: given.done.map(Redaction.redact),
  stuck: given.stuck.map(Redaction.redact),
  fresh: given.fresh.map(Redaction.redact),
  summary: Redaction.redact(given.summary)
})

/** A verdict without the secrets that its texts quote. */
const redacted = (verdict: Told): Told => ({
  ...verdict,
  reason: Redaction.redact(verdict.reason),
  feedback: verdict.feedback === null ? null : Redaction.redact(verdict.feedback),
  findings: verdict.findings.map((found) => Missing.mapTexts(found, Redaction.redact)),
  missing: verdict.missing.map(Redaction.redact),
  nextActions: verdict.nextActions.map(Redaction.redact),
  task: { ...verdict.task, summary: Redaction.redact(verdict.task.summary) },
  gates: verdict.gates.map(gate),
  contradictions: verdict.contradictions.map(contradiction),
  ...(verdict.acceptance !== undefined && { acceptance: Acceptance.mapTexts(verdict.acceptance, Redaction.redact) }),
  ...(verdict.progress !== undefined && { progress: progress(verdict.progress) })
})

const entries = ({ file, value }: Report.Section<Folded>): ReadonlyArray<Render.Entry> =>
  value.verdicts.map((verdict) => ({ file, verdict, lastTurn: value.last }))

/**
 * With `all`, a line for every turn and the last in full; else each in full.
 *
 * @category constructors
 */
export const make = ({ all }: { readonly all: boolean }): Report.Form<Folded> => ({
  redacted: (value) => ({ ...value, verdicts: value.verdicts.map(redacted) }),
  records: ({ file, value }) => value.verdicts.map((verdict) => Report.record(file, verdict)),
  severalEach: all,
  draw: (style, section) =>
    all
      ? Render.turns(style, entries(section))
      : entries(section)
          .map((one) => Render.detail(style, one))
          .join("\n\n"),
  summary: (style, { failed, values }) =>
    Render.summary(style, { verdicts: values.flatMap(({ verdicts }) => verdicts.slice(-1)), failed })
})
