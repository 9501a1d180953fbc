/** Loops of words: the same message again and again, the same sentence within one, and refusals of a full context. */
import type { AssistantMessage, Notice } from "../Transcript.ts"
import { redact } from "../Redaction.ts"
import { guarded } from "./guarded.ts"
import type { Streak } from "./loopsSchema.ts"
import { resultPrint } from "./loopText.ts"
import { oneLine, tail } from "./text.ts"

export const none: Streak = { print: 0, count: 0, text: "" }

const said = (text: string): string => oneLine(redact(text.slice(0, 1000)), 120)

/** One more of the same, or the first of something else. */
export const extend = (before: Streak, print: number, text: () => string): Streak =>
  before.count > 0 && before.print === print
    ? { ...before, count: before.count + 1 }
    : { print, count: 1, text: text() }

export const message = (before: Streak, text: string): Streak =>
  extend(before, resultPrint(text, false), () => said(text))

const maxChant = 2400
const maxPeriod = 300

/** Of a text read backwards, the lengths of the beginnings that are also its ends: what Knuth, Morris and Pratt count. */
const borders = (text: string): Uint16Array => {
  const found = new Uint16Array(text.length)
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = found[length - 1] ?? 0
    if (text.charCodeAt(at) === text.charCodeAt(length)) length++
    found[at] = length
  }
  return found
}

const reversed = (text: string): string => {
  let out = ""
  for (let at = text.length - 1; at >= 0; at--) out += text.charAt(at)
  return out
}

/** Enough letters to be words: rules, tables and drawings repeat themselves by nature. */
const isSpeech = (round: string): boolean => {
  const letters = round.match(/\p{L}/gu) ?? []
  return letters.length >= 8 && new Set(letters).size >= 4 && letters.length * 2 >= round.length
}

const minChant = 240
const minRounds = 6

/** What a message says over and over at its end. Counters in it do not matter. */
export const chant = (text: string): Streak => {
  if (text.length < minChant) return none
  const end = tail(text.trimEnd(), maxChant)
    .replaceAll(/\d{1,9}/g, "0")
    .replaceAll(/\s{1,200}/g, " ")
  const back = reversed(end)
  const known = borders(back)
  for (let length = back.length; length >= minChant; length--) {
    const period = length - (known[length - 1] ?? 0)
    const rounds = Math.floor(length / period)
    if (period > maxPeriod || rounds < minRounds) continue
    const round = end.slice(-period)
    return isSpeech(round) ? { print: 0, count: rounds, text: said(round) } : none
  }
  return none
}

const fullContext = guarded(
  "context|prompt|token|input|conversation|length",
  () =>
    /prompt is too long|(?:input|request|conversation) is too long|context[_ ](?:window|length|limit)|maximum (?:context|prompt|input|number of tokens)|context_length_exceeded|too many (?:input )?tokens|token (?:limit|count) .{0,40}exceed|exceeds? .{0,60}(?:token|context)|out of (?:room|space) in .{0,40}context|reduce the length of/i
)

const maxError = 500

/** Whether a text that a host gives, or prints in the agent's place, refuses a full context window. */
const refuses = (text: string): boolean => fullContext.test(text.slice(0, maxError))

const refusal = 1
const compaction = 2

/** A compaction between two refusals has not helped; one after another compaction does not, either. */
export const onNotice = (before: Streak, { detail, kind }: Notice): Streak => {
  if (kind === "compacted")
    return before.count > 0 && before.print === refusal
      ? before
      : extend(before, compaction, () => "the context was compacted")
  const refused = (kind === "api_error" || kind === "rate_limited") && detail !== null && refuses(detail)
  return refused ? extend(before, refusal, () => said(detail)) : before
}

const errorWords = guarded(
  "error|too long|exceed|limit|full",
  () => /^(?:api |\w{0,20} ?)?error\b|^prompt is too long|^(?:\d{3} )?.{0,80}(?:too long|exceed)/i
)

/** The refusal that a host prints in the agent's place, null for the agent's own words. */
export const onMessage = (before: Streak, { text }: AssistantMessage): Streak | null => {
  const start = text.trim()
  if (start.length > maxError || !refuses(start) || !errorWords.test(start.slice(0, 200))) return null
  return extend(before, refusal, () => said(start))
}
