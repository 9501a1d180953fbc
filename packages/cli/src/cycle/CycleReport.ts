/** Formats the output of `reflexion cycle`. Pure: the terminal is a parameter. */
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import type { Mutation } from "@reflexion/core/Mutator"
import type { Analysis } from "@reflexion/core/ReflectionAnalysis"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import { clip, counted, lasting, oneLine, pad, width, wrap } from "../terminal/Layout.ts"
import { paint, type TerminalStyle } from "../terminal/TerminalStyle.ts"

const paints = { completed: "green", failed: "red", timeout: "yellow" } as const

const cell = (text: string, to: number): string => pad(clip(oneLine(text.slice(0, 400)), to, "…"), to)

export const list = (style: TerminalStyle, outcomes: ReadonlyArray<AttemptOutcome>, path: string): string => {
  if (outcomes.length === 0)
    return `no such outcome in ${path}. The hosts add an outcome for each attempt; \`reflexion cycle add\` adds outcomes of other programs`
  const taskWidth = Math.min(24, Math.max(0, ...outcomes.map(({ taskId }) => width(taskId ?? ""))))
  return outcomes
    .map(({ at, backend, durationMs, objective, status, taskId }) => {
      const room = Math.max(20, style.width - (16 + 9 + 8 + 12 + taskWidth + 10))
      return [
        at.slice(0, 16).replace("T", " "),
        paint(style, [paints[status]], pad(status, 9)),
        lasting(durationMs).padStart(8),
        cell(backend, 12),
        cell(taskId ?? "", taskWidth),
        cell(objective, room)
      ]
        .join("  ")
        .trimEnd()
    })
    .join("\n")
}

export interface CycleResult {
  readonly outcomes: number
  readonly since: string
  /** `isNew` is true if the project's log did not have the finding. */
  readonly findings: ReadonlyArray<ReflectionFinding & { readonly isNew: boolean }>
  /** A model's analysis of new findings. Null if no model was asked. */
  readonly analysis: Analysis | null
  readonly mutations: ReadonlyArray<Mutation>
  /** What a model said in earlier runs, about findings that were already analysed. */
  readonly earlier: ReadonlyArray<{ readonly at: string; readonly observations: string }>
}

const indented = (style: TerminalStyle, text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => wrap(oneLine(line), style.width - 2).map((part) => `  ${part}`.trimEnd()))

const minute = (at: string): string => oneLine(at).slice(0, 16).replace("T", " ")

export const cycled = (style: TerminalStyle, result: CycleResult): string => {
  const { analysis, earlier, findings, mutations, outcomes, since } = result
  const over = `${counted(outcomes, "outcome")} since ${minute(since)}`
  const title = (text: string, more = ""): string => paint(style, ["bold"], text) + paint(style, ["dim"], more)
  const model = analysis?.model == null ? "" : ` by ${oneLine(analysis.model)}`
  const changes = (analysis?.actions ?? []).map(
    ({ change, target }) => `- ${target === null ? "" : `${target}: `}${change}`
  )
  return [
    findings.length === 0 ? `no finding in ${over}` : `${title(counted(findings.length, "finding"))} in ${over}`,
    ...findings.flatMap(({ actionTaken, detail, isNew, rule, subjectId, subjectType }) => {
      const subject = `${subjectType === "sub_session" ? "session" : subjectType} ${oneLine(subjectId.slice(0, 400))}`
      return [
        "",
        `${paint(style, ["bold", "yellow"], rule.replaceAll("_", " "))}  ${subject}${isNew ? "" : title("", "  known")}`,
        ...indented(style, detail),
        ...(actionTaken === null ? [] : indented(style, `Done: ${actionTaken}`))
      ]
    }),
    ...earlier.flatMap(({ at, observations }) => [
      "",
      title("Analysis", `  known since ${minute(at)}`),
      ...indented(style, observations)
    ]),
    ...(analysis === null ? [] : ["", title(`Analysis${model}`), ...indented(style, analysis.observations)]),
    ...(changes.length === 0 ? [] : ["", ...changes.flatMap((one) => indented(style, one))]),
    ...mutations.map(({ kind, reference }) => `  ${kind}: ${oneLine(reference)}`)
  ].join("\n")
}
