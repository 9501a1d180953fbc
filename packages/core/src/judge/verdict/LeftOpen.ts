/** Which verdicts of tier 1 a reader is asked about. */
import type { Verdict } from "./Verdict.ts"
import type { Facts } from "../../session/facts/Facts.ts"

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
  findings.some(({ level }) => level === "ask") &&
  !findings.some(({ level }) => level === "push")

/**
 * Whether evidence leaves open what a reader may tell. Everything else is decided, and no model is asked: what evidence
 * proves, what the host or the agent says of the stop, and answers to questions. Of the labelled stops 97 in 100 are.
 */
export const isUndecided = (facts: Facts, verdict: Verdict): boolean => {
  if (isMoot(facts) || !facts.stop.spokeLast) return false
  if (verdict.status === "abstained" || isAsking(verdict)) return true
  return verdict.status === "complete" && (isDoubtful(verdict, facts) || hasConditions(facts))
}
