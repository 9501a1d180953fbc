/** The rules of the judge, and what they find. How far each goes is the configuration's to say. */
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
import { hostCutOff, hostFailed } from "./host.ts"
import { loopsPlanning, loopsRepeat, nameOf, ofLoop } from "./loops.ts"
import type { RuleFinding, Rule } from "./model.ts"

export type { Finding, RuleFinding as Found, Rule, Words } from "./model.ts"

export { isOrdered, isProved } from "./asked.ts"
export { openGates } from "./gates.ts"
export { refusesForGood } from "./host.ts"
export { isPlanning } from "./loops.ts"

/** A rule is registered here, and nowhere else. The order is the one in which they are told, gravest first. */
const registered = [
  hostFailed,
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
 * A rule by its name; null where none has it.
 *
 * @category accessors
 */
export const ruleOf = (name: string): Rule<RuleName> | null => rules.find(({ id }) => id === name) ?? null

/** Whether a name is a rule's, which a configuration can turn off. */
export const isRuleName = (name: string): name is RuleName => ruleOf(name) !== null

export type Levels = Pick<ReflexionConfig, "profile" | "ruleLimits" | "rules">

const byItself = ({ attended, unattended }: Rule, isAttended: boolean): Level => (isAttended ? attended : unattended)

/**
 * How far a rule goes under a configuration: as far as the user says, else in the strict profile to a nudge, else as far as it goes
 * by itself; never further than the workspace lets it.
 *
 * @category accessors
 */
export const levelOf = (rule: Rule, { profile, ruleLimits, rules: own }: Levels, attended: boolean): Level =>
  lower(own[rule.id] ?? (profile === "strict" ? "nudge" : byItself(rule, attended)), ruleLimits[rule.id] ?? "nudge")

/** The levels in force, and whether somebody is there. */
export interface LevelsHere extends Levels {
  readonly attended: boolean
}

const byName = { "loops/planning": loopsPlanning, "loops/repeat": loopsRepeat }

/** A loop as its rule finds it, and how far that goes. */
export const foundLoop = (loop: Loop, levels: LevelsHere): RuleFinding => {
  const rule = byName[nameOf(loop)]
  const level = levelOf(rule, levels, levels.attended)
  return { severity: "LOW", stands: true, calls: loop.callIds, ...ofLoop(loop), rule, level }
}

/** The loops whose rule is not turned off. */
export const namedLoops = (loops: ReadonlyArray<Loop>, levels: LevelsHere): ReadonlyArray<Loop> =>
  loops.filter((loop) => foundLoop(loop, levels).level !== "off")

/** Whether the agent is sent on for it. */
export const isNudged = ({ level }: RuleFinding): boolean => level === "nudge"

/** What the verdict calls passed is denied by no finding. */
const deniesNone = ({ gates }: Facts): ((finding: RuleFinding) => boolean) => {
  const passed = new Set(gates.filter(({ result }) => result === "passed").map(({ gate }) => gate))
  return ({ denies = [], gate }) => ![...denies, ...(gate === undefined ? [] : [gate])].some((one) => passed.has(one))
}

/** An agent that changes its judge's settings is judged by what the rules are by themselves, but for the one that tells of it. */
const inForce = (facts: Facts, levels: Levels): Levels => {
  if (ownSettings(facts).length === 0) return levels
  const { [policyOwnSettings.id]: own = "tell" } = levels.rules
  return { profile: levels.profile, rules: { [policyOwnSettings.id]: own }, ruleLimits: {} }
}

/**
 * Everything that is found: what is nudged for before what is only told, gravest first. After the user's "stop" nothing is.
 * What would deny a check that passed is left out. What somebody has turned off stays at its level `off`: nobody is told of it.
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
