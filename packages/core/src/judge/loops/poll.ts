/**
 * Whether a call looks at what moves by itself, whatever the program is called: the user said to wait, its result says
 * that something is under way, or time was let pass since the one before.
 */
import type { ToolCall } from "../../session/transcript/Transcript.ts"
import { matchesAny } from "../../ground/text/Text.ts"
import { saysEnded, saysUnderWay, saysWrong } from "../../session/output/ProgressWords.ts"
import { asksSame, type Asked } from "./Fingerprint.ts"
import type { Nature } from "./command.ts"
import type { CallKind, Entry } from "./model.ts"

/** An order to wait or to watch; "run it until it passes" and "tell me when you are done" are none. */
const waiting: ReadonlyArray<RegExp> = [
  /(?:^|[.,;:!?(\n] {0,3}|\b(?:and|then|please|to|just|you|or|must|should|now) )(?:wait|monitor|poll|watch|track|tail|keep (?:an eye|\w{4,7}ing))\b(?! (?:out|mode|flag|option|component|task|script)\b)/i,
  /\b(?:until|till)\b(?![^.!?\n]{0,60}\b(?:pass(?:es|ing)?|works?|compiles?|fixed)\b)/i,
  /\b(?:report|tell me|know|notify|ping)\b[^.!?]{0,40}\b(?:when|once|as soon as|after) (?!you)[^.!?]{0,60}\b(?:done|finish\w*|completed?|ready|healthy|up|end(?:s|ed)|over|through|live)\b/i,
  /\b(?:when|once|as soon as|after) (?!you)[^.!?]{0,60}\b(?:done|finish\w*|completed?|ready|healthy|up|end(?:s|ed)|over|through|live)\b[^.!?]{0,40}\b(?:report|tell me|know|notify|ping)\b/i,
  /\b(?:start|submit|launch|trigger|kick off|deploy|run|queue|schedule|dispatch|train)\b[^.!?\n]{0,80}\b(?:and|then)\b[^.!?\n]{0,20}\b(?:report|tell me|let me know|notify|show me)\b/i,
  /\b(?:warte[nt]?|überwache|beobachte)\b/i,
  /\b(?:attend(?:s|ez|re)|surveille[rz]?)\b/i,
  /\b(?:espera|vigila)\b/i,
  /待って|待つ|等待|等到|监控/
]

const maxTask = 4000
const maxNudge = 60

/** Whether the user's words are to wait for something; a short word leaves it at what was said before. */
export const waitsFor = (text: string, before: boolean): boolean =>
  matchesAny(waiting, text.slice(0, maxTask)) || (before && text.length <= maxNudge)

const seconds = (at: string | null): number | null => {
  const time = at === null ? Number.NaN : Date.parse(at)
  return Number.isNaN(time) ? null : Math.floor(time / 1000)
}

/** When the call was over, as far as the host says. */
export const endOf = ({ at, endedAt }: ToolCall): number | null => seconds(endedAt) ?? seconds(at)

const maxIdle = 1_000_000

/** The seconds in which nothing ran before the call, null where the host has no times. */
export const idleBefore = ({ at }: ToolCall, ended: number | null): number | null => {
  const begun = seconds(at)
  return begun === null || ended === null ? null : Math.max(0, Math.min(maxIdle, begun - ended))
}

/** Whether one of the last calls asked the same, and the same came of it. */
export const isKnown = (recent: ReadonlyArray<Entry>, asked: Asked, result: number | null): boolean => {
  for (const other of recent) if (other.result === result && result !== null && asksSame(other, asked)) return true
  return false
}

const minIdle = 20
const maxBetween = 3

/** Whether time was let pass since the same was asked, and nothing was done that it could be asked for. */
const isSpaced = (recent: ReadonlyArray<Entry>, asked: Asked, idle: number | null): boolean => {
  const last = recent.slice(-maxBetween)
  const before = last.findLastIndex((other) => asksSame(other, asked))
  const between = last.slice(before + 1)
  return (
    before >= 0 &&
    between.every(({ kind }) => kind !== "act" && kind !== "change") &&
    [idle, ...between.map((other) => other.idle)].some((gap) => (gap ?? 0) >= minIdle)
  )
}

export interface Polled {
  readonly recent: ReadonlyArray<Entry>
  /** Whether the task is to wait. */
  readonly waits: boolean
  readonly asked: Asked & Pick<Entry, "result">
  readonly nature: Nature
  readonly failed: boolean
  readonly idle: number | null
}

/**
 * What kind of call it is where it stands. What follows a wait is a look at what was waited for; what has ended does not
 * move any more, and whoever looks at it again the same sees nothing new.
 */
export const kindWithin = ({ asked, failed, idle, nature, recent, waits }: Polled, output: string): CallKind => {
  const { check, kind, local } = nature
  const before = recent.at(-1)
  if (nature.ends !== null && isKnown(recent, asked, asked.result) && saysEnded(output, nature.ends))
    return kind === "watch" && before?.kind !== "wait" && !isSpaced(recent, asked, idle) ? "look" : "probe"
  if (kind !== "look" && kind !== "run" && kind !== "watch") return kind
  if (before?.kind === "wait" && !asksSame(before, asked)) return "watch"
  if (check) return kind
  const spaced = isSpaced(recent, asked, idle)
  if (local) return waits && spaced ? "wait" : kind
  if (saysUnderWay(output, kind === "look")) return spaced ? "wait" : "watch"
  // A program that crashes does so whenever it is started; a file that is not there may come.
  if (failed && kind === "run") return kind
  if (spaced) return kind === "watch" && !waits && saysWrong(output) ? "watch" : "wait"
  if (waits) return "watch"
  return failed && kind === "watch" ? "probe" : kind
}
