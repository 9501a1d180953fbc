/** The measures that every suite has, for a person: on the terminal and in the documentation. */
import type { Rate, Rates, SuiteRates } from "./Rates.ts"
import { markdown, table, withInterval } from "./Text.ts"

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

const columns = ["stops", "precision", "recall", "false pushes per 100", "accuracy", "abstained"]

const cells = ({ abstained, accuracy, falsePushes, precision, recall, stops }: Rates): ReadonlyArray<string> => [
  `${stops}`,
  share(precision),
  share(recall),
  per100(falsePushes),
  share(accuracy),
  share(abstained)
]

const overview = (results: RatesResults): ReadonlyArray<ReadonlyArray<string>> => [
  ["suite", ...columns, "model calls per 100 stops", "tokens per 100 stops"],
  ...Object.entries(results).map(([suite, { judge }]) => [
    suite,
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

/** Every suite, and below it the baselines. */
export const rates = (results: RatesResults): string =>
  [
    "\nEvery suite, with 95 % intervals\n",
    table(overview(results)),
    "\nThe baselines\n",
    table(compared(results))
  ].join("\n")

/** The part of the documentation that is generated from a recorded run. */
export const documentation = (results: RatesResults): ReadonlyArray<string> => [
  "### Every suite",
  "",
  "Intervals are 95 %, from resampling whole sessions (hand-written ones are one each). In `stuck` and `nudges` a nudge stands in place of a push, in `loops` a loop that is found. Model calls are what the verdicts say that they cost; `none` is a pure function, which has no model to call.",
  "",
  markdown(overview(results)),
  "",
  "What simple rules make of the same stops:",
  "",
  markdown(compared(results)),
  ""
]
