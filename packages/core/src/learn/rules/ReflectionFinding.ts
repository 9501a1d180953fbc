/**
 * What the reflection cycle found in many runs: a line of `.reflection/findings.jsonl`.
 *
 * @since 0.1.0
 */

export { ReflectionFinding, Rule, Severity, SubjectType } from "./model.ts"

export {
  /**
   * How the ids of those findings begin that a look found, as `reflexion cycle` and the hosts' adapters do: the cycle of a
   * program takes none of them for its own, and so tells what they say, and acts on it, as if nobody had looked.
   *
   * @since 0.1.0
   * @category constants
   */
  byHand,
  /**
   * The most characters of what a finding says.
   *
   * @since 0.1.0
   * @category limits
   */
  limits,
  /**
   * The session of every finding.
   *
   * @since 0.1.0
   * @category constants
   */
  sessionId
} from "./FindingText.ts"
