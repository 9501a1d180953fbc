/** The rules for an agent that has spoken last: what its text leaves to be done, and what the judge says of it. */
import type { Reason } from "./model.ts"
import type { Verdict } from "../verdict/Verdict.ts"
import {
  finding,
  type Finding,
  isProven,
  type Known,
  looping,
  named,
  type Rule,
  says,
  stuck,
  undecided
} from "./StuckFinding.ts"
import { withoutUnnamed } from "../../ground/text/Addresses.ts"
import { planOnly } from "../rules/Rules.ts"
import { lasting } from "../loops/RequestedRepeats.ts"
import * as Text from "./StuckText.ts"

/** An offer is no question: whether it only seeks leave for what was ordered is the judge's to say. */
const open: ReadonlySet<string> = new Set(["choice", "risk"])

/**
 * What only the user can answer, whatever is left to do. A text that is cut off asks if it ends with a whole sentence.
 */
export const asks: Rule = ({ judgment, reading }) => {
  const { message, text: asked } = judgment.task
  const { completed, spokeLast, text } = judgment.stop
  if (!spokeLast || (completed === false && !/[.!?。！？]["')\]*\s]{0,4}$/.test(text))) return null
  const { question } = reading()
  const counts = question !== null && (completed === false || open.has(question.kind))
  return counts
    ? finding("waiting_for_user", 0.8, `the agent asks the user: ${withoutUnnamed(question.text, [message, asked])}`)
    : null
}

/** The text leaves the next word to the user, be it in passing: whatever else it has, it is no stop by mistake. */
const isLeftToUser = ({ reading }: Known): boolean =>
  reading().question !== null || reading().yields || reading().dependsOn !== null

/** Where the text breaks off, nothing else that it says counts: the judge tells whether that is held against it. */
export const cutOff: Rule = (known) =>
  known.reading().closing === "cut_off" && !isLeftToUser(known) ? judged(known) : null

/** A step of its own that the agent announces in passing at the end of its text. */
export const announcedWithin: Rule = (known) => {
  const { judgment, reading, verdict } = known
  const { stop, task } = judgment
  if (!stop.spokeLast || task.intent === "ask" || isLeftToUser(known)) return null
  const announced = known.planMode || reading().closing === "announces" ? "no" : Text.announcesWithin(reading().prose)
  if (announced === "no" || isProven(verdict()) || verdict().status === "waiting_for_user") return null
  if (announced === "unsure") return undecided("the step that the last sentence announces may wait for the user")
  return stuck(0.7, says.announced_step, "the last sentence announces a step, and none was taken")
}

/** What was to change something failed, nothing was done after it, and the text has no word for it. */
export const unhandled: Rule = (known) => {
  const { judgment, pulse, reading } = known
  if (!judgment.stop.spokeLast || pulse.failed === null || !pulse.failedToAct || isLeftToUser(known)) return null
  if (!reading().english || Text.speaksOfFailure(reading().prose)) return null
  return stuck(
    0.75,
    { ...says.unhandled_failure, fact: `${says.unhandled_failure.fact} It was ${named(pulse.failed)}.` },
    `the last tool call failed, and the text does not speak of it: ${named(pulse.failed)}`
  )
}

/** A change was ordered, and a plan is all that came of it. */
export const onlyPlanned: Rule = (known) => {
  const { evidence, task } = known.judgment
  const plan = known.planMode ? null : planOnly({ evidence, task, reading: known.reading() })
  if (plan === null) return null
  if (plan === "held") return undecided("the plan may wait for a word of the user's")
  return stuck(0.75, says.only_planned, "a change was asked for, and all that is on record is a plan")
}

const reasons: Readonly<Record<Verdict["status"], Reason>> = {
  complete: "complete",
  incomplete: "genuinely_stuck",
  stuck: "genuinely_stuck",
  waiting_for_user: "waiting_for_user",
  needs_human: "waiting_for_user",
  aborted: "waiting_for_user",
  working: "working",
  abstained: "working"
}

/** The judge cannot tell: perhaps a loop can, or that the text waits for an act of the user's. */
const unsettled = (known: Known, verdict: Verdict): Finding => {
  const { dependsOn, prose, yields } = known.reading()
  if (dependsOn !== null || yields) return finding("waiting_for_user", 0.7, "the agent needs something of the user's")
  const [loop] = Text.speaksOfFailure(prose) ? lasting(known.loops) : known.loops
  return loop === undefined ? undecided(verdict.reason) : looping(loop, known)
}

/** Of an order that was worked on only the agent's word says that it is done, unless a check does. */
const isWork = ({ judgment: { evidence, task } }: Known): boolean => task.intent === "act" && evidence.calls > 0

/** Nothing else runs or is owed: what the judge says of the stop. */
export const judged: Rule = (known) => {
  const verdict = known.verdict()
  if (verdict.status === "abstained" || known.isOnlyTold()) return unsettled(known, verdict)
  const base = finding(reasons[verdict.status], verdict.confidence, verdict.reason)
  if (verdict.complete) return { ...base, decided: isProven(verdict) || !isWork(known) }
  return base.reason === "genuinely_stuck" ? { ...base, say: "verdict" } : base
}
