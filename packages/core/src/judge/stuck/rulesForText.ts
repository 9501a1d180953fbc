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
import { withoutUnnamed } from "../../base/text/Addresses.ts"
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
const isLeftToUser = ({ reading }: Known): boolean => reading().question !== null || reading().dependsOn !== null

/** Where the text breaks off, nothing else that it says counts. The host's word is the judge's to tell of. */
export const cutOff: Rule = (known) => {
  if (known.reading().closing !== "cut_off" || isLeftToUser(known)) return null
  return known.judgment.stop.completed === false || isProven(known.verdict())
    ? judged(known)
    : { ...stuck(0.7, says.cut_off, "the last message breaks off, and nothing came after it"), decided: false }
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
  const { dependsOn, prose } = known.reading()
  if (dependsOn !== null) return finding("waiting_for_user", 0.7, "the agent needs something of the user's")
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
