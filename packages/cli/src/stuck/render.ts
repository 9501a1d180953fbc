/** What a session is doing, as a person would want to read it. Pure: the terminal is a parameter. */
import type { Loop } from "@reflexion/core/internal/judge/loops/Loops"
import type { Assessment, Reason } from "@reflexion/core/StuckAssessment"
import { clean, clip, firstLines, oneLine, pad, width, wrap } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import type { Assessed } from "./fold.ts"
import { paint, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"

/**
 * An assessment and where it comes from.
 *
 * @category models
 */
export interface Entry extends Assessed {
  readonly file: string
}

const reasons: Readonly<Record<Reason, Sheet.Look>> = {
  genuinely_stuck: { label: "STUCK", symbol: "failed", paint: "red" },
  waiting_for_user: { label: "WAITING FOR YOU", symbol: "unknown", paint: "cyan" },
  working: { label: "WORKING", symbol: "waiting", paint: "blue" },
  complete: { label: "DONE", symbol: "passed", paint: "green" }
}

const looping: Sheet.Look = { label: "LOOPING", symbol: "failed", paint: "red" }

const units = [
  [86_400, "day", 3600, "h"],
  [3600, "h", 60, "min"],
  [60, "min", 1, "s"]
] as const

/** The two greatest units tell enough. */
const lasting = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const unit = units.find(([size]) => whole >= size)
  if (unit === undefined) return whole === 0 ? "less than a second" : `${whole} s`
  const [size, name, smaller, rest] = unit
  const count = Math.floor(whole / size)
  const more = Math.floor((whole % size) / smaller)
  const great = `${count} ${name}${name === "day" && count > 1 ? "s" : ""}`
  return more === 0 || (name === "day" && count >= 10) ? great : `${great} ${more} ${rest}`
}

const silenceOf = ({ silence }: Assessment): string =>
  silence === null ? "its record has no times" : `silent for ${lasting(silence)}`

/** On one line if it fits. */
const headline = (style: TerminalStyle, { assessment }: Entry): ReadonlyArray<string> => {
  const { loops, reason, stuck } = assessment
  const loop = loops.length === 0 ? "" : stuck ? "in a loop" : "but in a loop"
  const parts = [Sheet.badge(style, reasons[reason]), silenceOf(assessment), paint(style, ["red", "bold"], loop)]
  const shown = parts.filter((part) => part !== "")
  const line = shown.join("  ")
  return width(clean(line)) <= Sheet.body(style) ? [line] : shown
}

const state = (style: TerminalStyle, entry: Entry): ReadonlyArray<string> => {
  const { confidence, shouldNudge, source } = entry.assessment
  const notes = [
    entry.decided ? `by ${source}` : `the ${source} does not decide it: taken for work`,
    `confidence ${Sheet.percent(confidence)}`,
    shouldNudge ? "the agent would be nudged" : "the agent would be left alone"
  ]
  return Sheet.section(style, "State", [...headline(style, entry), ...Sheet.facts(style, notes, Sheet.body(style))])
}

const times = (count: number): string => `${count} time${count === 1 ? "" : "s"}`

const rounds: Readonly<Record<Loop["pattern"], (loop: Loop) => string>> = {
  planning: ({ count }) => `planning: the last ${count} calls only look around, and hardly anything was written`,
  action: ({ count, period }) =>
    `action: ${period === 1 ? "a call made" : `${period} calls made up to`} ${times(count)}, with nothing new in between`,
  same_result: ({ count }) => `same result: a call made ${times(count)} in a row, always with the same result`,
  failing_call: ({ count }) => `failing call: it failed ${times(count)} in a row, always in the same way`,
  cycle: ({ count, period }) => `cycle: ${period} calls in turns, ${count} rounds, always with the same results`,
  monologue: ({ count }) => `monologue: the same words ${times(count)}`
}

type Call = Loop["calls"][number]

const shownLines = 2

const call =
  (style: TerminalStyle, column: number) =>
  ({ summary, tool }: Call): ReadonlyArray<string> => {
    const { ellipsis } = symbols(style)
    const name = pad(clip(oneLine(tool), column, ellipsis), column)
    const to = Math.max(1, Sheet.body(style) - column - 6)
    const lines = firstLines(wrap(oneLine(summary), to), { count: shownLines, to, mark: ellipsis })
    return [
      `    ${paint(style, ["dim"], name)}  ${lines[0] ?? ""}`,
      ...lines.slice(1).map((line) => " ".repeat(column + 6) + line)
    ]
  }

const maxColumn = 16

const loop =
  (style: TerminalStyle) =>
  (one: Loop): ReadonlyArray<string> => {
    const { failed } = symbols(style)
    const column = Math.min(maxColumn, Math.max(0, ...one.calls.map(({ tool }) => width(oneLine(tool)))))
    const head = wrap(rounds[one.pattern](one), Sheet.body(style) - 2)
    return [
      ...head.map((line, index) => (index === 0 ? `${paint(style, ["red", "bold"], failed)} ${line}` : `  ${line}`)),
      ...one.calls.flatMap(call(style, column))
    ]
  }

const isIn = (loop: Loop, { summary, tool }: Call): boolean =>
  loop.calls.some((other) => other.tool === tool && other.summary === summary)

/** That calls which go round are made often needs no second telling. */
const distinct = (loops: ReadonlyArray<Loop>): ReadonlyArray<Loop> =>
  loops.filter(
    (one, at) =>
      one.pattern !== "action" || !loops.slice(0, at).some((before) => one.calls.every((call) => isIn(before, call)))
  )

/**
 * Everything about one assessment, as lines that fit the terminal.
 *
 * @category rendering
 */
export const detail = (style: TerminalStyle, entry: Entry): string => {
  const { assessment, file, lastAt } = entry
  const nudge = Sheet.quotation(style, assessment.nudge, { bar: "yellow", none: "nothing to say to the agent" })
  const parts = Sheet.blocks([
    Sheet.heading(style, { ...assessment, lastAt }),
    state(style, entry),
    Sheet.items(style, "Evidence", assessment.evidence),
    Sheet.section(style, "Loops", distinct(assessment.loops).flatMap(loop(style))),
    Sheet.section(style, "Nudge", nudge)
  ])
  return `${paint(style, ["bold"], Sheet.title(style, file, style.width))}\n${parts}`
}

const keyOf = ({ assessment }: Assessed): Reason | "looping" =>
  assessment.loops.length > 0 && !assessment.stuck ? "looping" : assessment.reason

const { genuinely_stuck, ...others } = reasons

/**
 * What several sessions are doing, counted.
 *
 * @category rendering
 */
export const summary = (
  style: TerminalStyle,
  counts: { readonly values: ReadonlyArray<Assessed>; readonly failed: number }
): string =>
  Sheet.tally(
    style,
    { genuinely_stuck, looping, ...others },
    { values: counts.values.map(keyOf), failed: counts.failed, done: "assessed" }
  )
