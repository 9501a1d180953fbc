/** The view `stuck`: what a silent session is doing, and its loops. */
import type { Loop } from "@reflexion/core/internal/judge/loops/Loops"
import * as StuckAssessment from "@reflexion/core/StuckAssessment"
import * as Schema from "effect/Schema"
import * as ExitCode from "../process/ExitCode.ts"
import { clean, clip, counted, firstLines, oneLine, pad, width, wrap } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import { paint, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"
import { marked } from "./marked.ts"
import type { SessionView } from "./views.ts"

type Assessed = StuckAssessment.DecidedAssessment & { readonly lastAt: string | null }

const { genuinely_stuck, ...others }: Readonly<Record<StuckAssessment.Reason, Sheet.Look>> = {
  genuinely_stuck: { label: "STUCK", symbol: "failed", paint: "red" },
  waiting_for_user: { label: "WAITING FOR YOU", symbol: "unknown", paint: "cyan" },
  working: { label: "WORKING", symbol: "waiting", paint: "blue" },
  complete: { label: "DONE", symbol: "passed", paint: "green" }
}

const looks = { genuinely_stuck, looping: { ...genuinely_stuck, label: "LOOPING" }, ...others } as const

const units = [
  [86_400, "day", 3600, "h"],
  [3600, "h", 60, "min"],
  [60, "min", 1, "s"]
] as const

/** Formats a duration with its two largest units. */
const lasting = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const unit = units.find(([size]) => whole >= size)
  if (unit === undefined) return whole === 0 ? "less than a second" : `${whole} s`
  const [size, name, smaller, rest] = unit
  const count = Math.floor(whole / size)
  const more = Math.floor((whole % size) / smaller)
  const great = name === "day" ? counted(count, name) : `${count} ${name}`
  return more === 0 || (name === "day" && count >= 10) ? great : `${great} ${more} ${rest}`
}

const state = (style: TerminalStyle, { assessment, decided }: Assessed): ReadonlyArray<string> => {
  const { confidence, loops, reason, shouldNudge, silence, source, stuck } = assessment
  const loop = loops.length === 0 ? "" : stuck ? "in a loop" : "but in a loop"
  const shown = [
    Sheet.badge(style, looks[reason]),
    silence === null ? "its record has no times" : `silent for ${lasting(silence)}`,
    paint(style, ["red", "bold"], loop)
  ].filter((part) => part !== "")
  const line = shown.join("  ")
  const notes = [
    decided ? `by ${source}` : `the ${source} does not decide, so the session counts as working`,
    `confidence ${Sheet.percent(confidence)}`,
    shouldNudge ? "the agent would be nudged" : "the agent would not be nudged"
  ]
  const head = width(clean(line)) <= Sheet.body(style) ? [line] : shown
  return [...head, ...Sheet.facts(style, notes, Sheet.body(style))]
}

const rounds: Readonly<Record<Loop["pattern"], (loop: Loop) => string>> = {
  planning: ({ count }) => `planning: the last ${count} calls only read, and hardly anything was written`,
  action: ({ count, period }) =>
    `action: ${period === 1 ? "a call made" : `${period} calls made up to`} ${counted(count, "time")}, with nothing new in between`,
  same_result: ({ count }) =>
    `same result: a call made ${counted(count, "time")} in a row, always with the same result`,
  failing_call: ({ count }) => `failing call: it failed ${counted(count, "time")} in a row, always in the same way`,
  cycle: ({ count, period }) => `cycle: the same ${period} calls ${count} times over, always with the same results`,
  monologue: ({ count }) => `monologue: the same text ${counted(count, "time")}`
}

const loopLines = (style: TerminalStyle, loop: Loop): ReadonlyArray<string> => {
  const { ellipsis } = symbols
  const column = Math.min(16, Math.max(0, ...loop.calls.map(({ tool }) => width(oneLine(tool)))))
  const to = Math.max(1, Sheet.body(style) - column - 6)
  return [
    ...marked(style, ["failed", "red"], rounds[loop.pattern](loop)),
    ...loop.calls.flatMap(({ summary, tool }) => {
      const name = paint(style, ["dim"], pad(clip(oneLine(tool), column, ellipsis), column))
      const lines = firstLines(wrap(oneLine(summary), to), { count: 2, to, mark: ellipsis })
      return lines.map((line, at) => (at === 0 ? `    ${name}  ${line}` : " ".repeat(column + 6) + line))
    })
  ]
}

/** Leaves out a loop of pattern "action" if an earlier loop already has its calls. */
const distinct = (loops: ReadonlyArray<Loop>): ReadonlyArray<Loop> =>
  loops.filter(({ calls, pattern }, at) => {
    const isIn = (loop: Loop): boolean =>
      calls.every((one) => loop.calls.some(({ summary, tool }) => tool === one.tool && summary === one.summary))
    return pattern !== "action" || !loops.slice(0, at).some(isIn)
  })

const encode = Schema.encodeSync(StuckAssessment.Assessment)

export const view: SessionView<StuckAssessment.StuckState, Assessed, keyof typeof looks> = {
  doing: "assessing",
  done: "assessed",
  turns: {
    initial: StuckAssessment.initial,
    step: StuckAssessment.step,
    judgment: ({ judgment }) => judgment,
    show: ({ options, state }) => ({ ...StuckAssessment.assess(state, options), lastAt: state.judgment.stop.lastAt })
  },
  record: ({ assessment }) => encode(assessment),
  parts: (style, shown) => [
    Sheet.heading(style, { ...shown.assessment, lastAt: shown.lastAt }),
    Sheet.section(style, "State", state(style, shown)),
    Sheet.items(style, "Evidence", shown.assessment.evidence),
    Sheet.section(
      style,
      "Loops",
      distinct(shown.assessment.loops).flatMap((one) => loopLines(style, one))
    ),
    Sheet.section(
      style,
      "Nudge",
      Sheet.quotation(style, shown.assessment.nudge, { bar: "yellow", none: "nothing to say to the agent" })
    )
  ],
  looks,
  lookOf: ({ assessment: { loops, reason, stuck } }) => (loops.length > 0 && !stuck ? "looping" : reason),
  code: ({ assessment }) => ExitCode.ofAssessment(assessment)
}
