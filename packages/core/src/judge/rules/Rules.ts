/**
 * The rules of the judge in their order, gravest first, and what they find. How far each goes is the configuration's to say.
 */
import { isRuleName, lower, type Level, type RuleName } from "../../session/config/RuleNames.ts"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { isHalt } from "../../session/task/Intent.ts"
import { checksWeakened, claimsContradicted, claimsUnfounded } from "./claims.ts"
import { policyDirectPush, policyOwnSettings, stopAsksNobody, todosOpen, workNothingRun } from "./conduct.ts"
import {
  gatesCiPending,
  gatesFailingAfterEdit,
  gatesFailingUnordered,
  gatesMaybeNotRun,
  gatesNotDelivered,
  gatesOrderedNotRun,
  gatesStale
} from "./gates.ts"
import { stopCutOff, stopEmptyAnswer, stopServiceError } from "./host.ts"
import { loopsPlanning, loopsRounds, loopsSameFailingCall, loopsSameResult, loopsSameWords } from "./loops.ts"
import type { Finding, Found, Rule } from "./model.ts"

export type { Finding, Found, Rule } from "./model.ts"

export { isPlanning, isRepeating } from "./loops.ts"

export { refusesForGood, refusesModel } from "./host.ts"

export { isOrdered, isProved } from "./shared.ts"

/** A rule is registered here. The order is the one in which they are told. */
export const byName: Readonly<Record<RuleName, Rule>> = {
  "stop/service-error": stopServiceError,
  "loops/same-failing-call": loopsSameFailingCall,
  "loops/same-result": loopsSameResult,
  "loops/rounds": loopsRounds,
  "loops/same-words": loopsSameWords,
  "loops/planning": loopsPlanning,
  "stop/empty-answer": stopEmptyAnswer,
  "policy/direct-push": policyDirectPush,
  "policy/own-settings": policyOwnSettings,
  "checks/weakened": checksWeakened,
  "gates/failing-after-edit": gatesFailingAfterEdit,
  "gates/ordered-not-run": gatesOrderedNotRun,
  "gates/stale": gatesStale,
  "gates/not-delivered": gatesNotDelivered,
  "gates/failing-unordered": gatesFailingUnordered,
  "gates/maybe-not-run": gatesMaybeNotRun,
  "gates/ci-pending": gatesCiPending,
  "claims/contradicted": claimsContradicted,
  "claims/unfounded": claimsUnfounded,
  "stop/cut-off": stopCutOff,
  "work/nothing-run": workNothingRun,
  "stop/asks-nobody": stopAsksNobody,
  "todos/open": todosOpen
}

export const rules: ReadonlyArray<Rule> = Object.values(byName)

/**
 * A rule by its name; null where none has it.
 *
 * @category accessors
 */
export const ruleOf = (name: string): Rule | null => (isRuleName(name) ? byName[name] : null)

export type Levels = Pick<ReflexionConfig, "profile" | "ruleLimits" | "rules">

/**
 * How far a rule goes under a configuration: as far as the user says, else in the strict profile to a push, else as far as it goes
 * by itself; never further than the workspace lets it.
 *
 * @category accessors
 */
export const levelOf = (rule: Rule, { profile, ruleLimits, rules: own }: Levels, attended: boolean): Level => {
  const byItself = attended ? rule.attended : rule.unattended
  return lower(own[rule.id] ?? (profile === "strict" ? "push" : byItself), ruleLimits[rule.id] ?? "push")
}

/**
 * The levels where a model agrees with every rule that asks: those push.
 *
 * @category accessors
 */
export const agreed = ({ profile, ruleLimits, rules: own }: Levels, attended: boolean): Levels => {
  const levels = { profile, ruleLimits, rules: own }
  const asking = rules.filter((rule) => ["ask", "push"].includes(levelOf(rule, levels, attended)))
  const pushing = Object.fromEntries(asking.map(({ id }) => [id, "push"] as const))
  return { profile, rules: { ...own, ...pushing }, ruleLimits: { ...ruleLimits, ...pushing } }
}

/**
 * The levels for what tells nobody of a stop, as a score or the text after a compaction: what is off only because its lines were not
 * worth reading is found again.
 *
 * @category accessors
 */
export const withUnread = <A extends Pick<Levels, "rules">>(levels: A): A => ({
  ...levels,
  rules: {
    ...Object.fromEntries(rules.flatMap(({ attended, id }) => (attended === "off" ? [[id, "tell"] as const] : []))),
    ...levels.rules
  }
})

/** A state whose levels were kept when its turn began, for the same. */
export const unread = <A extends { readonly levels?: Pick<Levels, "rules" | "ruleLimits"> }>(state: A): A =>
  state.levels === undefined ? state : { ...state, levels: withUnread(state.levels) }

/** Whether it is named among what is missing: a rule that is turned off names nothing, and a stuck agent is told by itself. */
export const isListed = ({ level, rule }: Found): boolean => level !== "off" && rule.stuck !== true

/** Whether the agent is sent on for it. */
export const isPushed = ({ level, stands }: Found): boolean => stands && level === "push"

/** What the verdict calls passed is denied by no finding. */
const deniesNone = ({ gates }: Facts): ((finding: Finding) => boolean) => {
  const passed = new Set(gates.filter(({ result }) => result === "passed").map(({ gate }) => gate))
  return ({ denies = [], gate }) => ![...denies, ...(gate === undefined ? [] : [gate])].some((one) => passed.has(one))
}

/** How far a finding goes: one that only asks by itself goes as far as the configuration, or a model that agrees, says. */
const levelOfFinding = (
  { most = "push" }: Finding,
  { id }: Rule,
  level: Level,
  { profile, rules: own }: Levels
): Level => (most === "ask" && (profile === "strict" || own[id] !== undefined) ? level : lower(level, most))

/**
 * Everything that is found: what is pushed for before what is only told, gravest first. After the user's "stop" nothing is.
 * What a rule finds that is turned off is left out, unless a task must not be called done over it; so is what would deny a
 * check that passed.
 *
 * @category judging
 */
export const findings = (facts: Facts, levels: Levels): ReadonlyArray<Found> => {
  if (isHalt(facts.task.message)) return []
  const isTrue = deniesNone(facts)
  const found = rules.flatMap((rule): ReadonlyArray<Found> => {
    const level = levelOf(rule, levels, facts.attended)
    return level === "off" && rule.holds !== true
      ? []
      : rule
          .check(facts)
          .filter((finding) => isTrue(finding) && (finding.most !== "tell" || level !== "off"))
          .map((finding) => ({ ...finding, rule, level: levelOfFinding(finding, rule, level, levels) }))
  })
  return [...found.filter(isPushed), ...found.filter((finding) => !isPushed(finding))]
}
