/** What an agent has made of the last reminder: which gates moved, what was done, what is stuck. */
import { oneLine } from "../../base/text/Text.ts"
import type { JudgedTurn } from "../../judge/verdict/Judgment.ts"
import * as Comments from "../../model/crossreview/ReviewComments.ts"
import type { Finding, Gate, GateResult, Verdict } from "../../judge/verdict/Verdict.ts"
import * as Judgment from "../../judge/verdict/Judgment.ts"
import { isFeedback } from "../../session/task/OwnFeedback.ts"
import type { Move, Progress, ReviewInput } from "./model.ts"

export type { Move, Progress } from "./model.ts"

/** What came of the last reminder of the turn; null where there was none. */
export const progressOf = (
  { options, state, transcript }: Pick<ReviewInput, "options" | "state" | "transcript">,
  now: Pick<Judgment.JudgedTurn, "mark" | "verdict">
): Progress | null => {
  const { count: attempt, mark } = state.nudges
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

/** What is missing, by what it is about: a review comment by its place, a check's finding by the check. */
const itemsOf = ({ findings }: Pick<Verdict, "findings">): ReadonlyMap<string, string> =>
  new Map(
    findings
      .filter(isWork)
      .map(({ comment, gate, message, rule }) => [
        comment === undefined ? (gate ?? `${rule} ${message}`) : Comments.placeOf(comment),
        message
      ])
  )

/** The texts of those that others lack, or have. */
const textsOf = (items: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>, have: boolean) =>
  [...items].flatMap(([subject, text]) => (others.has(subject) === have ? [text] : []))

type Gates = Pick<Verdict, "gates">

/** The call that showed the gate last. */
const lastRun = ({ evidence }: Gate): string | null => evidence.at(-1)?.callId ?? null

/** The agent ran it since, required or not: it may be what the reminder asked for. */
const ranSince = (earlier: Gate, gate: Gate): boolean => lastRun(gate) !== null && lastRun(gate) !== lastRun(earlier)

const pairs = ({ gates: before }: Gates, { gates: after }: Gates): ReadonlyArray<readonly [Gate, Gate]> =>
  after.flatMap((gate) => {
    const earlier = before.find((other) => other.gate === gate.gate)
    return earlier === undefined ? [] : [[earlier, gate] as const]
  })

/** What we found out by a check that we ran at its stop, the agent has not moved. */
const movesOf = (before: Gates, after: Verdict): ReadonlyArray<Move> =>
  pairs(before, after).flatMap(([earlier, gate]) => {
    const isOurs = after.source === "verification" && gate.result === "failed" && earlier.result !== "passed"
    const isOfIt = earlier.required || gate.required || ranSince(earlier, gate)
    return earlier.result === gate.result || isOurs || !isOfIt
      ? []
      : [{ gate: gate.gate, before: earlier.result, after: gate.result }]
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
  { mark: now, verdict }: Pick<JudgedTurn, "mark" | "verdict">
): Progress => {
  const told = Comments.toldIn(text).map(({ place, text }) => [place, text] as const)
  const earlier = new Map([...itemsOf(before), ...told])
  const later = itemsOf(verdict)
  const done = textsOf(earlier, later, false)
  const stuck = textsOf(later, earlier, true)
  const gates = movesOf(before, verdict)
  const ran = pairs(before, verdict).some(([old, gate]) => ranSince(old, gate))
  // A claim that is made no more is what was asked where nothing else was.
  const isWithdrawn = before.findings.length > 0 && earlier.size === 0 && verdict.findings.length === 0
  const moved = done.length > 0 || gates.length > 0 || ran || isWithdrawn || mark !== now
  const found: Omit<Progress, "summary"> = {
    attempt,
    followed: stuck.length === 0 && moved ? "all" : moved ? "some" : "none",
    gates,
    done,
    stuck,
    fresh: textsOf(later, earlier, false)
  }
  return { ...found, summary: summaryOf(found, isWithdrawn) }
}
