/** What the commands over outcomes show to read. Pure: the terminal is a parameter. */
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import type { Mutation } from "@reflexion/core/Mutator"
import type { Analysis } from "@reflexion/core/ReflectionAnalysis"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import { clip, counted, oneLine, pad, width, wrap } from "../terminal/Layout.ts"
import { type Paint, paint, type TerminalStyle } from "../terminal/TerminalStyle.ts"

const paints: Readonly<Record<AttemptOutcome["status"], Paint>> = {
  completed: "green",
  failed: "red",
  timeout: "yellow"
}

const seconds = (millis: number): string =>
  millis < 10_000 ? `${Math.round(millis / 100) / 10} s` : `${Math.round(millis / 1000)} s`

const row = (style: TerminalStyle, taskWidth: number, outcome: AttemptOutcome): string => {
  const { at, backend, durationMs, objective, status, taskId } = outcome
  const head = [
    `${at.slice(0, 16).replace("T", " ")}`,
    paint(style, [paints[status]], pad(status, 9)),
    seconds(durationMs).padStart(7),
    pad(clip(oneLine(backend.slice(0, 60)), 12, "…"), 12),
    pad(clip(oneLine((taskId ?? "").slice(0, 100)), taskWidth, "…"), taskWidth)
  ].join("  ")
  const room = Math.max(20, style.width - (16 + 9 + 7 + 12 + taskWidth + 10))
  return `${head}  ${clip(oneLine(objective.slice(0, 400)), room, "…")}`.trimEnd()
}

const widestTask = 24

/**
 * Oldest first, one a line.
 *
 * @category rendering
 */
export const list = (style: TerminalStyle, outcomes: ReadonlyArray<AttemptOutcome>, path: string): string => {
  if (outcomes.length === 0)
    return `no such outcome in ${path}: the hosts add one for each attempt, \`reflexion outcomes add\` adds those of other programs`
  const taskWidth = Math.min(widestTask, Math.max(0, ...outcomes.map(({ taskId }) => width(taskId ?? ""))))
  return outcomes.map((outcome) => row(style, taskWidth, outcome)).join("\n")
}

/**
 * What a run of the cycle came to. `isNew`: of the findings, which the project's log did not have; `earlier`: what a model said of the others when they were analysed.
 *
 * @category models
 */
export interface Cycled {
  readonly outcomes: number
  readonly since: string
  readonly findings: ReadonlyArray<ReflectionFinding & { readonly isNew: boolean }>
  readonly analysis: Analysis | null
  readonly mutations: ReadonlyArray<Mutation>
  readonly earlier: ReadonlyArray<{ readonly at: string; readonly observations: string }>
}

const indented = (style: TerminalStyle, text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => wrap(oneLine(line), style.width - 2).map((part) => `  ${part}`.trimEnd()))

const subjects: Readonly<Record<ReflectionFinding["subjectType"], string>> = {
  task: "task",
  skill: "skill",
  sub_session: "session"
}

const minute = (at: string): string => oneLine(at).slice(0, 16).replace("T", " ")

const findingLines = (style: TerminalStyle, finding: Cycled["findings"][number]): ReadonlyArray<string> => {
  const { actionTaken, detail, isNew, rule, subjectId, subjectType } = finding
  const head = `${paint(style, ["bold", "yellow"], rule.replaceAll("_", " "))}  ${subjects[subjectType]} ${oneLine(subjectId.slice(0, 400))}${isNew ? "" : paint(style, ["dim"], "  known")}`
  return [
    "",
    head,
    ...indented(style, detail),
    ...(actionTaken === null ? [] : indented(style, `Done: ${actionTaken}`))
  ]
}

const analysisLines = (style: TerminalStyle, { analysis, mutations }: Cycled): ReadonlyArray<string> => {
  if (analysis === null) return []
  const { actions, model, observations } = analysis
  const head = paint(style, ["bold"], `Analysis${model === null ? "" : ` by ${oneLine(model)}`}`)
  const changes = actions.flatMap(({ change, target }) =>
    indented(style, `- ${target === null ? "" : `${target}: `}${change}`)
  )
  const left = mutations.map(({ kind, reference }) => `  ${kind}: ${oneLine(reference)}`)
  return ["", head, ...indented(style, observations), ...(changes.length === 0 ? [] : ["", ...changes]), ...left]
}

const earlierLines = (style: TerminalStyle, { at, observations }: Cycled["earlier"][number]): ReadonlyArray<string> => [
  "",
  `${paint(style, ["bold"], "Analysis")}${paint(style, ["dim"], `  known since ${minute(at)}`)}`,
  ...indented(style, observations)
]

export const cycled = (style: TerminalStyle, report: Cycled): string => {
  const { findings, outcomes, since } = report
  const over = `${counted(outcomes, "outcome")} since ${since.slice(0, 16).replace("T", " ")}`
  const head =
    findings.length === 0
      ? `nothing found in ${over}`
      : `${paint(style, ["bold"], counted(findings.length, "finding"))} in ${over}`
  return [
    head,
    ...findings.flatMap((finding) => findingLines(style, finding)),
    ...report.earlier.flatMap((one) => earlierLines(style, one)),
    ...analysisLines(style, report)
  ].join("\n")
}
