/** How hosts and services say that a context window is full. */
import { type Row, row, takes } from "../../ground/text/Rows.ts"

const refusals: ReadonlyArray<Row> = [
  row(
    "context",
    /context[_ ](?:window|length|limit)|maximum context|out of (?:room|space) in .{0,40}context/i,
    "maximum context length is 200000 tokens",
    "the context of the error"
  ),
  row(
    "too long|maximum|reduce",
    /(?:prompt|input|request|conversation) is too long|maximum (?:prompt|input|number of tokens)|reduce the length of/i,
    "prompt is too long: 210000 tokens",
    "the line is too long"
  ),
  row(
    "token|exceed",
    /too many (?:input )?tokens|token (?:limit|count) .{0,40}exceed|exceeds? .{0,60}(?:token|context)/i,
    "the input exceeds the limit of 8192 tokens",
    "too many requests"
  )
]

const maxError = 500

/** Whether a text that a host gives refuses a full context window. */
export const refusesContext = (text: string): boolean => takes(refusals, text.slice(0, maxError))
