/**
 * Which checks are worth running at a stop. Those that are configured, where a required gate has no result; where nobody is
 * there, those and the ones that the user took, also where the agent claims their result or has tried nothing. Pure.
 */
import { type Facts, untried } from "../../session/facts/Facts.ts"
import type { ActiveCheck } from "../../session/config/ReflexionConfig.ts"
import type { Verdict } from "../../judge/verdict/Verdict.ts"
import { due as required, isJudged } from "./CheckResult.ts"

/**
 * The checks that may be run at a stop without being asked for: what was taken is for when nobody is there.
 *
 * @category accessors
 */
export const usable = <C extends Pick<ActiveCheck, "taken">>(
  { attended }: Pick<Facts, "attended">,
  checks: ReadonlyArray<C>
): ReadonlyArray<C> => checks.filter(({ taken }) => taken !== true || !attended)

/**
 * The gates that the final text says have passed.
 *
 * @category accessors
 */
export const claimed = ({ reading }: Pick<Facts, "reading">): ReadonlyArray<string> => [
  ...new Set(reading.claims.filter(({ outcome }) => outcome === "passed").map(({ gate }) => gate))
]

const settled: ReadonlySet<string> = new Set(["passed", "failed"])

/** Nobody forbade it, and its result is not known. */
const isFree = ({ gates, task }: Facts, gate: string): boolean =>
  !task.forbids.includes(gate) &&
  !gates.some((other) => other.gate === gate && (other.denied || settled.has(other.result)))

/** What shows most comes first. */
const telling = ["tests", "typecheck", "build", "lint"]

/** The one check that shows most of code that nobody has tried. */
const owed = (facts: Facts, checks: ReadonlyArray<ActiveCheck>): ReadonlyArray<string> => {
  const gate = telling.find((name) => checks.some((check) => check.gate === name) && isFree(facts, name))
  return gate !== undefined && untried(facts) ? [gate] : []
}

/**
 * The gates whose checks are to be run.
 *
 * @category accessors
 */
export const due = (facts: Facts, verdict: Verdict, checks: ReadonlyArray<ActiveCheck>): ReadonlyArray<string> => {
  const own = usable(facts, checks)
  const asked = required(verdict, own)
  if (facts.attended || !isJudged(verdict)) return asked
  const said = claimed(facts).filter((gate) => own.some((check) => check.gate === gate) && isFree(facts, gate))
  const all = [...new Set([...asked, ...said])]
  return all.length > 0 ? all : owed(facts, own)
}
