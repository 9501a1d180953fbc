/** Everything that is measured of the loops: peers' sequences, labelled pairs, real sessions and benchmark runs. */
import * as Corpus from "../sessions/Corpus.ts"
import { baselines, equalToTheOneBefore } from "../measure/Baselines.ts"
import * as LoopReport from "./LoopReport.ts"
import * as LoopSuite from "./LoopSuite.ts"
import * as MeasuredStops from "../stops/MeasuredStops.ts"
import * as PairSuite from "../stops/PairSuite.ts"
import type { Rate } from "../report/RatesBook.ts"
import * as RealLoops from "./RealLoops.ts"
import type { LoopResults } from "./model.ts"

export type { LoopResults } from "./model.ts"

export const names = ["loops", "pairs", "loop-sessions", "mini-swe"] as const

/** What must not be lost. */
export interface LoopFloor {
  readonly minPairPrecision: number
  readonly maxFlaggedSessions: number
  readonly maxFlaggedRuns: number
}

interface Evaluated {
  readonly results: LoopResults
  readonly failures: ReadonlyArray<string>
}

interface Options {
  readonly isWanted: (suite: string) => boolean
  readonly print: (text: string) => void
  readonly floor: LoopFloor
  readonly misses: boolean
  readonly rate?: Rate
}

type Failures = Array<string>

const peers = (root: string, { misses, print, rate }: Options, failures: Failures): LoopResults["peers"] => {
  const rows = LoopSuite.run(root)
  if (rows.length === 0) return null
  const summary = LoopSuite.summary(rows)
  print(LoopReport.peers(rows, summary, misses))
  rate?.(
    "loops",
    rows.map(MeasuredStops.ofLoop),
    baselines.filter(({ name }) => !name.includes("question mark"))
  )
  failures.push(
    ...rows.filter((row) => !row.asExpected).map(({ id }) => `loops: ${id} is not as the table expects`),
    ...summary.unexplained.map((id) => `loops: ${id} differs from its peer without a reason`)
  )
  return summary
}

const pairs = (root: string, { floor, misses, print, rate }: Options, failures: Failures): LoopResults["pairs"] => {
  const rows = PairSuite.run(root)
  if (rows.length === 0) return null
  const summary = PairSuite.summary(rows)
  print(LoopReport.pairs(rows, summary, misses))
  rate?.("pairs", rows.map(MeasuredStops.ofPair), [...baselines.slice(0, 2), equalToTheOneBefore])
  const { exact, rule } = summary
  if ((rule.precision ?? 0) < floor.minPairPrecision)
    failures.push(`pairs: precision ${rule.precision ?? 0}, at least ${floor.minPairPrecision} needed`)
  if ((rule.recall ?? 0) <= (exact.recall ?? 0))
    failures.push(`pairs: recall ${rule.recall ?? 0} is not above that of equality, ${exact.recall ?? 0}`)
  return summary
}

const pairRuns = (root: string, { print }: Options): LoopResults["pairRuns"] => {
  const result = RealLoops.pairRuns(root)
  if (result.summary.sessions === 0) return null
  print(LoopReport.real("Loops in the runs of these pairs", result))
  return result.summary
}

const tooMany = (what: string, { flagged, sessions }: RealLoops.RealSummary, most: number): ReadonlyArray<string> =>
  flagged > sessions * most
    ? [`${what}: ${flagged} of ${sessions} are flagged as looping, at most ${most * 100} %`]
    : []

const sessions = (root: string, { floor, print }: Options, failures: Failures): LoopResults["sessions"] => {
  const result = RealLoops.sessions(root)
  if (result.summary.sessions === 0) return null
  print(LoopReport.real("Loops in people's sessions", result))
  failures.push(...tooMany("loop-sessions", result.summary, floor.maxFlaggedSessions))
  return result.summary
}

const benchmark = (root: string, { floor, print }: Options, failures: Failures): LoopResults["benchmark"] => {
  const result = RealLoops.benchmark(root)
  if (result === null) return null
  const { resolved, unresolved } = result
  print(LoopReport.real("Loops in benchmark runs that solved their task", resolved))
  print(LoopReport.real("Loops in benchmark runs that did not", unresolved))
  failures.push(...tooMany("mini-swe", resolved.summary, floor.maxFlaggedRuns))
  return { resolved: resolved.summary, unresolved: unresolved.summary }
}

/** Runs the suites that are wanted; without a corpus, or a folder of it, they are skipped, and said to be. */
export const evaluate = (root: string | null, options: Options): Evaluated => {
  const failures: Array<string> = []
  const skipped = new Set<string>()
  const run = <A>(name: (typeof names)[number], suite: (root: string) => A | null): A | null => {
    if (!options.isWanted(name)) return null
    const result = root === null ? null : suite(root)
    if (result === null) skipped.add(name)
    return result
  }
  const results: LoopResults = {
    peers: run("loops", (folder) => peers(folder, options, failures)),
    pairs: run("pairs", (folder) => pairs(folder, options, failures)),
    pairRuns: run("pairs", (folder) => pairRuns(folder, options)),
    sessions: run("loop-sessions", (folder) => sessions(folder, options, failures)),
    benchmark: run("mini-swe", (folder) => benchmark(folder, options, failures))
  }
  if (skipped.size > 0) options.print(`\nLoops (${[...skipped].join(", ")}) ${Corpus.skipped}`)
  return { results, failures }
}
