/** What the evaluation of nudges, stuckness and compactions measures. */
import type { CaseSummary } from "../case/CaseSuite.ts"
import type * as NudgeSuite from "./NudgeSuite.ts"

/** What is recorded of a run. A suite that was skipped is null. */
export interface WatchResults {
  readonly stuck: CaseSummary | null
  readonly nudges: ReadonlyArray<NudgeSuite.NudgeSummary> | null
  readonly compaction: CaseSummary | null
}
