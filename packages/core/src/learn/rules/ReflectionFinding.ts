/** What the reflection cycle found in many runs: a line of `.reflection/findings.jsonl`. */

export { ReflectionFinding, Rule, Severity, SubjectType } from "./model.ts"

export {
  /**
   * How the ids of those findings begin that a look found, as `reflexion cycle` and the hosts' adapters do: the cycle of a
   * program takes none of them for its own, and so tells what they say, and acts on it, as if nobody had looked.
   *
   * @category constants
   */
  byHand,
  /**
   * The most characters of what a finding says.
   *
   * @category limits
   */
  limits,
  /**
   * The session of every finding.
   *
   * @category constants
   */
  sessionId
} from "./FindingText.ts"
