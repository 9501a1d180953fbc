/** What is measured of the loops, for a person: on the terminal and in the documentation. */
import type { LoopRow, LoopSummary } from "./LoopSuite.ts"
import type { PairRate, PairRow, PairSummary } from "../stops/PairSuite.ts"
import type { Flagged, RealResult, RealSummary } from "./RealLoops.ts"
import { markdown, percent, table, withInterval } from "../measure/Text.ts"
import type { LoopResults } from "./model.ts"

const answer = (found: ReadonlyArray<string>): string => (found.length === 0 ? "none" : found.join(", "))

const isOther = (row: LoopRow): boolean => row.peerFlags !== row.found.length > 0

const otherLine = (row: LoopRow): string =>
  `  ${row.id}: ${answer(row.found)}, the peer ${row.peerFlags ? "finds a loop" : "finds none"}\n      ${row.expected?.why ?? "without a reason"}`

const unexpected = (row: LoopRow): string =>
  `  ✗ ${row.id}: ${answer(row.found)}, not ${row.expected === null ? "in the table" : answer(row.expected.loops)}`

/** The sequences of other agents' tests. */
export const peers = (rows: ReadonlyArray<LoopRow>, summary: LoopSummary, misses: boolean): string =>
  [
    `\nLoops in other agents' test sequences: ${summary.asExpected} of ${summary.cases} as expected, ${summary.agree} as their own detector has it`,
    ...rows.filter((row) => !row.asExpected).map(unexpected),
    ...(misses ? rows.filter(isOther).map(otherLine) : [])
  ].join("\n")

const rateRow = (name: string, repetitions: number, rate: PairRate): ReadonlyArray<string> => [
  name,
  `${rate.right} of ${repetitions}`,
  `${rate.found - rate.right}`,
  withInterval(rate.precision, rate.precisionInterval),
  withInterval(rate.recall, rate.recallInterval)
]

const rateHeader = ["", "found", "wrong", "precision", "recall"]

const rateRows = (summary: PairSummary): ReadonlyArray<ReadonlyArray<string>> => [
  rateHeader,
  rateRow("this rule", summary.repetitions, summary.rule),
  rateRow("equal to the action before", summary.repetitions, summary.exact)
]

const nearLine = ({ near }: PairSummary): string => {
  const labels = Object.entries(near).map(([label, count]) => `${count} ${label}`)
  return `Found beyond equality: ${labels.length === 0 ? "none" : labels.join(", ")}`
}

const pairLine = (row: PairRow): string => `  ${row.session}:${row.pair}  ${row.label}${row.exact ? ", equal" : ""}`

/** The labelled pairs of actions. */
export const pairs = (rows: ReadonlyArray<PairRow>, summary: PairSummary, misses: boolean): string =>
  [
    `\nRepetition in pairs of actions: ${summary.pairs} pairs of ${summary.runs} runs, ${summary.repetitions} labelled as repetition\n`,
    table(rateRows(summary)),
    nearLine(summary),
    ...(misses ? ["Found:", ...rows.filter((row) => row.found).map(pairLine)] : [])
  ].join("\n")

const flaggedLine = ({ at, loop, session, suite }: Flagged): string =>
  `  ${suite}/${session}, ${at}: ${loop.pattern}, ${loop.count} rounds of ${loop.calls.map(({ summary, tool }) => `${tool} ${summary}`).join(" · ")}`

const realLine = (summary: RealSummary): string =>
  `${summary.flagged} of ${summary.sessions} loop at a stop (${summary.stops} stops); ${summary.passing} did at some moment before; counting equal calls would flag ${summary.counted}`

/** Real sessions, with every loop found for a reader to judge. */
export const real = (title: string, { found, summary }: RealResult): string =>
  [`\n${title}: ${realLine(summary)}`, ...found.map(flaggedLine)].join("\n")

const realRow = (name: string, summary: RealSummary): ReadonlyArray<string> => [
  name,
  String(summary.sessions),
  String(summary.stops),
  `${summary.flagged} (${percent(summary.flagged / Math.max(1, summary.sessions))})`,
  String(summary.passing),
  `${summary.counted} (${percent(summary.counted / Math.max(1, summary.sessions))})`
]

/** The part of the documentation that is generated from a recorded run. */
export const documentation = ({ benchmark, pairRuns, pairs, peers, sessions }: LoopResults): ReadonlyArray<string> => [
  "### Loops",
  "",
  ...(peers === null
    ? []
    : [
        `${peers.asExpected} of ${peers.cases} sequences of other agents' tests are as expected; on ${peers.agree} the other agent's detector agrees, and for each of the others the table has a reason.`,
        ""
      ]),
  ...(sessions === null || benchmark === null
    ? []
    : [
        markdown([
          ["", "sessions", "stops", "looping at a stop", "at some moment", "counting: a call three times in a turn"],
          realRow("people's own sessions", sessions),
          realRow("benchmark runs, task solved", benchmark.resolved),
          realRow("benchmark runs, not solved", benchmark.unresolved),
          ...(pairRuns === null ? [] : [realRow("runs of the labelled pairs", pairRuns)])
        ]),
        ""
      ]),
  ...(pairs === null
    ? []
    : [
        `Pairs of consecutive actions: ${pairs.pairs} of ${pairs.runs} runs, ${pairs.repetitions} labelled as repetition. ${nearLine(pairs)}.`,
        "",
        markdown(rateRows(pairs)),
        ""
      ])
]
