/**
 * Whether a call looks at what moves by itself, whatever the program is called: the user said to wait, its result says
 * that something is under way, or time was let pass since the one before.
 */
import type { ToolCall } from "../Transcript.ts"
import { guarded } from "./guarded.ts"
import { asksSame, type Asked, type Nature } from "./loopPrint.ts"
import type { CallKind, Entry } from "./loopsSchema.ts"

/** An order to wait or to watch; "run it until it passes" and "tell me when you are done" are none. */
const waitingTask = guarded(
  "wait|monitor|poll|watch|babysit|track|tail|keep|until|till|when|once|soon|after|report|tell|let me know|notify|show|warte|überwach|beobacht|attend|surveill|esper|vigil|aspett|待|等|监控|ж|ле",
  () =>
    new RegExp(
      [
        "(?:^|[.,;:!?()\\n–—-]|\\b(?:and|then|please|to|just|you|or|must|should|now))\\s{0,3}(?:wait|monitor|poll|watch|babysit|track|tail|keep (?:an eye|watching|checking|polling|monitoring))\\b(?! (?:out|mode|flag|option|component|task|script)\\b)",
        "\\b(?:until|till)\\b(?![^.!?\\n]{0,60}\\b(?:pass(?:es|ing)?|works?|compiles?|fixed)\\b)",
        "\\b(?:report|tell me|let me know|notify|ping)\\b[^.!?\\n]{0,40}\\b(?:when|once|as soon as|after)\\b (?!you\\b|you're\\b)[^.!?\\n]{0,60}\\b(?:done|finish\\w{0,3}|complete[sd]?|ready|up|healthy|ends?|ended|over|through|live|available|succeed\\w{0,3})\\b",
        "\\b(?:when|once|as soon as|after)\\b (?!you\\b|you're\\b)[^.!?\\n]{0,60}\\b(?:done|finish\\w{0,3}|complete[sd]?|ready|up|healthy|ends?|ended|over|through|live|available|succeed\\w{0,3})\\b[^.!?\\n]{0,40}\\b(?:report|tell me|let me know|notify|ping)\\b",
        "\\b(?:start|submit|launch|trigger|kick off|deploy|run|queue|schedule|dispatch|train)\\b[^.!?\\n]{0,80}\\b(?:and|then)\\b[^.!?\\n]{0,20}\\b(?:report|tell me|let me know|notify|show me)\\b",
        "\\b(?:warte[nt]?|überwache|beobachte|attend(?:s|ez|re)|surveille[rz]?|esper[ae]|vigila|aspetta)\\b|待って|待つ|等待|等到|监控|подожди|дождись|следи"
      ].join("|"),
      "i"
    )
)

const maxTask = 4000
const maxNudge = 60

/** Whether the user's words are to wait for something; a short word leaves it at what was said before. */
export const waitsFor = (text: string, before: boolean): boolean =>
  waitingTask.test(text.slice(0, maxTask)) || (before && text.length <= maxNudge)

const underWay =
  /(?<![a-z])(?:pending|queued|enqueued|in[ _-]?progress|still running|not (?:yet |been )?(?:ready|finished|done|completed?|available|started))(?![a-z])/i
const moving =
  /(?<![a-z])(?:running|waiting|starting|provisioning|building|creating|deploying|updating|processing|initiali[sz]ing|scheduled|submitted|uploading|syncing|progressing)(?![a-z])/i
const over =
  /(?<!not )(?<!not yet )\b(?:errors?|fail(?:ed|ures?|s)?|exception|traceback|passed|refused|denied|not found|no such|cannot|invalid|done|finished|succe(?:eded|ss))\b(?!["']?\s{0,2}[:=]\s{0,2}0\b)/i

const maxState = 300
const maxReport = 2000

/** Whether a result is the state of something that is not through; what is read out of a file is no state. */
const saysUnderWay = (output: string, kind: CallKind): boolean => {
  const most = kind === "look" ? maxState : maxReport
  if (output.length === 0 || output.length > most || over.test(output)) return false
  return underWay.test(output) || (output.length <= maxState && moving.test(output))
}

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

const minIdle = 20
const maxBetween = 3

/** Whether time was let pass since the same was asked. */
const isSpaced = (recent: ReadonlyArray<Entry>, asked: Asked, idle: number | null): boolean => {
  const last = recent.slice(-maxBetween)
  const before = last.findLastIndex((other) => asksSame(other, asked))
  return (
    before >= 0 && [idle, ...last.slice(before + 1).map((other) => other.idle)].some((gap) => (gap ?? 0) >= minIdle)
  )
}

export interface Polled {
  readonly recent: ReadonlyArray<Entry>
  /** Whether the task is to wait. */
  readonly waits: boolean
  readonly asked: Asked
  readonly nature: Nature
  readonly failed: boolean
  readonly idle: number | null
}

/** What kind of call it is where it stands. What follows a wait is a look at what was waited for. */
export const kindWithin = ({ asked, failed, idle, nature, recent, waits }: Polled, output: string): CallKind => {
  const { check, kind, local } = nature
  if (kind !== "look" && kind !== "run" && kind !== "watch") return kind
  if (recent.at(-1)?.kind === "wait") return "watch"
  if (check) return kind
  const spaced = isSpaced(recent, asked, idle)
  if (local) return waits && spaced ? "wait" : kind
  if (saysUnderWay(output, kind)) return spaced ? "wait" : "watch"
  // A program that crashes does so whenever it is started; a file that is not there may come.
  if (failed && kind === "run") return kind
  if (spaced) return "wait"
  if (waits) return "watch"
  return failed && kind === "watch" ? "probe" : kind
}
