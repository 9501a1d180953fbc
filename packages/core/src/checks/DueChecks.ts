/**
 * Which checks are worth running at a stop. Those that are configured, where a required gate has no result; where nobody is
 * there, those and the ones that the user took, also where the agent claims their result or has tried nothing. Pure.
 */
import { isGate } from "../session/donewhen/Conditions.ts"
import { isSpared } from "../session/task/TaskContext.ts"
import { type Facts, untried } from "../session/facts/Facts.ts"
import type { ActiveCheck } from "../session/config/ReflexionConfig.ts"
import type { Verdict } from "../judge/verdict/Verdict.ts"
import type { Check } from "./CheckResult.ts"

/** Elsewhere nobody has said yet that the work is done. */
const judged: ReadonlySet<Verdict["status"]> = new Set(["complete", "incomplete", "abstained"])

const open: ReadonlySet<string> = new Set(["missing", "stale", "unknown"])

/**
 * The gates whose checks are worth running: required, or a condition of the user's for being done that no record can show, and
 * not known to have passed or failed on the files as they are.
 */
export const required = (verdict: Verdict, checks: ReadonlyArray<Pick<Check, "gate">>): ReadonlyArray<string> =>
  verdict.gates.flatMap(({ gate, required: isRequired, result }) => {
    const isOpen = isRequired ? open.has(result) : result === "not_required" && isGate(gate)
    return judged.has(verdict.status) && isOpen && checks.some((check) => check.gate === gate) ? [gate] : []
  })

/** Nobody forbade it, and its result is not known. */
const isFree = ({ gates, task }: Facts, gate: string): boolean =>
  !isSpared(task, gate) &&
  !gates.some(
    (other) => other.gate === gate && (other.denied || other.result === "passed" || other.result === "failed")
  )

/** What shows most comes first. */
const telling = ["tests", "typecheck", "build", "lint"]

/** The gates whose checks are to be run: what was taken for when nobody is there is not run while somebody is. */
export const due = (facts: Facts, verdict: Verdict, checks: ReadonlyArray<ActiveCheck>): ReadonlyArray<string> => {
  const own = checks.filter(({ taken }) => taken !== true || !facts.attended)
  const asked = required(verdict, own)
  if (facts.attended || !judged.has(verdict.status)) return asked
  const isUsable = (gate: string): boolean => own.some((check) => check.gate === gate) && isFree(facts, gate)
  const claimed = facts.reading.claims.flatMap(({ gate, outcome }) => (outcome === "passed" ? [gate] : []))
  const all = [...new Set([...asked, ...claimed.filter(isUsable)])]
  if (all.length > 0 || !untried(facts)) return all
  return telling.filter(isUsable).slice(0, 1)
}
