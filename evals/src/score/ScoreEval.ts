/** What is measured of the score: hand-written sessions, and how labelled stops of real ones are scored. */
import { always } from "../measure/Baselines.ts"
import { summary as sumUp, type CaseSummary } from "../case/CaseSuite.ts"
import * as Corpus from "../sessions/Corpus.ts"
import * as Floors from "../report/Floors.ts"
import * as MeasuredStops from "../stops/MeasuredStops.ts"
import type { Rate } from "../report/RatesBook.ts"
import * as ScoreStops from "./ScoreStops.ts"
import * as ScoreSuite from "./ScoreSuite.ts"
import { table } from "../measure/Text.ts"
import * as WatchReport from "../watch/WatchReport.ts"
import type { ScoreFloor } from "../report/model.ts"

export const names = ["score"] as const

/** What is recorded of a run. Without the corpus there are no stops. */
export interface ScoreResults {
  readonly cases: CaseSummary
  /** Labels that allow several scores. */
  readonly ranges: number
  /** Of the sessions with one score for a label: those that have it, and all. */
  readonly exact: readonly [right: number, sessions: number]
  readonly stops: ReadonlyArray<ScoreStops.ScoreSummary> | null
}

export interface Evaluated {
  readonly results: ScoreResults | null
  readonly failures: ReadonlyArray<string>
}

interface Options {
  readonly isWanted: (suite: string) => boolean
  readonly print: (text: string) => void
  readonly floors: Floors.Floors
  /** Whether the stops that are scored against the readers are listed. */
  readonly listed: boolean
  readonly rate?: Rate
}

const header = ["stops", "number", "0", "1", "2", "3", "4", "5"]

const row = ({ counts, label, stops }: ScoreStops.ScoreSummary): ReadonlyArray<string> => [
  label,
  `${stops}`,
  ...counts.map(String)
]

const good = ({ counts, stops }: ScoreStops.ScoreSummary): number =>
  ((counts[4] ?? 0) + (counts[5] ?? 0)) / Math.max(1, stops)

const stopFailures = (
  floor: ScoreFloor,
  [complete, push]: ReadonlyArray<ScoreStops.ScoreSummary>
): ReadonlyArray<string> => [
  ...(complete !== undefined && good(complete) < floor.minGoodOfComplete
    ? [`score: ${good(complete)} of the complete stops have 4 or 5, at least ${floor.minGoodOfComplete} needed`]
    : []),
  ...(push !== undefined && good(push) > floor.maxGoodOfPush
    ? [`score: ${good(push)} of the stops to push at have 4 or 5, at most ${floor.maxGoodOfPush} allowed`]
    : [])
]

/** A complete stop with a low score, or one to push at with a high one. */
const differs = ({ label, score }: ScoreStops.ScoreRow): boolean =>
  (label.push === true && score.score > 3) || (label.kinds.every((kind) => kind === "complete") && score.score < 4)

const listing = ({ label, score, session, suite, turn }: ScoreStops.ScoreRow): string =>
  [`  ${suite} ${session}:${turn}  ${score.score}`, ...score.reasons, `readers: ${label.why.join(" · ")}`].join(
    "\n      "
  )

const stops = (root: string, { floors, listed, print }: Options, failures: Array<string>): ScoreResults["stops"] => {
  const rows = ScoreStops.run(root)
  const summaries = ScoreStops.summary(rows)
  print(`\nScores at labelled stops of real sessions\n\n${table([header, ...summaries.map(row)])}`)
  if (listed) print(rows.filter(differs).map(listing).join("\n"))
  failures.push(...Corpus.notFound("score", rows.length, Corpus.labels(root)), ...stopFailures(floors.score, summaries))
  return summaries
}

const hasItsScore = ({ case: { expect }, score }: ScoreSuite.ScoreResult): boolean => score?.score === expect.score

export const evaluate = (root: string | null, options: Options): Evaluated => {
  if (!names.some(options.isWanted)) return { results: null, failures: [] }
  const failures: Array<string> = []
  const written = ScoreSuite.assessAll()
  const cases = sumUp(written)
  const { known } = options.floors.score
  options.print(WatchReport.cases("the score", cases, written))
  for (const id of Floors.caseGains(known, cases))
    options.print(`  ${id} passes now: --record takes it off the known ones`)
  failures.push(...Floors.caseFailures(known, cases), ...Floors.lostCases("score", cases.cases))
  options.rate?.("score", written.map(MeasuredStops.ofScore), [always("5")])
  if (root === null) options.print(`\nScores at the labelled stops ${Corpus.skipped}`)
  const single = written.filter(({ case: { expect } }) => !Array.isArray(expect.score))
  const exact = [single.filter(hasItsScore).length, single.length] as const
  const ranges = written.length - single.length
  return { results: { cases, ranges, exact, stops: root === null ? null : stops(root, options, failures) }, failures }
}
