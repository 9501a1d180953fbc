/** The rules of the judge and their findings. The configuration sets the level of each rule. */
import { lower, type Level } from "../../session/config/Levels.ts"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import type { Loop } from "../../session/facts/Loop.ts"
import { isHalt } from "../../session/task/Intent.ts"
import { checksWeakened, claimsContradicted, claimsUnfounded } from "./claims.ts"
import {
  ownSettings,
  policyBanned,
  policyDirectPush,
  policyOwnSettings,
  questionNobodyThere,
  workNothingRun
} from "./conduct.ts"
import { gatesFailing, gatesNotDelivered, gatesNotRun } from "./gates.ts"
import { hostCutOff, hostFailed, hostLimit } from "./host.ts"
import { loopsPlanning, loopsRepeat, nameOf, ofLoop } from "./loops.ts"
import type { RuleFinding, Rule } from "./model.ts"

export type { Finding, RuleFinding as Found, Rule, Words } from "./model.ts"

export { isOrdered, isProved } from "./asked.ts"
export { openGates } from "./gates.ts"
export { refusesForGood } from "./host.ts"
export { isPlanning } from "./loops.ts"

/**
 * The list of all rules. To add a rule, add it here and nowhere else. The rules are in the order of reporting, most
 * serious first.
 */
const registered = [
  hostFailed,
  hostLimit,
  loopsRepeat,
  loopsPlanning,
  hostCutOff,
  policyDirectPush,
  policyBanned,
  policyOwnSettings,
  checksWeakened,
  gatesFailing,
  gatesNotRun,
  gatesNotDelivered,
  claimsContradicted,
  claimsUnfounded,
  workNothingRun,
  questionNobodyThere
] as const

export type RuleName = (typeof registered)[number]["id"]

export const rules: ReadonlyArray<Rule<RuleName>> = registered

/**
 * Returns the rule with this name. Null if there is none.
 *
 * @category accessors
 */
export const ruleOf = (name: string): Rule<RuleName> | null => rules.find(({ id }) => id === name) ?? null

/** True if a rule has this name. A configuration can only turn off a rule that exists. */
export const isRuleName = (name: string): name is RuleName => ruleOf(name) !== null

export type Levels = Pick<ReflexionConfig, "profile" | "ruleLimits" | "rules">

const byItself = ({ attended, unattended }: Rule, isAttended: boolean): Level => (isAttended ? attended : unattended)

/**
 * Returns the level of a rule. It is the user's setting, or else `nudge` in the strict profile, or else the rule's
 * default. It is never higher than the workspace's limit.
 *
 * @category accessors
 */
export const levelOf = (rule: Rule, { profile, ruleLimits, rules: own }: Levels, attended: boolean): Level =>
  lower(own[rule.id] ?? (profile === "strict" ? "nudge" : byItself(rule, attended)), ruleLimits[rule.id] ?? "nudge")

/** The configured levels, and whether a person is present. */
export interface LevelsHere extends Levels {
  readonly attended: boolean
}

const byName = { "loops/planning": loopsPlanning, "loops/repeat": loopsRepeat }

/** Returns a loop as a finding of its rule, with the rule's level. */
export const foundLoop = (loop: Loop, levels: LevelsHere): RuleFinding => {
  const rule = byName[nameOf(loop)]
  const level = levelOf(rule, levels, levels.attended)
  return { severity: "LOW", stands: true, calls: loop.callIds, ...ofLoop(loop), rule, level }
}

/** Returns the loops whose rule is not turned off. */
export const namedLoops = (loops: ReadonlyArray<Loop>, levels: LevelsHere): ReadonlyArray<Loop> =>
  loops.filter((loop) => foundLoop(loop, levels).level !== "off")

/** True if the agent is told to go on because of this finding. */
export const isNudged = ({ level }: RuleFinding): boolean => level === "nudge"

/** Returns a filter that removes findings which contradict a passed check. */
const deniesNone = ({ gates }: Facts): ((finding: RuleFinding) => boolean) => {
  const passed = new Set(gates.filter(({ result }) => result === "passed").map(({ gate }) => gate))
  return ({ denies = [], gate }) => ![...denies, ...(gate === undefined ? [] : [gate])].some((one) => passed.has(one))
}

/**
 * Returns the levels to use. If the agent changed the judge's settings, the configured levels are ignored. Only the
 * level of the rule that reports this change is kept.
 */
const inForce = (facts: Facts, levels: Levels): Levels => {
  if (ownSettings(facts).length === 0) return levels
  const { [policyOwnSettings.id]: own = "tell" } = levels.rules
  return { profile: levels.profile, rules: { [policyOwnSettings.id]: own }, ruleLimits: {} }
}

/**
 * Returns all findings. Findings with level `nudge` come first, then the rest, most serious first. After the user's
 * "stop" the list is empty. Findings that contradict a passed check are left out. If someone turned a rule off, its
 * findings have level `off`, and nobody is told about these findings.
 *
 * @category judging
 */
export const findings = (facts: Facts, given: Levels): ReadonlyArray<RuleFinding> => {
  if (isHalt(facts.task.message)) return []
  const levels = inForce(facts, given)
  const found = rules.flatMap((rule): ReadonlyArray<RuleFinding> => {
    const level = levelOf(rule, levels, facts.attended)
    if (level === "off" && byItself(rule, facts.attended) === "off") return []
    return rule.find(facts).map((one) => ({ ...one, rule, level: one.stands ? level : lower(level, "tell") }))
  })
  const told = found.filter(deniesNone(facts))
  return [...told.filter(isNudged), ...told.filter((one) => !isNudged(one))]
}
