/** What was reached before and must not be lost. */
import * as Fs from "node:fs"
import { fileURLToPath } from "node:url"
import type { CaseSummary } from "../case/CaseSuite.ts"
import type { StopSummary } from "../stops/StopSuite.ts"
import type { RetryFloor } from "./model.ts"

/** The bounds of one suite of labelled stops. */
export interface StopFloor {
  readonly maxFalsePushes: number
  readonly minFoundPushes: number
  /** Of the same stops, those at which the rules find a reason to push, whatever level they have earned. */
  readonly minAtUtmost: number
  readonly minKindAgreement: number
}

/** The bounds of a large model's recorded answers. */
export interface RecordedFloor {
  readonly minAnswers: number
  readonly minFoundPushes: number
  readonly maxFalsePushes: number
}

export interface Floors {
  /** How many cases or labelled stops each suite has at least: one that loses some falls below its floor. */
  readonly minCases: Readonly<Record<string, number>>
  /** Cases that the judge is known not to meet; every other case has to pass. */
  readonly cases: { readonly known: ReadonlyArray<string> }
  readonly stops: Readonly<Record<string, StopFloor>>
  /** Sessions that are known to be assessed otherwise, and what the nudges at real stops may be. */
  readonly stuck: {
    readonly known: ReadonlyArray<string>
    readonly maxFalseNudges: number
    readonly minFoundNudges: number
    readonly minNudgesAtUtmost: number
  }
  readonly compaction: { readonly known: ReadonlyArray<string> }
  readonly score: { readonly known: ReadonlyArray<string> }
  readonly retry: RetryFloor
  readonly model: RecordedFloor
}

const file = fileURLToPath(new URL("../../floors.json", import.meta.url))

export const load = (): Floors => {
  const floors: Floors = JSON.parse(Fs.readFileSync(file, "utf8"))
  return floors
}

/** In what the cases fall below the floor. */
export const caseFailures = (known: ReadonlyArray<string>, summary: CaseSummary): ReadonlyArray<string> =>
  summary.missed.filter((id) => !known.includes(id)).map((id) => `case ${id} failed and is not among the known ones`)

/** Where a suite has fewer cases than it had. */
export const lostCases = (suite: string, cases: number, floors = load()): ReadonlyArray<string> => {
  const least = floors.minCases[suite]
  if (least === undefined) return [`${suite} has no floor in floors.json for the number of its cases`]
  return cases < least ? [`${suite}: ${cases} cases, at least ${least} needed`] : []
}

/** Known misses that pass by now: the floor can be raised. */
export const caseGains = (known: ReadonlyArray<string>, summary: CaseSummary): ReadonlyArray<string> =>
  known.filter((id) => !summary.missed.includes(id))

/** In what a suite of stops falls below its floor. */
export const stopFailures = (
  floors: Floors,
  suite: string,
  { atUtmost, judge, unmatched }: StopSummary
): ReadonlyArray<string> => {
  const floor = floors.stops[suite]
  if (floor === undefined) return [`${suite} has no floor in floors.json`]
  return [
    ...lostCases(suite, judge.stops, floors),
    ...(unmatched > 0
      ? [`${suite}: ${unmatched} labelled stops have no verdict of the same turn and prompt time`]
      : []),
    ...(judge.falsePushes > floor.maxFalsePushes
      ? [`${suite}: ${judge.falsePushes} false pushes, at most ${floor.maxFalsePushes} allowed`]
      : []),
    ...(judge.foundPushes < floor.minFoundPushes
      ? [`${suite}: ${judge.foundPushes} pushes found, at least ${floor.minFoundPushes} needed`]
      : []),
    ...(atUtmost < floor.minAtUtmost
      ? [`${suite}: ${atUtmost} pushes found by rules at their utmost, at least ${floor.minAtUtmost} needed`]
      : []),
    ...((judge.kindAgreement ?? 0) < floor.minKindAgreement
      ? [`${suite}: kinds agree at ${judge.kindAgreement ?? 0}, at least ${floor.minKindAgreement} needed`]
      : [])
  ]
}

interface Summaries {
  readonly cases: CaseSummary
  readonly stuck: CaseSummary | null
  readonly compaction: CaseSummary | null
  readonly score: CaseSummary | null
  readonly retry: CaseSummary | null
}

const still = (known: ReadonlyArray<string>, summary: CaseSummary | null): ReadonlyArray<string> =>
  summary === null ? known : known.filter((id) => summary.missed.includes(id))

/** Takes the known misses that pass by now off the lists, and counts new cases; a floor is never lowered by a program. */
export const raise = (floors: Floors, { cases, compaction, retry, score, stuck }: Summaries): void => {
  const raised: Floors = {
    ...floors,
    minCases: {
      ...floors.minCases,
      ...Object.fromEntries(
        Object.entries({ cases, stuck, compaction, score, retry }).flatMap(([suite, summary]) =>
          summary === null ? [] : [[suite, Math.max(summary.cases, floors.minCases[suite] ?? 0)]]
        )
      )
    },
    cases: { known: still(floors.cases.known, cases) },
    stuck: { ...floors.stuck, known: still(floors.stuck.known, stuck) },
    compaction: { known: still(floors.compaction.known, compaction) },
    score: { known: still(floors.score.known, score) },
    retry: { ...floors.retry, known: still(floors.retry.known, retry) }
  }
  Fs.writeFileSync(file, `${JSON.stringify(raised, null, 2)}\n`)
}
