/** Sessions written by hand as a watcher finds them, each with what a careful reader says that it is doing. */
import type { LoopPattern } from "@reflexion/core/internal/session/facts/Loop"
import type { Reason } from "@reflexion/core/StuckAssessment"
import type { Case } from "../case/Case.ts"

export interface StuckCase extends Omit<Case, "expect" | "repo" | "gates"> {
  /** Seconds since the last event; a minute by default. */
  readonly silence?: number
  readonly expect: StuckExpectation
}

/** What an assessment has to say. Where several answers are right, a list holds them. */
export interface StuckExpectation {
  readonly reason: Reason | ReadonlyArray<Reason>
  /** `shouldNudge`; left out where both are defensible. */
  readonly nudge?: boolean
  /** A loop that has to be among those found. */
  readonly loop?: LoopPattern
  /** Texts that the nudge has to contain, whatever their case. */
  readonly says?: ReadonlyArray<string>
  /** Texts that one of the facts has to contain, whatever their case. */
  readonly evidence?: ReadonlyArray<string>
}
