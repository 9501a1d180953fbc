/** Everything that is measured of stuckness and compaction: hand-written sessions, and the stops of real ones. */
import { always, baselines } from "../measure/Baselines.ts"
import { summary as sumUp, type CaseSummary, type Written } from "../case/CaseSuite.ts"
import * as CompactionSuite from "./CompactionSuite.ts"
import * as Floors from "../report/Floors.ts"
import * as MeasuredStops from "../stops/MeasuredStops.ts"
import * as NudgeSuite from "./NudgeSuite.ts"
import * as Corpus from "../sessions/Corpus.ts"
import type { Rate } from "../report/RatesBook.ts"
import * as StuckSuite from "./StuckSuite.ts"
import * as Report from "./WatchReport.ts"
import type { WatchResults } from "./model.ts"

export type { WatchResults } from "./model.ts"

export const names = ["stuck", "nudges", "compaction"] as const

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
  readonly rate?: Rate
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
  failures.push(...Floors.caseFailures(known, summary), ...Floors.lostCases(name, summary.cases))
  return summary
}

const nudges = (root: string, { floors, listed, print, rate }: Options, failures: Failures): WatchResults["nudges"] => {
  const rows = NudgeSuite.run(root)
  const summaries = NudgeSuite.summary(rows)
  print(Report.nudges(summaries, rows, { listed }))
  for (const silence of NudgeSuite.silences) {
    const labelled = rows.filter((row) => row.silence === silence && row.push !== undefined)
    rate?.(`nudges after ${silence} s`, labelled.map(MeasuredStops.ofNudge), baselines)
  }
  const labelled = rows.filter((row) => row.silence === NudgeSuite.silences[0] && row.push !== undefined)
  failures.push(...Corpus.notFound("nudges", labelled.length, Corpus.labels(root)))
  for (const { atUtmost, false: wrong, found, silence } of summaries) {
    if (wrong > floors.stuck.maxFalseNudges)
      failures.push(`nudges: ${wrong} false ones after ${silence} s, at most ${floors.stuck.maxFalseNudges} allowed`)
    if (found < floors.stuck.minFoundNudges)
      failures.push(`nudges: ${found} found after ${silence} s, at least ${floors.stuck.minFoundNudges} needed`)
    if (atUtmost < floors.stuck.minNudgesAtUtmost)
      failures.push(
        `nudges: ${atUtmost} found by rules at their utmost after ${silence} s, at least ${floors.stuck.minNudgesAtUtmost} needed`
      )
  }
  return summaries
}

export const evaluate = (root: string | null, options: Options): Evaluated => {
  const failures: Failures = []
  const { isWanted, print, rate } = options
  const given = { options, failures }
  const stuck = isWanted("stuck") ? StuckSuite.assessAll() : []
  const compaction = isWanted("compaction") ? CompactionSuite.assessAll() : []
  if (stuck.length > 0) rate?.("stuck", stuck.map(MeasuredStops.ofStuck), baselines)
  if (compaction.length > 0) rate?.("compaction", compaction.map(MeasuredStops.ofCompaction), [always("continue_task")])
  if (root === null && isWanted("nudges")) print(`\nStops of real sessions (nudges) ${Corpus.skipped}`)
  return {
    results: {
      stuck: isWanted("stuck") ? written("stuck", stuck, given) : null,
      nudges: root !== null && isWanted("nudges") ? nudges(root, options, failures) : null,
      compaction: isWanted("compaction") ? written("compaction", compaction, given) : null
    },
    failures
  }
}
