/** How far each rule goes with somebody there: a plain fact pushes until it was wrong twice, anything else once it has proved itself. */
import type { Rule, RuleName } from "@reflexion/core/internal/judge/rules/Rules"
import type { Level } from "@reflexion/core/internal/session/config/Levels"
import { ruleNow } from "@reflexion/core/internal/session/config/OldKeys"
import * as ExactBound from "../measure/ExactBound.ts"
import * as BlindSet from "./BlindSet.ts"
import type { Entry, Read } from "./Ledger.ts"

/** What a push must be right in, at least, with nine chances in ten. */
export const precision = 0.7

/** From so many projects at least. */
export const projects = 4

/** From so many stops on only today's version of a rule counts against it. */
const fewest = 4

/** A plain fact loses its push when it was wrong so often in one round. */
const strikes = 2

/**
 * What is counted of a rule as it is now. `bound` is the exact one-sided lower bound of its precision at 90 %, an open label
 * counting half; `worth` of `lines` that a user would have read were worth it; `strikes` is how often it was wrong in its
 * worst round, in other versions and under other names as well until this one has fired enough; `before` how often those fired.
 *
 * @category models
 */
export interface Tally {
  readonly fired: number
  readonly right: number
  readonly wrong: number
  readonly open: number
  readonly projects: number
  readonly bound: number
  readonly worth: number
  readonly lines: number
  readonly strikes: number
  readonly before: number
}

const isCounted = ({ attended, reachable }: Entry): boolean => attended && reachable

/** Only what was seen for the first time, where the host can still be sent on and somebody is there. */
export const tally = (rounds: ReadonlyArray<Read>, rule: RuleName, version: string): Tally => {
  const own = rounds
    .filter(({ firstContact }) => firstContact)
    .map(({ entries }) => entries.filter((entry) => entry.rule !== null && ruleNow(entry.rule) === rule))
  const all = own.flat()
  const now = all.filter((entry) => entry.version === version)
  const counted = now.filter(isCounted)
  const count = (label: Entry["label"]): number => counted.filter((entry) => entry.label === label).length
  const [right, wrong, open] = [count("right"), count("wrong"), count("open")]
  const isAgainst = (entry: Entry): boolean =>
    isCounted(entry) && entry.label === "wrong" && (counted.length < fewest || entry.version === version)
  return {
    fired: counted.length,
    right,
    wrong,
    open,
    projects: new Set(counted.map(({ project }) => project)).size,
    bound: ExactBound.lower(right + open / 2, counted.length),
    worth: now.filter(({ line }) => line === true).length,
    lines: now.filter(({ line }) => line !== undefined).length,
    strikes: Math.max(0, ...own.map((entries) => entries.filter(isAgainst).length)),
    before: all.length - now.length
  }
}

/** The level that a rule earns; blind cases bear it out only where it was never wrong at a real stop. */
export const earned = ({ attended }: Pick<Rule, "attended">, counts: Tally, isBorneOut = false): Level => {
  if (attended === "off") return "off"
  if (attended === "push") return counts.strikes < strikes ? "push" : "tell"
  const isSound = counts.bound >= precision && counts.projects >= projects
  return isSound || (isBorneOut && counts.strikes === 0) ? "push" : "tell"
}

/** A rule with what is counted of it, and what it earns. */
export interface Ranked {
  readonly rule: Rule
  readonly counts: Tally
  readonly level: Level
}

/** The rules that say another level for somebody there than they earn, a line each. */
export const differing = (ranked: ReadonlyArray<Ranked>): ReadonlyArray<string> =>
  ranked
    .filter(({ level, rule }) => rule.attended !== level)
    .map(({ level, rule }) => `${rule.id} says ${rule.attended} with somebody there, and earns ${level}`)

/** All rules, with the levels that they earn. */
export const all = (
  rounds: ReadonlyArray<Read>,
  rules: ReadonlyArray<Rule<RuleName>>,
  versionOf: (rule: string) => string,
  sets: ReadonlyArray<BlindSet.BlindSet>
): ReadonlyArray<Ranked> =>
  rules.map((rule): Ranked => {
    const version = versionOf(rule.id)
    const counts = tally(rounds, rule.id, version)
    return { rule, counts, level: earned(rule, counts, BlindSet.bearsOut(sets, rule.id, version)) }
  })
