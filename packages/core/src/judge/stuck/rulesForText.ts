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
import type { Pulse } from "./LastSigns.ts"
import { withoutUnnamed } from "../../ground/text/Addresses.ts"
import { sayOf, stepsLeft } from "../../session/stop/ListedSteps.ts"
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

const produced = ({ outputTokens }: Pulse): string => (outputTokens === null ? "" : ` after ${outputTokens} tokens`)

export const cutOff: Rule = (known) => {
  const { judgment, prose, pulse, verdict } = known
  const { completed, spokeLast } = judgment.stop
  if (!spokeLast || completed === true || isLeftToUser(known)) return null
  const cut = `the last message breaks off${produced(pulse)}`
  if (Text.breaksOff(prose()))
    return { ...stuck(0.85, says.cut_off, cut), say: verdict().shouldContinue ? "verdict" : says.cut_off }
  return null
}

/** Steps of its own that the agent names at the end of its text, as if somebody else took them. */
export const announcedSteps: Rule = (known) => {
  const { judgment, prose, verdict } = known
  const { task, stop } = judgment
  if (known.planMode || !stop.spokeLast || task.intent === "ask" || task.intent === "discuss" || isLeftToUser(known))
    return null
  const steps = stepsLeft(prose(), `${task.text} ${task.message}`)
  if (steps === null || isProven(verdict())) return null
  const { asked } = steps
  const say = sayOf(steps)
  // Who looked into something and changed nothing says what others could do.
  const answered = verdict().complete && judgment.evidence.edits.length === 0
  if (answered && asked.length === 0) return null
  if (answered || !steps.sure) return undecided("the text calls the work done and names further steps")
  return stuck(asked.length > 0 ? 0.8 : 0.7, say, say.missing)
}

/** A step of its own that the agent announces in passing at the end of its text. */
export const announcedWithin: Rule = (known) => {
  const { judgment, prose, verdict } = known
  const { stop, task } = judgment
  if (!stop.spokeLast || task.intent === "ask" || task.intent === "discuss" || isLeftToUser(known)) return null
  const announced = known.planMode ? "no" : Text.announcesWithin(prose())
  if (announced === "no" || isProven(verdict()) || verdict().status === "waiting_for_user") return null
  if (announced === "unsure") return undecided("the step that the last sentence announces may wait for the user")
  return stuck(0.7, says.announced_step, "the last sentence announces a step, and none was taken")
}

/** What was to change something failed, nothing was done after it, and the text has no word for it. */
export const unhandled: Rule = (known) => {
  const { judgment, prose, pulse } = known
  if (!judgment.stop.spokeLast || pulse.failed === null || !pulse.failedToAct || isLeftToUser(known)) return null
  if (!known.reading().english || Text.speaksOfFailure(prose())) return null
  return stuck(
    0.75,
    { ...says.unhandled_failure, fact: `${says.unhandled_failure.fact} It was ${named(pulse.failed)}.` },
    `the last tool call failed, and the text does not speak of it: ${named(pulse.failed)}`
  )
}

/** A change was ordered, and a plan is all that came of it. */
export const onlyPlanned: Rule = (known) => {
  const { judgment, prose } = known
  const { evidence, stop, task } = judgment
  const idle = evidence.actions === 0 && evidence.edits.length === 0 && evidence.delegated === 0 && !evidence.opaque
  if (known.planMode || !stop.spokeLast || task.intent !== "act" || !idle || isLeftToUser(known)) return null
  const plan = Text.readPlan(prose())
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
  if (Text.needsUser(known.prose())) return finding("waiting_for_user", 0.7, "the agent needs something of the user's")
  const loops = Text.speaksOfFailure(known.prose()) ? lasting(known.loops) : known.loops
  return loops.length > 0 ? looping({ ...known, loops }) : undecided(verdict.reason)
}

/** Nothing else runs or is owed: what the judge says of the stop. */
export const judged: Rule = (known) => {
  const verdict = known.verdict()
  if (verdict.status === "abstained" || known.isOnlyTold()) return unsettled(known, verdict)
  const base = finding(reasons[verdict.status], verdict.confidence, verdict.reason)
  return base.reason === "genuinely_stuck" ? { ...base, say: "verdict" } : doubted(known, base, verdict)
}

/** What the judge takes for an end, where something else speaks against it. */
const doubted = ({ judgment, prose }: Known, base: Finding, verdict: Verdict): Finding => {
  if (base.reason !== "complete" || isProven(verdict)) return base
  const { completed, spokeLast } = judgment.stop
  if (!spokeLast) return base
  if (Text.breaksOff(prose()) || (completed === null && Text.lacksEnd(prose())))
    return undecided("the last message may be cut off", verdict.reason)
  return base
}
