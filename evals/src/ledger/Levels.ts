/** How far each rule goes with somebody there: as far as the ledger bears it out. */
import type { Rule } from "@reflexion/core/internal/judge/rules/RuleBook"
import type { Level, RuleName } from "@reflexion/core/internal/session/config/RuleNames"
import * as ExactBound from "../measure/ExactBound.ts"
import type { Entry, Read } from "./Ledger.ts"

/** What a push must be right in, at least, with nine chances in ten. */
export const precision = 0.7

/** From so many projects at least. */
export const projects = 4

/** So many lines in a hundred stops a user reads at most. */
export const linesPer100 = 5

/** A share of lines is looked at from this many on. */
const fewest = 4

/** A rule that needs no statistic loses its push when it was wrong so often. */
const strikes = 2

/**
 * What is counted of a rule as it is now. `bound` is the exact one-sided lower bound of its precision at 90 %, an open label
 * counting half; `worth` of `lines` that a user would have read were worth it; `before` fired in another version of it.
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
  readonly before: number
}

/** Only what was seen for the first time, where the host can still be sent on and somebody is there. */
export const tally = (rounds: ReadonlyArray<Read>, rule: RuleName, version: string): Tally => {
  const all = rounds.filter(({ firstContact }) => firstContact).flatMap(({ entries }) => entries)
  const own = all.filter((entry) => entry.rule === rule)
  const now = own.filter((entry) => entry.version === version)
  const counted = now.filter(({ attended, reachable }) => attended && reachable)
  const count = (label: Entry["label"]): number => counted.filter((entry) => entry.label === label).length
  const [right, wrong, open] = [count("right"), count("wrong"), count("open")]
  const lines = now.filter(({ line }) => line !== undefined)
  return {
    fired: counted.length,
    right,
    wrong,
    open,
    projects: new Set(counted.map(({ project }) => project)).size,
    bound: ExactBound.lower(right + open / 2, counted.length),
    worth: lines.filter(({ line }) => line === true).length,
    lines: lines.length,
    before: own.length - now.length
  }
}

/** Fewer than half of its lines are worth reading. */
const isNoise = ({ lines, worth }: Tally): boolean => lines >= fewest && worth * 2 < lines

/**
 * The level that a rule earns. A fact that needs no statistic pushes until it was wrong twice; any other rule where its bound
 * is high enough. What does not push asks, which without a model only tells, unless its lines are not worth reading.
 */
export const earned = (rule: Pick<Rule, "fact" | "most">, counts: Tally): Level => {
  const mayPush = rule.most === undefined || rule.most === "push"
  const proved = rule.fact === true ? counts.wrong < strikes : counts.bound >= precision && counts.projects >= projects
  if (mayPush && proved) return "push"
  if (isNoise(counts)) return "off"
  return rule.most === "tell" ? "tell" : "ask"
}

/** A rule with what is counted of it, and what it earns. */
export interface Ranked {
  readonly rule: Rule
  readonly counts: Tally
  readonly level: Level
}

const lineShare = ({ counts }: Ranked): number => (counts.lines === 0 ? 1 : counts.worth / counts.lines)

/** Turns off the rules whose lines are worth least, until a user reads few enough of them. */
const quieter = (ranked: ReadonlyArray<Ranked>, stops: number): ReadonlyArray<Ranked> => {
  const telling = ranked.filter(({ counts, level }) => counts.lines > 0 && (level === "tell" || level === "ask"))
  const total = telling.reduce((sum, { counts }) => sum + counts.lines, 0)
  const noisiest = telling.toSorted((one, other) => lineShare(one) - lineShare(other))[0]
  if (noisiest === undefined || stops === 0 || (100 * total) / stops <= linesPer100) return ranked
  return quieter(
    ranked.map((one) => (one === noisiest ? { ...one, level: "off" as const } : one)),
    stops
  )
}

/** All rules, with the levels that they earn. */
export const all = (
  rounds: ReadonlyArray<Read>,
  rules: ReadonlyArray<Rule>,
  versionOf: (rule: string) => string
): ReadonlyArray<Ranked> => {
  const read = rounds.filter(({ entries, firstContact }) => firstContact && entries.length > 0)
  const stops = read.reduce((sum, round) => sum + (round.attended ?? 0), 0)
  const ranked = rules.map((rule): Ranked => {
    const counts = tally(rounds, rule.id, versionOf(rule.id))
    return { rule, counts, level: earned(rule, counts) }
  })
  return quieter(ranked, stops)
}
