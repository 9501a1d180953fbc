/** What an agent has made of the last reminder: which gates moved, what was done, what is stuck. */
import { oneLine } from "../../base/text/Text.ts"
import type { Judged } from "../../judge/verdict/Judgment.ts"
import * as Comments from "../crossreview/ReviewComments.ts"
import type { Finding, Gate, GateResult, Verdict } from "../../judge/verdict/Verdict.ts"
import * as Judgment from "../../judge/verdict/Judgment.ts"
import { isFeedback } from "../../session/task/OwnFeedback.ts"
import type { Move, Progress, Seen } from "./model.ts"

export type { Move, Progress } from "./model.ts"

/** What came of the last reminder of the turn; null where there was none. */
export const progressOf = (
  { options, state, transcript }: Pick<Seen, "options" | "state" | "transcript">,
  now: Pick<Judgment.Judged, "mark" | "verdict">
): Progress | null => {
  const { count: attempt, mark } = state.pushes
  const at = attempt === 0 ? -1 : transcript.events.findLastIndex(isFeedback)
  const reminder = transcript.events[at]
  if (reminder?.type !== "user_message") return null
  const events = transcript.events.slice(0, at)
  const before = Judgment.replay({ ...transcript, events }, options.context).state
  const verdict = Judgment.verdict(before, { ...options, attempt })
  return since({ attempt, text: reminder.text, verdict, mark }, now)
}

/**
 * A reminder as the session shows it: its number, its text, what was known when it was given, and where evidence stood.
 *
 * @category models
 */
export interface Reminder {
  readonly attempt: number
  readonly text: string
  readonly verdict: Pick<Verdict, "findings" | "gates">
  readonly mark: string | null
}

/** A claim that does not hold is no work, and nothing is done by making it no more. */
const isWork = ({ rule }: Finding): boolean => rule !== "claims/contradicted" && rule !== "claims/unfounded"

const isBoasting = ({ findings }: Pick<Verdict, "findings">): boolean => findings.some((found) => !isWork(found))

/** Something missing, and what it is about, by which it is known again however it stands. */
interface Item {
  readonly subject: string
  readonly text: string
}

/** A review comment is about its place, a check's finding about the check. */
const itemOf = ({ comment, gate, message, rule }: Finding): Item => {
  if (comment !== undefined) return { subject: Comments.placeOf(comment), text: message }
  return { subject: gate ?? `${rule} ${message}`, text: message }
}

const itemsOf = ({ findings }: Pick<Verdict, "findings">): ReadonlyArray<Item> => findings.filter(isWork).map(itemOf)

const textsOf = (items: ReadonlyArray<Item>): ReadonlyArray<string> => items.map(({ text }) => text)

/** What both the verdict and the reminder name is one thing. */
const distinct = (items: ReadonlyArray<Item>): ReadonlyArray<Item> => [
  ...new Map(items.map((item) => [item.subject, item])).values()
]

/** What was found out for the agent, by a check that was run at its stop, it has not moved. */
const isOurs = ({ after, before }: Move, { source }: Verdict): boolean =>
  source === "verification" && after === "failed" && before !== "passed"

type Gates = Pick<Verdict, "gates">

/** The call that showed the gate last. */
const lastRun = ({ evidence }: Gate): string | null => evidence.at(-1)?.callId ?? null

/** The agent ran it since, whoever required it: it may be what the reminder asked for. */
const ranSince = (earlier: Gate, gate: Gate): boolean => lastRun(gate) !== null && lastRun(gate) !== lastRun(earlier)

const pairs = ({ gates: before }: Gates, { gates: after }: Gates): ReadonlyArray<readonly [Gate, Gate]> =>
  after.flatMap((gate) => {
    const earlier = before.find((other) => other.gate === gate.gate)
    return earlier === undefined ? [] : [[earlier, gate] as const]
  })

const movesOf = (before: Gates, after: Verdict): ReadonlyArray<Move> =>
  pairs(before, after).flatMap(([earlier, gate]) => {
    if (earlier.result === gate.result) return []
    if (!earlier.required && !gate.required && !ranSince(earlier, gate)) return []
    const move = { gate: gate.gate, before: earlier.result, after: gate.result }
    return isOurs(move, after) ? [] : [move]
  })

const wordOf = (result: GateResult): string => result.replace("_", " ")

/**
 * A move for a person, as in "tests: missing, now failed".
 *
 * @category formatting
 */
export const describe = ({ after, before, gate }: Move): string => `${gate}: ${wordOf(before)}, now ${wordOf(after)}`

const summaryOf = ({ attempt, done, followed, gates }: Omit<Progress, "summary">, isWithdrawn: boolean): string => {
  const start = `Since reminder ${attempt}`
  if (followed === "none") return `${start} no check was run, and nothing was edited that counts`
  if (gates.length > 0) return oneLine(`${start}: ${gates.slice(0, 2).map(describe).join("; ")}`, 80)
  if (done.length > 0) return `${start} ${done.length} of what it named ${done.length === 1 ? "is" : "are"} done`
  if (isWithdrawn) return `${start} it no longer says what is not on record`
  return `${start} it worked on, and got no further`
}

/**
 * What came of a reminder, by the verdict that is given now.
 *
 * @category constructors
 */
export const since = (
  { attempt, mark, text, verdict: before }: Reminder,
  { mark: now, verdict }: Pick<Judged, "mark" | "verdict">
): Progress => {
  const told = Comments.toldIn(text).map((comment): Item => ({ subject: comment.place, text: comment.text }))
  const earlier = distinct([...itemsOf(before), ...told])
  const later = itemsOf(verdict)
  const known = new Set(earlier.map(({ subject }) => subject))
  const open = new Set(later.map(({ subject }) => subject))
  const done = textsOf(earlier.filter(({ subject }) => !open.has(subject)))
  const stuck = textsOf(later.filter(({ subject }) => known.has(subject)))
  const gates = movesOf(before, verdict)
  const ran = pairs(before, verdict).some(([old, gate]) => ranSince(old, gate))
  // A claim that is made no more is what was asked where nothing else was.
  const isWithdrawn = earlier.length === 0 && later.length === 0 && !isBoasting(verdict) && isBoasting(before)
  const moved = done.length > 0 || gates.length > 0 || ran || isWithdrawn || mark !== now
  const found: Omit<Progress, "summary"> = {
    attempt,
    followed: stuck.length === 0 && moved ? "all" : moved ? "some" : "none",
    gates,
    done,
    stuck,
    fresh: textsOf(later.filter(({ subject }) => !known.has(subject)))
  }
  return { ...found, summary: summaryOf(found, isWithdrawn) }
}
