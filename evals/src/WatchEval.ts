/** Everything that is measured of stuckness and compaction: hand-written sessions, and the stops of real ones. */
import { type CaseSummary, summary as sumUp, type Written } from "./CaseSuite.ts"
import * as CompactionSuite from "./CompactionSuite.ts"
import * as Floors from "./Floors.ts"
import * as NudgeSuite from "./NudgeSuite.ts"
import * as StuckSuite from "./StuckSuite.ts"
import * as Report from "./WatchReport.ts"

export const names = ["stuck", "nudges", "compaction"] as const

/** What is recorded of a run. A suite that was skipped is null. */
export interface WatchResults {
  readonly stuck: CaseSummary | null
  readonly nudges: ReadonlyArray<NudgeSuite.NudgeSummary> | null
  readonly compaction: CaseSummary | null
}

interface Evaluated {
  readonly results: WatchResults
  readonly failures: ReadonlyArray<string>
}

interface Options {
  readonly isWanted: (suite: string) => boolean
  readonly print: (text: string) => void
  readonly floors: Floors.Floors
  /** Whether every nudge is listed for a reader. */
  readonly listed: boolean
}

type Failures = Array<string>

const written = (
  name: "stuck" | "compaction",
  results: ReadonlyArray<Written<{ readonly id: string; readonly why: string }>>,
  { options, failures }: { readonly options: Options; readonly failures: Failures }
): CaseSummary => {
  const summary = sumUp(results)
  const { known } = options.floors[name]
  options.print(Report.cases(name, summary, results))
  for (const id of Floors.caseGains(known, summary))
    options.print(`  ${id} passes now: --record takes it off the known ones`)
  failures.push(...Floors.caseFailures(known, summary))
  return summary
}

const nudges = (root: string, { floors, listed, print }: Options, failures: Failures): WatchResults["nudges"] => {
  const rows = NudgeSuite.run(root)
  const summaries = NudgeSuite.summary(rows)
  print(Report.nudges(summaries, rows, { listed }))
  for (const { false: wrong, found, silence } of summaries) {
    if (wrong > floors.stuck.maxFalseNudges)
      failures.push(`nudges: ${wrong} false ones after ${silence} s, at most ${floors.stuck.maxFalseNudges} allowed`)
    if (found < floors.stuck.minFoundNudges)
      failures.push(`nudges: ${found} found after ${silence} s, at least ${floors.stuck.minFoundNudges} needed`)
  }
  return summaries
}

export const evaluate = (root: string | null, options: Options): Evaluated => {
  const failures: Failures = []
  const { isWanted } = options
  const given = { options, failures }
  return {
    results: {
      stuck: isWanted("stuck") ? written("stuck", StuckSuite.assessAll(), given) : null,
      nudges: root !== null && isWanted("nudges") ? nudges(root, options, failures) : null,
      compaction: isWanted("compaction") ? written("compaction", CompactionSuite.assessAll(), given) : null
    },
    failures
  }
}
