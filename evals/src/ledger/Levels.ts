/** How far each rule goes with somebody there: as far as the ledger bears it out. */
import type { Rule } from "@reflexion/core/internal/judge/rules/Rules"
import type { Level, RuleName } from "@reflexion/core/internal/session/config/RuleNames"
import * as ExactBound from "../measure/ExactBound.ts"
import * as BlindSet from "./BlindSet.ts"
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
 * counting half; `worth` of `lines` that a user would have read were worth it. `before` is the same of its other versions, which
 * may hold it down until it has proved itself, and never raise it.
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
  readonly before: { readonly fired: number; readonly wrong: number; readonly worth: number; readonly lines: number }
}

const linesOf = (entries: ReadonlyArray<Entry>): { readonly worth: number; readonly lines: number } => ({
  worth: entries.filter(({ line }) => line === true).length,
  lines: entries.filter(({ line }) => line !== undefined).length
})

const isCounted = ({ attended, reachable }: Entry): boolean => attended && reachable

/** Only what was seen for the first time, where the host can still be sent on and somebody is there. */
export const tally = (rounds: ReadonlyArray<Read>, rule: RuleName, version: string): Tally => {
  const all = rounds.filter(({ firstContact }) => firstContact).flatMap(({ entries }) => entries)
  const own = all.filter((entry) => entry.rule === rule)
  const now = own.filter((entry) => entry.version === version)
  const counted = now.filter(isCounted)
  const earlier = own.filter((entry) => entry.version !== version)
  const count = (label: Entry["label"]): number => counted.filter((entry) => entry.label === label).length
  const [right, wrong, open] = [count("right"), count("wrong"), count("open")]
  const lines = linesOf(now)
  return {
    fired: counted.length,
    right,
    wrong,
    open,
    projects: new Set(counted.map(({ project }) => project)).size,
    bound: ExactBound.lower(right + open / 2, counted.length),
    ...lines,
    before: {
      ...linesOf(earlier),
      fired: earlier.length,
      wrong: earlier.filter((entry) => isCounted(entry) && entry.label === "wrong").length
    }
  }
}

/** Fewer than half of its lines are worth reading: those of today's version, and, while it has too few, all. */
const isNoise = ({ before, lines, worth }: Tally): boolean =>
  lines >= fewest
    ? worth * 2 < lines
    : lines + before.lines >= fewest && (worth + before.worth) * 2 < lines + before.lines

/** How often a fact was wrong: in today's version, and, while that has fired too seldom, in all. */
const strikesOf = ({ before, fired, wrong }: Tally): number => (fired >= fewest ? wrong : wrong + before.wrong)

/**
 * The level that a rule earns. A fact that needs no statistic pushes until it was wrong twice; any other rule where its bound
 * is high enough, or where blind cases bear it out and it was never wrong at a real stop. What does not push asks, which without
 * a model only tells, unless its lines are not worth reading. What another version of it did counts against it until this one
 * has done enough, and never for it.
 */
export const earned = (rule: Pick<Rule, "fact" | "most">, counts: Tally, isBorneOut = false): Level => {
  const mayPush = rule.most === undefined || rule.most === "push"
  const isSound = counts.bound >= precision && counts.projects >= projects
  const isClean = isBorneOut && counts.wrong + counts.before.wrong === 0
  const proved = rule.fact === true ? strikesOf(counts) < strikes : isSound || isClean
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

/** The rules that say another level for somebody there than they earn, a line each. */
export const differing = (ranked: ReadonlyArray<Ranked>): ReadonlyArray<string> =>
  ranked
    .filter(({ level, rule }) => rule.attended !== level)
    .map(({ level, rule }) => `${rule.id} says ${rule.attended} with somebody there, and earns ${level}`)

/** All rules, with the levels that they earn. */
export const all = (
  rounds: ReadonlyArray<Read>,
  rules: ReadonlyArray<Rule>,
  versionOf: (rule: string) => string,
  sets: ReadonlyArray<BlindSet.BlindSet>
): ReadonlyArray<Ranked> => {
  const read = rounds.filter(({ entries, firstContact }) => firstContact && entries.length > 0)
  const stops = read.reduce((sum, round) => sum + (round.attended ?? 0), 0)
  const ranked = rules.map((rule): Ranked => {
    const version = versionOf(rule.id)
    const counts = tally(rounds, rule.id, version)
    return { rule, counts, level: earned(rule, counts, BlindSet.bearsOut(sets, rule.id, version)) }
  })
  return quieter(ranked, stops)
}
