/** What an agent has done since the last nudge: which gates changed, what was done, and what is still open. */
import { oneLine } from "../../base/text/Text.ts"
import type { JudgedTurn } from "../../judge/verdict/Judgment.ts"
import * as Comments from "../../model/crossreview/ReviewComments.ts"
import type { Finding, Gate, GateResult, Verdict } from "../../judge/verdict/Verdict.ts"
import * as Judgment from "../../judge/verdict/Judgment.ts"
import { isFeedback } from "../../session/task/OwnFeedback.ts"
import type { Move, Progress, ReviewInput } from "./model.ts"

export type { Move, Progress } from "./model.ts"

/** Null if there was no nudge. */
export const progressOf = (
  { options, state, transcript }: Pick<ReviewInput, "options" | "state" | "transcript">,
  now: Pick<Judgment.JudgedTurn, "mark" | "verdict">
): Progress | null => {
  const { count: attempt, mark } = state.nudges
  const at = attempt === 0 ? -1 : transcript.events.findLastIndex(isFeedback)
  const nudge = transcript.events[at]
  if (nudge?.type !== "user_message") return null
  const events = transcript.events.slice(0, at)
  const before = Judgment.replay({ ...transcript, events }, options.context).state
  const verdict = Judgment.verdict(before, { ...options, attempt })
  return since({ attempt, text: nudge.text, verdict, mark }, now)
}

/**
 * A nudge as the session shows it.
 *
 * @category models
 */
export interface Nudge {
  readonly attempt: number
  readonly text: string
  readonly verdict: Pick<Verdict, "findings" | "gates">
  readonly mark: string | null
}

/** False for findings about claims, because to withdraw a claim is not work. */
const isWork = ({ rule }: Finding): boolean => rule !== "claims/contradicted" && rule !== "claims/unfounded"

/** The messages by subject. A subject is the place of a review comment, a check, or a rule with its message. */
const itemsOf = ({ findings }: Pick<Verdict, "findings">): ReadonlyMap<string, string> =>
  new Map(
    findings
      .filter(isWork)
      .map(({ comment, gate, message, rule }) => [
        comment === undefined ? (gate ?? `${rule} ${message}`) : Comments.placeOf(comment),
        message
      ])
  )

const textsOf = (items: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>, have: boolean) =>
  [...items].flatMap(([subject, text]) => (others.has(subject) === have ? [text] : []))

type Gates = Pick<Verdict, "gates">

const lastRun = ({ evidence }: Gate): string | null => evidence.at(-1)?.callId ?? null

/** True if the check ran since the nudge. An optional gate counts too, because the nudge may have named it. */
const ranSince = (earlier: Gate, gate: Gate): boolean => lastRun(gate) !== null && lastRun(gate) !== lastRun(earlier)

const pairs = ({ gates: before }: Gates, { gates: after }: Gates): ReadonlyArray<readonly [Gate, Gate]> =>
  after.flatMap((gate) => {
    const earlier = before.find((other) => other.gate === gate.gate)
    return earlier === undefined ? [] : [[earlier, gate] as const]
  })

/** A failure that our own check found at the end of the turn is not a change by the agent. */
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
 * Describes a change for a person, for example "tests: missing, now failed".
 *
 * @category formatting
 */
export const describe = ({ after, before, gate }: Move): string => `${gate}: ${wordOf(before)}, now ${wordOf(after)}`

const summaryOf = ({ attempt, done, followed, gates }: Omit<Progress, "summary">, isWithdrawn: boolean): string => {
  const start = `Since nudge ${attempt}`
  if (followed === "none") return `${start} no check was run, and nothing relevant was edited`
  if (gates.length > 0) return oneLine(`${start}: ${gates.slice(0, 2).map(describe).join("; ")}`, 80)
  if (done.length > 0) return `${start} ${done.length} of the items in it ${done.length === 1 ? "is" : "are"} done`
  if (isWithdrawn) return `${start} the agent withdrew its unproved claim`
  return `${start} the agent worked, but made no progress`
}

/**
 * Builds the progress since a nudge from the current verdict.
 *
 * @category constructors
 */
export const since = (
  { attempt, mark, text, verdict: before }: Nudge,
  { mark: now, verdict }: Pick<JudgedTurn, "mark" | "verdict">
): Progress => {
  const told = Comments.toldIn(text).map(({ place, text }) => [place, text] as const)
  const earlier = new Map([...itemsOf(before), ...told])
  const later = itemsOf(verdict)
  const done = textsOf(earlier, later, false)
  const stuck = textsOf(later, earlier, true)
  const gates = movesOf(before, verdict)
  const ran = pairs(before, verdict).some(([old, gate]) => ranSince(old, gate))
  // If the nudge was only about a claim, it asked only to withdraw the claim.
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
