/** Which verdicts of tier 1 a reader is asked about. */
import type { Verdict } from "./Verdict.ts"
import type { Facts } from "../../session/facts/Facts.ts"

/**
 * Whether the record leaves the next word to the agent: no dialogue is open, and its last words wait for no act of a person,
 * no consent to what cannot be undone, and nothing that the user wants to be asked.
 */
export const isAgents = ({ reading, stop, task }: Facts): boolean =>
  stop.asked === null &&
  stop.refused === null &&
  stop.notice?.kind !== "permission_asked" &&
  reading.question?.kind !== "risk" &&
  reading.dependsOn?.kind !== "act" &&
  !(reading.closing === "question" && task.asksLeave)

/** Nobody is to be told anything of it. */
export const isMoot = ({ stop, subagent, task }: Facts): boolean =>
  subagent || stop.queued || task.mode === "plan" || task.turn < 0

/**
 * Done by the agent's word, over a check that was required and whose end is not known, or that failed unasked; or over a
 * call that failed last, and nothing that passed.
 */
const isDoubtful = ({ gates }: Verdict, { evidence }: Facts): boolean =>
  gates.some((gate) => (gate.required ? gate.result === "unknown" : gate.result === "failed")) ||
  (evidence.repeats.failed && !gates.some((gate) => gate.result === "passed"))

/** The user calls it done by what only a reader can tell, and something was done. */
const hasConditions = ({ doneWhen, evidence, task }: Facts): boolean =>
  (task.intent === "act" || evidence.edits.length > 0) && doneWhen.some(({ command }) => command === null)

/** Nothing pushes, and a rule has found something that a model is to decide. */
export const isAsking = ({ findings, status }: Verdict): boolean =>
  status === "incomplete" &&
  findings.some(({ level }) => level === "tell") &&
  !findings.some(({ level }) => level === "push")

/**
 * Whether evidence leaves open what a reader may tell: everything else it proves, or the host or the agent says of the stop.
 * Of the labelled stops 97 in 100 are decided.
 */
export const isUndecided = (facts: Facts, verdict: Verdict): boolean => {
  if (isMoot(facts) || !facts.stop.spokeLast) return false
  if (verdict.status === "abstained" || isAsking(verdict)) return true
  return verdict.status === "complete" && (isDoubtful(verdict, facts) || hasConditions(facts))
}

/** Something was changed, or something was to be done; what only looked into a question is answered. */
const isOfWork = ({ evidence, task }: Facts): boolean =>
  task.intent === "act" ||
  evidence.edits.length > 0 ||
  evidence.commits > 0 ||
  (evidence.actions + evidence.delegated > 0 && task.intent === "unknown")

const isSettled: ReadonlySet<Verdict["status"]> = new Set(["complete", "incomplete", "waiting_for_user"])

/** Whether a model is asked: where evidence leaves it open, and where it was about work and a push would be the agent's to answer. */
export const isAsked = (facts: Facts, verdict: Verdict): boolean =>
  isUndecided(facts, verdict) ||
  (!isMoot(facts) &&
    facts.stop.spokeLast &&
    isSettled.has(verdict.status) &&
    !verdict.findings.some(({ level }) => level === "push") &&
    isOfWork(facts) &&
    isAgents(facts))
