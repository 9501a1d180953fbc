/** The measures that every suite has, for a person: on the terminal. */
import type { Rate, Rates, SuiteRates } from "../measure/Rates.ts"
import type * as Times from "../measure/Times.ts"
import { table, withInterval } from "../measure/Text.ts"

/** By suite. A suite that was skipped is absent. */
export type RatesResults = Readonly<Record<string, SuiteRates>>

const share = ({ hits, interval, trials }: Rate): string =>
  withInterval(trials === 0 ? null : hits / trials, trials === 0 ? null : interval)

const per100 = ({ hits, interval, trials }: Rate): string => {
  if (trials === 0) return "–"
  const [low, high] = interval ?? [0, 0]
  return `${((100 * hits) / trials).toFixed(1)} (${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)})`
}

const cost = (rate: Rate | null): string => (rate === null ? "none" : per100(rate))

const ofSingle = (rate: Rate): string => (rate.trials === 0 ? "–" : `${share(rate)} of ${rate.trials}`)

const columns = ["stops", "precision", "recall", "false pushes per 100", "accuracy", "of single labels", "abstained"]

const cells = ({
  abstained,
  accuracy,
  accuracySingle,
  falsePushes,
  precision,
  recall,
  stops
}: Rates): ReadonlyArray<string> => [
  `${stops}`,
  share(precision),
  share(recall),
  per100(falsePushes),
  share(accuracy),
  ofSingle(accuracySingle),
  abstained === null ? "cannot" : share(abstained)
]

/** Whose stops a figure rests on. The rules were written with all of them in view. */
const whose = (suite: string): string => {
  if (/^(?:claude-code|codex|nudges)\b/.test(suite)) return "public sessions"
  return "written by us"
}

const overview = (results: RatesResults): ReadonlyArray<ReadonlyArray<string>> => [
  ["suite", "whose stops", ...columns, "model calls per 100 stops", "tokens per 100 stops"],
  ...Object.entries(results).map(([suite, { judge }]) => [
    suite,
    whose(suite),
    ...cells(judge),
    cost(judge.modelCalls),
    cost(judge.tokens)
  ])
]

const compared = (results: RatesResults): ReadonlyArray<ReadonlyArray<string>> => [
  ["suite, and what answers", ...columns],
  ...Object.entries(results).flatMap(([suite, { baselines }]) =>
    Object.entries(baselines).map(([name, baseline]) => [`${suite}: ${name}`, ...cells(baseline)])
  )
]

const milliseconds = ({ hits, interval, trials }: Times.Time): string => {
  if (trials === 0) return "–"
  const [low, high] = interval ?? [0, 0]
  return `${(hits / trials).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`
}

const taken = (times: Times.Times): ReadonlyArray<ReadonlyArray<string>> => [
  ["suite", "stops", "ms per stop"],
  ...Object.entries(times).map(([suite, time]) => [suite, `${time.trials}`, milliseconds(time)])
]

/** Every suite, and below it the baselines. */
export const rates = (results: RatesResults, times: Times.Times): string =>
  [
    "\nEvery suite, with 95 % intervals\n",
    table(overview(results)),
    "\nTime per stop on this machine\n",
    table(taken(times)),
    "\nThe baselines\n",
    table(compared(results))
  ].join("\n")
