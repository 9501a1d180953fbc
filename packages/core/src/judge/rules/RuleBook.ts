/** What a person reads of the rules: their pages, by name. The examples in them are their tests; no hook loads it. */
import type { Page, Rule } from "./model.ts"
import { rules } from "./Rules.ts"
import { page as gatesCiPending } from "./gatesCiPending.ts"
import { page as claimsContradicted } from "./claimsContradicted.ts"
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
import { page as stopCutOff } from "./stopCutOff.ts"
import { page as stopEmptyAnswer } from "./stopEmptyAnswer.ts"
import { page as stopAsksNobody } from "./stopAsksNobody.ts"
import { page as stopServiceError } from "./stopServiceError.ts"
import { page as checksWeakened } from "./checksWeakened.ts"
import { page as todosOpen } from "./todosOpen.ts"
import { page as workNothingRun } from "./workNothingRun.ts"
import type { RuleName } from "../../session/config/RuleNames.ts"

export type { Example, Page, Rule } from "./model.ts"

export { earned } from "./earned.ts"

export { levelOf, rules } from "./Rules.ts"

const pages: Readonly<Record<RuleName, Page>> = {
  "stop/service-error": stopServiceError,
  "stop/empty-answer": stopEmptyAnswer,
  "stop/cut-off": stopCutOff,
  "stop/asks-nobody": stopAsksNobody,
  "gates/failing-after-edit": gatesFailingAfterEdit,
  "gates/failing-unordered": gatesFailingUnordered,
  "gates/ordered-not-run": gatesOrderedNotRun,
  "gates/stale": gatesStale,
  "gates/not-delivered": gatesNotDelivered,
  "gates/maybe-not-run": gatesMaybeNotRun,
  "gates/ci-pending": gatesCiPending,
  "claims/contradicted": claimsContradicted,
  "claims/unfounded": claimsUnfounded,
  "work/nothing-run": workNothingRun,
  "todos/open": todosOpen,
  "loops/same-failing-call": loopsSameFailingCall,
  "loops/planning": loopsPlanning,
  "loops/same-result": loopsSameResult,
  "loops/rounds": loopsRounds,
  "loops/same-words": loopsSameWords,
  "policy/direct-push": policyDirectPush,
  "policy/own-settings": policyOwnSettings,
  "checks/weakened": checksWeakened
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
