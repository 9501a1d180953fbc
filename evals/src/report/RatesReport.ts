/** The measures that every suite has, for a person: on the terminal and in the documentation. */
import type { Rate, Rates, SuiteRates } from "../measure/Rates.ts"
import type * as Times from "../measure/Times.ts"
import { markdown, table, withInterval } from "../measure/Text.ts"

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
  if (/^(?:claude-code|codex|nudges|models)\b/.test(suite)) return "public sessions"
  if (suite === "loops") return "other agents' tests"
  return suite === "pairs" ? "public runs" : "written by us"
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

const inapplicable: ReadonlyArray<string> = [
  "- `compaction`, `score` and `retry` decide no push: precision, recall and false pushes are `–`. In `compaction` an answer that is only the default, with nothing on record for it, counts as abstained.",
  "- `loops`, `pairs` and `retry` have no third answer, and cannot abstain.",
  "- `retry` counts a task as right if the next attempt is told all that it has to know; the pieces of its output stand beside it as baselines.",
  "- `replay` has one right answer to each attempt, which its own table counts; nothing is pushed, abstained or asked of a model.",
  "- `loop-sessions` and `mini-swe` have no labels of loops, and so no precision, recall or accuracy: their table counts the sessions that are flagged, beside counting repeated calls.",
  "- What is no judge's verdict asks no model in these suites: calls and tokens are `none`. Models that answer by a rule count no tokens: there they are 0."
]

/** The part of the documentation that is generated from a recorded run. */
export const documentation = (results: RatesResults, times: Times.Times): ReadonlyArray<string> => [
  "### Every suite",
  "",
  "**The rules were written with all of these stops in view.** [Accuracy](accuracy.md) says what they do on others.",
  "",
  'Intervals are 95 %, from resampling whole sessions (hand-written ones are one each); where every stop counts or none does, Wilson\'s over the sessions that have such stops. In `stuck` and `nudges` a nudge stands in place of a push, in `loops` a loop that is found, in `pairs` a repetition. Some labels allow several answers: "of single labels" is the accuracy where the label is one answer, and of how many stops. Model calls are what the verdicts say that they cost; `none` is a pure function, which has no model to call. The rows of `models` are models that answer by a rule, asked about a fixed sample that has every stop of a push: their precision and accuracy are of that sample alone.',
  "",
  markdown(overview(results)),
  "",
  "What does not apply:",
  "",
  ...inapplicable,
  "",
  "What a stop takes, reading and decoding included, on the machine that recorded the run. Times are no part of what a run is compared by:",
  "",
  markdown(taken(times)),
  "",
  "What simple rules make of the same stops:",
  "",
  markdown(compared(results)),
  ""
]
