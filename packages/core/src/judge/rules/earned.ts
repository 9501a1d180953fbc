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
  "stop/empty-answer": "push",
  "policy/direct-push": "ask",
  "policy/own-settings": "tell",
  "checks/weakened": "ask",
  "gates/failing-after-edit": "push",
  "gates/ordered-not-run": "push",
  "gates/stale": "ask",
  "gates/not-delivered": "ask",
  "gates/failing-unordered": "off",
  "gates/maybe-not-run": "ask",
  "gates/ci-pending": "ask",
  "claims/contradicted": "push",
  "claims/unfounded": "off",
  "stop/cut-off": "push",
  "work/nothing-run": "ask",
  "stop/asks-nobody": "ask",
  "todos/open": "off"
}
