/** What the evaluation of loops measures. */
import * as LoopSuite from "./LoopSuite.ts"
import * as PairSuite from "../stops/PairSuite.ts"
import * as RealLoops from "./RealLoops.ts"

/** What is recorded of a run. A suite that was skipped is null. */
export interface LoopResults {
  readonly peers: LoopSuite.LoopSummary | null
  readonly pairs: PairSuite.PairSummary | null
  readonly pairRuns: RealLoops.RealSummary | null
  readonly sessions: RealLoops.RealSummary | null
  readonly benchmark: Readonly<Record<"resolved" | "unresolved", RealLoops.RealSummary>> | null
}
