/** How hosts and services say that a context window is full. */
import { matchesAny } from "../../base/text/Text.ts"

const refusals: ReadonlyArray<RegExp> = [
  /context[_ ](?:window|length|limit)|maximum context|out of (?:room|space) in .{0,40}context/i,
  /(?:prompt|input|request|conversation) is too long|maximum (?:prompt|input|number of tokens)|reduce the length of/i,
  /too many (?:input )?tokens|token (?:limit|count) .{0,40}exceed|exceeds? .{0,60}(?:token|context)/i
]

const maxError = 500

/** Whether a text that a host gives refuses a full context window. */
export const refusesContext = (text: string): boolean => matchesAny(refusals, text.slice(0, maxError))
