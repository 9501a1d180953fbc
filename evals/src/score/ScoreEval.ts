/** What is measured of the score: hand-written sessions. */
import { always } from "../measure/Baselines.ts"
import { summary as sumUp, type CaseSummary } from "../case/CaseSuite.ts"
import * as Floors from "../report/Floors.ts"
import * as MeasuredStops from "../stops/MeasuredStops.ts"
import type { Rate } from "../report/RatesBook.ts"
import * as ScoreSuite from "./ScoreSuite.ts"
import * as WatchReport from "../watch/WatchReport.ts"

export const names = ["score"] as const

/** What is recorded of a run. */
export interface ScoreResults {
  readonly cases: CaseSummary
  /** Labels that allow several scores. */
  readonly ranges: number
  /** Of the sessions with one score for a label: those that have it, and all. */
  readonly exact: readonly [right: number, sessions: number]
}

export interface Evaluated {
  readonly results: ScoreResults | null
  readonly failures: ReadonlyArray<string>
}

interface Options {
  readonly isWanted: (suite: string) => boolean
  readonly print: (text: string) => void
  readonly floors: Floors.Floors
  readonly rate?: Rate
}

const hasItsScore = ({ case: { expect }, score }: ScoreSuite.ScoreResult): boolean => score?.score === expect.score

export const evaluate = (options: Options): Evaluated => {
  if (!names.some(options.isWanted)) return { results: null, failures: [] }
  const written = ScoreSuite.assessAll()
  const cases = sumUp(written)
  const { known } = options.floors.score
  options.print(WatchReport.cases("the score", cases, written))
  for (const id of Floors.caseGains(known, cases))
    options.print(`  ${id} passes now: --record takes it off the known ones`)
  options.rate?.("score", written.map(MeasuredStops.ofScore), [always("5")])
  const single = written.filter(({ case: { expect } }) => !Array.isArray(expect.score))
  const exact = [single.filter(hasItsScore).length, single.length] as const
  return {
    results: { cases, ranges: written.length - single.length, exact },
    failures: [...Floors.caseFailures(known, cases), ...Floors.lostCases("score", cases.cases)]
  }
}
