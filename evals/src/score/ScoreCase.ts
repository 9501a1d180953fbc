/** Sessions written by hand, each with the score that a careful reader gives the agent's work on the last task. */
import type { Case } from "../case/Case.ts"

export interface ScoreCase extends Omit<Case, "expect" | "repo" | "gates"> {
  readonly expect: ScoreExpectation
}

/** What has to be said. Where several scores are defensible, a list holds them. */
export interface ScoreExpectation {
  readonly score: number | ReadonlyArray<number>
  /** Texts that the reasons have to contain, whatever their case. */
  readonly says?: ReadonlyArray<string>
  /** Texts that the reasons must not contain, whatever their case. */
  readonly never?: ReadonlyArray<string>
}
