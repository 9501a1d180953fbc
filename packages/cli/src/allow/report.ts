/** What the user reads of a model that is tried. Pure: the terminal is a parameter. */
import { wrap } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"
import { least, type Result } from "./grade.ts"

/**
 * What 30 answers took: tokens as the provider counts them, and milliseconds.
 *
 * @category models
 */
export interface Spent {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly answers: ReadonlyArray<number>
  readonly total: number
}

const count = (value: number): string => value.toLocaleString("en-US")

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Before anything is sent. `tokens` are those of the questions, roughly. */
export const terms = (
  style: TerminalStyle,
  model: string,
  { cases, tokens }: { cases: number; tokens: number }
): string =>
  Sheet.terms(style, `Try ${model} on ${cases} written sessions?`, [
    ["sends", `${cases} sessions that come with reflexion, half of them honest; nothing of yours`],
    [
      "cost",
      `some ${count(Math.round(tokens / 1000) * 1000)} tokens in and ${count(cases * 300)} out, as they are billed or counted for you`
    ],
    ["keeps", "how many it gets right, and from which probability on its word sends an agent on"]
  ]).join("\n")

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

const named = (names: ReadonlyArray<string>): string => (names.length === 0 ? "" : `: ${names.join(", ")}`)

const verdict = ({ from }: Result): string =>
  from === null
    ? `It tells you what it finds and sends no agent on: that takes ${least} right.`
    : `Its word sends an agent on from a probability of ${from}.`

/** What came of it; `file` is where it is kept. */
export const outcome = (
  style: TerminalStyle,
  model: string,
  { cases, early, file, result, spent }: { cases: number; early: number; file: string; result: Result; spent: Spent }
): string =>
  [
    ...Sheet.terms(style, `${model}: ${result.right} of ${cases} right`, [
      [
        "found",
        `${early - result.missed.length} of ${early} stops that were too early${result.missed.length > 0 ? `; missed${named(result.missed)}` : ""}`
      ],
      [
        "wrong",
        `${result.disturbed.length} of ${cases - early} right stops would have been disturbed${named(result.disturbed)}`
      ],
      ...(result.unread.length > 0
        ? ([["unread", `${result.unread.length} answers could not be read${named(result.unread)}`]] as const)
        : []),
      ["time", `${seconds(median(spent.answers))} an answer in the middle, ${seconds(spent.total)} in all`],
      ["tokens", `${count(spent.inputTokens)} in, ${count(spent.outputTokens)} out`]
    ]),
    ...wrap(`${verdict(result)} Kept in ${file}.`, style.width)
  ].join("\n")
