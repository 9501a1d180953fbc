/** What a person reads of the rules: their pages, by name. The examples in them are their tests; no hook loads it. */
import type { Page, Rule } from "./model.ts"
import { rules } from "./Rules.ts"
import { page as gatesCiPending } from "./gatesCiPending.ts"
import { page as workTestsNotRun } from "./workTestsNotRun.ts"
import { page as workRestUntouched } from "./workRestUntouched.ts"
import { page as workErrorExplained } from "./workErrorExplained.ts"
import { page as claimsChangeNotMade } from "./claimsChangeNotMade.ts"
import { page as claimsDisproved } from "./claimsDisproved.ts"
import { page as claimsOverstated } from "./claimsOverstated.ts"
import { page as claimsUnfounded } from "./claimsUnfounded.ts"
import { page as gatesFailingAfterEdit } from "./gatesFailingAfterEdit.ts"
import { page as gatesFailingUnordered } from "./gatesFailingUnordered.ts"
import { page as gatesMaybeNotRun } from "./gatesMaybeNotRun.ts"
import { page as gatesNotDelivered } from "./gatesNotDelivered.ts"
import { page as gatesOrderedNotRun } from "./gatesOrderedNotRun.ts"
import { page as gatesStale } from "./gatesStale.ts"
import { page as loopsPlanning } from "./loopsPlanning.ts"
import { page as loopsRounds } from "./loopsRounds.ts"
import { page as loopsSameFailingCall } from "./loopsSameFailingCall.ts"
import { page as loopsSameResult } from "./loopsSameResult.ts"
import { page as loopsSameWords } from "./loopsSameWords.ts"
import { page as policyDirectPush } from "./policyDirectPush.ts"
import { page as policyOwnSettings } from "./policyOwnSettings.ts"
import { page as stopAnnouncedStep } from "./stopAnnouncedStep.ts"
import { page as stopBreaksOff } from "./stopBreaksOff.ts"
import { page as stopCutOff } from "./stopCutOff.ts"
import { page as stopEmptyAnswer } from "./stopEmptyAnswer.ts"
import { page as stopListedSteps } from "./stopListedSteps.ts"
import { page as stopNeedlessQuestion } from "./stopNeedlessQuestion.ts"
import { page as stopServiceError } from "./stopServiceError.ts"
import { page as stopWaitsForNothing } from "./stopWaitsForNothing.ts"
import { page as tamperingTestRemoved } from "./tamperingTestRemoved.ts"
import { page as tamperingTestSkipped } from "./tamperingTestSkipped.ts"
import { page as tamperingAssertionWeakened } from "./tamperingAssertionWeakened.ts"
import { page as tamperingSubjectMocked } from "./tamperingSubjectMocked.ts"
import { page as tamperingCheckSilenced } from "./tamperingCheckSilenced.ts"
import { page as tamperingHardCoded } from "./tamperingHardCoded.ts"
import { page as todosOpen } from "./todosOpen.ts"
import { page as workCalledFlaky } from "./workCalledFlaky.ts"
import { page as workDefectLeft } from "./workDefectLeft.ts"
import { page as workHandedOver } from "./workHandedOver.ts"
import { page as workLeft } from "./workLeft.ts"
import { page as workNothingRun } from "./workNothingRun.ts"
import { page as workOnlyTestsChanged } from "./workOnlyTestsChanged.ts"
import { page as workOrderedNotBegun } from "./workOrderedNotBegun.ts"
import { page as workOpenPlan } from "./workOpenPlan.ts"
import { page as workSaysInProgress } from "./workSaysInProgress.ts"
import type { RuleName } from "../../session/config/RuleNames.ts"

export type { Example, Page, Rule } from "./model.ts"

export { earned } from "./earned.ts"

export { levelOf, rules } from "./Rules.ts"

const pages: Readonly<Record<RuleName, Page>> = {
  "stop/service-error": stopServiceError,
  "stop/empty-answer": stopEmptyAnswer,
  "stop/cut-off": stopCutOff,
  "stop/breaks-off": stopBreaksOff,
  "stop/announced-step": stopAnnouncedStep,
  "stop/listed-steps": stopListedSteps,
  "stop/needless-question": stopNeedlessQuestion,
  "stop/waits-for-nothing": stopWaitsForNothing,
  "gates/failing-after-edit": gatesFailingAfterEdit,
  "gates/failing-unordered": gatesFailingUnordered,
  "gates/ordered-not-run": gatesOrderedNotRun,
  "gates/stale": gatesStale,
  "gates/not-delivered": gatesNotDelivered,
  "gates/maybe-not-run": gatesMaybeNotRun,
  "gates/ci-pending": gatesCiPending,
  "claims/disproved": claimsDisproved,
  "claims/overstated": claimsOverstated,
  "claims/unfounded": claimsUnfounded,
  "claims/change-not-made": claimsChangeNotMade,
  "work/defect-left": workDefectLeft,
  "work/ordered-not-begun": workOrderedNotBegun,
  "work/nothing-run": workNothingRun,
  "work/called-flaky": workCalledFlaky,
  "work/tests-not-run": workTestsNotRun,
  "work/rest-untouched": workRestUntouched,
  "work/error-explained": workErrorExplained,
  "work/handed-over": workHandedOver,
  "work/left": workLeft,
  "work/only-tests-changed": workOnlyTestsChanged,
  "work/says-in-progress": workSaysInProgress,
  "work/open-plan": workOpenPlan,
  "todos/open": todosOpen,
  "loops/same-failing-call": loopsSameFailingCall,
  "loops/planning": loopsPlanning,
  "loops/same-result": loopsSameResult,
  "loops/rounds": loopsRounds,
  "loops/same-words": loopsSameWords,
  "policy/direct-push": policyDirectPush,
  "policy/own-settings": policyOwnSettings,
  "tampering/test-removed": tamperingTestRemoved,
  "tampering/test-skipped": tamperingTestSkipped,
  "tampering/assertion-weakened": tamperingAssertionWeakened,
  "tampering/subject-mocked": tamperingSubjectMocked,
  "tampering/check-silenced": tamperingCheckSilenced,
  "tampering/hard-coded": tamperingHardCoded
}

/**
 * The page of a rule.
 *
 * @category accessors
 */
export const pageOf = ({ id }: Rule): Page => pages[id]

/**
 * A rule by its name; null where none has it.
 *
 * @category accessors
 */
export const ruleOf = (name: string): Rule | null => rules.find(({ id }) => id === name) ?? null
