/** Sessions written by hand up to a compaction, each with what a careful reader says has to go on after it. */
import type { Action } from "@reflexion/core/Compaction"
import type { Case } from "../case/Case.ts"

export interface CompactionCase extends Omit<Case, "expect" | "repo" | "gates"> {
  readonly expect: CompactionExpectation
}

/** What has to be said. Where several answers are right, a list holds them. */
export interface CompactionExpectation {
  readonly action: Action | ReadonlyArray<Action>
  /** `hasActiveGitWork`; left out where both are defensible. */
  readonly git?: boolean
  /** Texts that the text for the agent has to contain, whatever their case. */
  readonly says?: ReadonlyArray<string>
  /** Texts that it must not contain. */
  readonly never?: ReadonlyArray<string>
  readonly confidenceAtMost?: number
}
