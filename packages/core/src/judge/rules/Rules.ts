/**
 * The rules of the judge in their order, gravest first, and what they find. Each is in a file of its own beside this one, with
 * its examples; how far each goes is the configuration's to say.
 */
import { lower, type Level } from "../../session/config/RuleNames.ts"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { isHalt } from "../../session/task/TakenBack.ts"
import type { Found, Rule } from "./model.ts"
import { gatesCiPending } from "./gatesCiPending.ts"
import { workTestsNotRun } from "./workTestsNotRun.ts"
import { workRestUntouched } from "./workRestUntouched.ts"
import { workErrorExplained } from "./workErrorExplained.ts"
import { claimsChangeNotMade } from "./claimsChangeNotMade.ts"
import { claimsDisproved } from "./claimsDisproved.ts"
import { gatesFailingAfterEdit } from "./gatesFailingAfterEdit.ts"
import { gatesFailingUnordered } from "./gatesFailingUnordered.ts"
import { gatesMaybeNotRun } from "./gatesMaybeNotRun.ts"
import { gatesOrderedNotRun } from "./gatesOrderedNotRun.ts"
import { loopsPlanning } from "./loopsPlanning.ts"
import { loopsSameFailingCall } from "./loopsSameFailingCall.ts"
import { policyDirectPush } from "./policyDirectPush.ts"
import { policyOwnSettings } from "./policyOwnSettings.ts"
import { stopAnnouncedStep } from "./stopAnnouncedStep.ts"
import { stopCutOff } from "./stopCutOff.ts"
import { stopEmptyAnswer } from "./stopEmptyAnswer.ts"
import { stopListedSteps } from "./stopListedSteps.ts"
import { stopNeedlessQuestion } from "./stopNeedlessQuestion.ts"
import { stopServiceError } from "./stopServiceError.ts"
import { stopWaitsForNothing } from "./stopWaitsForNothing.ts"
import { todosOpen } from "./todosOpen.ts"
import { workCalledFlaky } from "./workCalledFlaky.ts"
import { workDefectLeft } from "./workDefectLeft.ts"
import { workHandedOver } from "./workHandedOver.ts"
import { workLeft } from "./workLeft.ts"
import { workNothingRun } from "./workNothingRun.ts"
import { workOnlyTestsChanged } from "./workOnlyTestsChanged.ts"
import { workOrderedNotBegun } from "./workOrderedNotBegun.ts"
import { workOpenPlan } from "./workOpenPlan.ts"
import { workSaysInProgress } from "./workSaysInProgress.ts"
import { workStoppedShort } from "./workStoppedShort.ts"

export type { Finding, Found, Rule } from "./model.ts"

export { isPlanning, planOnly } from "./loopsPlanning.ts"

export { isRepeating } from "./loopsSameFailingCall.ts"

export { refusesAccount } from "./stopServiceError.ts"

export const rules: ReadonlyArray<Rule> = [
  stopServiceError,
  loopsSameFailingCall,
  loopsPlanning,
  stopEmptyAnswer,
  workDefectLeft,
  policyDirectPush,
  policyOwnSettings,
  gatesFailingAfterEdit,
  gatesOrderedNotRun,
  gatesFailingUnordered,
  gatesMaybeNotRun,
  gatesCiPending,
  claimsDisproved,
  claimsChangeNotMade,
  workOrderedNotBegun,
  stopAnnouncedStep,
  stopCutOff,
  stopWaitsForNothing,
  workHandedOver,
  workNothingRun,
  workCalledFlaky,
  workTestsNotRun,
  workRestUntouched,
  workErrorExplained,
  workLeft,
  workOnlyTestsChanged,
  stopListedSteps,
  workStoppedShort,
  workSaysInProgress,
  workOpenPlan,
  stopNeedlessQuestion,
  todosOpen
]

export type Levels = Pick<ReflexionConfig, "profile" | "ruleLimits" | "rules">

/** How far a rule goes by itself, with somebody there or with nobody. */
const ownLevel = ({ level, unattended = level }: Rule, attended: boolean): Level => (attended ? level : unattended)

/**
 * How far a rule goes under a configuration: as far as the user says, else in the strict profile to a push, else as far as
 * the rule goes by itself with somebody there (`attended`) or with nobody; never further than the workspace lets it.
 *
 * @category accessors
 */
export const levelOf = (rule: Rule, { profile, ruleLimits, rules: own }: Levels, attended: boolean): Level =>
  lower(own[rule.id] ?? (profile === "strict" ? "push" : ownLevel(rule, attended)), ruleLimits[rule.id] ?? "push")

/**
 * The levels where a model agrees with every rule that asks: those push.
 *
 * @category accessors
 */
export const agreed = ({ profile, ruleLimits, rules: own }: Levels, attended: boolean): Levels => {
  const asking = rules.filter((rule) => levelOf(rule, { profile, ruleLimits, rules: own }, attended) === "ask")
  const pushing = Object.fromEntries(asking.map(({ id }) => [id, "push"] as const))
  return { profile, rules: { ...own, ...pushing }, ruleLimits: { ...ruleLimits, ...pushing } }
}

/** Whether it is named among what is missing: a rule that is turned off names nothing, and a stuck agent is told by itself. */
export const isListed = ({ level, rule }: Found): boolean => level !== "off" && rule.stuck !== true

/** Whether the agent is sent on for it. */
export const isPushed = ({ level, stands }: Found): boolean => stands && level === "push"

/**
 * Everything that is found: what is pushed for before what is only told, gravest first. After the user's "stop" nothing is.
 * What a rule finds that is turned off is left out, unless a task must not be called done over it.
 *
 * @category judging
 */
export const findings = (facts: Facts, levels: Levels): ReadonlyArray<Found> => {
  if (isHalt(facts.task.message)) return []
  const found = rules.flatMap((rule): ReadonlyArray<Found> => {
    const level = levelOf(rule, levels, facts.attended)
    return level === "off" && rule.holds !== true
      ? []
      : rule.check(facts).map((finding) => ({ ...finding, rule, level }))
  })
  return [...found.filter(isPushed), ...found.filter((finding) => !isPushed(finding))]
}
