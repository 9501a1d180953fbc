/**
 * How far each rule goes with somebody there: as far as it has proved itself on stops that nobody had seen. Written from
 * evals/ledger by `npm run ledger -- --write`.
 */
import type { Level, RuleName } from "../../session/config/RuleNames.ts"

export const earned: Readonly<Record<RuleName, Level>> = {
  "stop/service-error": "push",
  "loops/same-failing-call": "ask",
  "loops/same-result": "ask",
  "loops/rounds": "ask",
  "loops/same-words": "ask",
  "loops/planning": "ask",
  "stop/empty-answer": "ask",
  "work/defect-left": "tell",
  "policy/direct-push": "ask",
  "policy/own-settings": "tell",
  "gates/failing-after-edit": "push",
  "gates/ordered-not-run": "push",
  "gates/stale": "ask",
  "gates/not-delivered": "ask",
  "gates/failing-unordered": "off",
  "gates/maybe-not-run": "ask",
  "gates/ci-pending": "ask",
  "claims/disproved": "push",
  "claims/unfounded": "ask",
  "claims/change-not-made": "push",
  "work/ordered-not-begun": "ask",
  "stop/announced-step": "ask",
  "stop/cut-off": "push",
  "stop/breaks-off": "off",
  "stop/waits-for-nothing": "ask",
  "work/handed-over": "ask",
  "work/nothing-run": "ask",
  "work/called-flaky": "ask",
  "work/tests-not-run": "off",
  "work/rest-untouched": "ask",
  "work/error-explained": "ask",
  "work/left": "ask",
  "work/only-tests-changed": "ask",
  "stop/listed-steps": "off",
  "work/stopped-short": "ask",
  "work/says-in-progress": "ask",
  "work/open-plan": "ask",
  "stop/needless-question": "ask",
  "todos/open": "off"
}
