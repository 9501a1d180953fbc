/** The figures that commands print, for those that a report gives of them. */
import * as Schema from "effect/Schema"
import { type ToolKind, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

/** A number with a unit, and the call that printed it last. */
export const Figure = Schema.Struct({ value: Schema.Number, order: Schema.Number })

export type Figure = typeof Figure.Type

const figure =
  /(?<![\w.])(\d{1,9}(?:[.,]\d{1,6})?) ?(?:%|ns|µs|us|ms|s|sec|seconds?|[KMG]i?B|bytes|B|ops|op|req|requests|rps|qps|allocs|x|×)(?![\p{L}\d])/gu

/** What these print is what was written, or what somebody said. */
const repeated: ReadonlySet<ToolKind> = new Set(["edit", "todo", "question", "plan"])

const maxOfCall = 48
const maxKept = 160

/** The numbers with a unit that a text has, the last of them. */
export const figuresIn = (text: string): ReadonlyArray<number> =>
  [...text.slice(-6000).matchAll(figure)].slice(-maxOfCall).map((match) => Number((match[1] ?? "").replace(",", ".")))

export const afterFigures = (figures: ReadonlyArray<Figure>, call: ToolCall, order: number): ReadonlyArray<Figure> => {
  if (repeated.has(toolKind(call.tool)) || call.output === null) return figures
  const added = figuresIn(call.output ?? "")
  return added.length === 0
    ? figures
    : [...figures, ...[...new Set(added)].map((value) => ({ value, order }))].slice(-maxKept)
}
