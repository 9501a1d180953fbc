/** What an agent has made of the last reminder: which gates moved, what was done, what is stuck. */
import { oneLine } from "../../ground/text/Text.ts"
import type { Judged } from "../../judge/verdict/Judgment.ts"
import type { GateResult, Verdict } from "../../judge/verdict/Verdict.ts"
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
  readonly verdict: Pick<Verdict, "gates" | "missing">
  readonly mark: string | null
}

/** What others found is on no record but in the reminder itself. */
const reviewed = (text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => (line.startsWith("- Code Review Comment (") ? [line.slice(2)] : []))

/** A claim that is disproved is no work, and nothing is done by making it no more. */
const isWork = (item: string): boolean => !(item.startsWith('"') && item.includes('" is contradicted: '))

/**
 * What an item is about, by which it is known again however it stands: a gate by its name, a list by what it is called, a
 * review comment by its place.
 */
const subjectOf = (item: string): string =>
  /^([\w.:-]{1,40}|open todos|Code Review Comment \([^`]{1,200}`[^`]{0,80}`\)): /u.exec(item)?.[1] ?? item

/** What both the verdict and the reminder name is one thing. */
const distinct = (items: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Map(items.map((item) => [subjectOf(item), item])).values()
]

/** What was found out for the agent, by a check that was run at its stop, it has not moved. */
const isOurs = ({ after, before }: Move, { source }: Verdict): boolean =>
  source === "verification" && after === "failed" && before !== "passed"

const movesOf = (before: Pick<Verdict, "gates">, after: Verdict): ReadonlyArray<Move> =>
  after.gates.flatMap((gate) => {
    const earlier = before.gates.find((other) => other.gate === gate.gate)
    if (earlier === undefined || earlier.result === gate.result || !(earlier.required || gate.required)) return []
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

const summaryOf = ({ attempt, done, followed, gates }: Omit<Progress, "summary">): string => {
  const start = `Since reminder ${attempt}`
  if (followed === "none") return `${start} nothing moved`
  if (gates.length > 0) return oneLine(`${start}: ${gates.slice(0, 2).map(describe).join("; ")}`, 80)
  if (done.length > 0) return `${start} ${done.length} of what it named ${done.length === 1 ? "is" : "are"} done`
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
  const earlier = distinct([...before.missing, ...reviewed(text)].filter(isWork))
  const later = verdict.missing.filter(isWork)
  const known = new Set(earlier.map(subjectOf))
  const open = new Set(later.map(subjectOf))
  const done = earlier.filter((item) => !open.has(subjectOf(item)))
  const stuck = later.filter((item) => known.has(subjectOf(item)))
  const gates = movesOf(before, verdict)
  const moved = done.length > 0 || gates.length > 0 || mark !== now
  const found: Omit<Progress, "summary"> = {
    attempt,
    followed: stuck.length === 0 && moved ? "all" : moved ? "some" : "none",
    gates,
    done,
    stuck,
    fresh: later.filter((item) => !known.has(subjectOf(item)))
  }
  return { ...found, summary: summaryOf(found) }
}
