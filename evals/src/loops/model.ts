/** What the evaluation of loops measures. */
import type * as LoopSuite from "./LoopSuite.ts"
import type * as PairSuite from "../stops/PairSuite.ts"
import type * as RealLoops from "./RealLoops.ts"

/** What is recorded of a run. A suite that was skipped is null. */
export interface LoopResults {
  readonly peers: LoopSuite.LoopSummary | null
  readonly pairs: PairSuite.PairSummary | null
  readonly pairRuns: RealLoops.RealSummary | null
  readonly sessions: RealLoops.RealSummary | null
  readonly benchmark: Readonly<Record<"resolved" | "unresolved", RealLoops.RealSummary>> | null
}
