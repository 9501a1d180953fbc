/** The same measures for every suite, each with its interval, for what is measured and for the baselines beside it. */
import type { Baseline, Stop } from "./Baselines.ts"
import { bootstrap, type Count, type Interval, interval } from "./Metrics.ts"

/** One stop as somebody answers it. Null is what has no label, or what no model could be asked for. */
export interface Answered {
  /** What is resampled whole. */
  readonly session: string
  /** The label: would a push have been right. */
  readonly push: boolean | null
  readonly pushed: boolean
  /** Whether the answer is the labelled one. */
  readonly right: boolean | null
  /** Whether the label is one answer, not a choice of several that are defensible. */
  readonly single: boolean
  /** Null where there is no third answer: what is measured cannot abstain. */
  readonly abstained: boolean | null
  readonly modelCalls: number | null
  readonly tokens: number | null
}

/** A stop with what a baseline looks at; `isRight` says whether a kind of stop that it names is the labelled one. */
export interface Measured extends Answered, Stop {
  readonly isRight: (answer: { readonly pushed: boolean; readonly kind: string }) => boolean | null
}

/** So many of so many; `interval` is that of the quotient. */
export interface Rate extends Count {
  readonly interval: Interval | null
}

export interface Rates {
  readonly stops: number
  readonly precision: Rate
  readonly recall: Rate
  /** Pushes among the stops labelled as none to push at. */
  readonly falsePushes: Rate
  /** Null where what is measured cannot abstain. */
  readonly abstained: Rate | null
  readonly accuracy: Rate
  /** Among the stops whose label is one answer. */
  readonly accuracySingle: Rate
  /** Calls and tokens per stop; null where the suite measures pure functions, which have no model to call. */
  readonly modelCalls: Rate | null
  readonly tokens: Rate | null
}

export interface SuiteRates {
  readonly judge: Rates
  readonly baselines: Readonly<Record<string, Rates>>
}

type Rows = ReadonlyArray<Answered>

const among = (rows: Rows, isOne: (row: Answered) => boolean, isHit: (row: Answered) => boolean): Rate => {
  const count = (sample: Rows): Count => {
    const ones = sample.filter(isOne)
    return { hits: ones.filter(isHit).length, trials: ones.length }
  }
  return { ...count(rows), interval: interval(rows, count) }
}

const perStop = (rows: Rows, cost: (row: Answered) => number | null): Rate | null => {
  if (rows.some((row) => cost(row) === null)) return null
  const count = (sample: Rows): Count => ({
    hits: sample.reduce((sum, row) => sum + (cost(row) ?? 0), 0),
    trials: sample.length
  })
  return { ...count(rows), interval: bootstrap(rows, count) }
}

export const rates = (rows: Rows): Rates => ({
  stops: rows.length,
  precision: among(
    rows,
    ({ push, pushed }) => pushed && push !== null,
    ({ push }) => push === true
  ),
  recall: among(
    rows,
    ({ push }) => push === true,
    ({ pushed }) => pushed
  ),
  falsePushes: among(
    rows,
    ({ push }) => push === false,
    ({ pushed }) => pushed
  ),
  abstained: rows.some(({ abstained }) => abstained === null)
    ? null
    : among(
        rows,
        () => true,
        ({ abstained }) => abstained === true
      ),
  accuracy: among(
    rows,
    ({ right }) => right !== null,
    ({ right }) => right === true
  ),
  accuracySingle: among(
    rows,
    ({ right, single }) => right !== null && single,
    ({ right }) => right === true
  ),
  modelCalls: perStop(rows, ({ modelCalls }) => modelCalls),
  tokens: perStop(rows, ({ tokens }) => tokens)
})

/** The rows as a baseline would have answered them: with no model, and never without an answer. */
const answeredBy =
  ({ decide }: Baseline) =>
  (row: Measured): Answered => {
    const answer = decide(row)
    const { abstained, push, session, single } = row
    return {
      session,
      push,
      pushed: answer.pushed,
      right: row.isRight(answer),
      single,
      abstained: abstained === null ? null : false,
      modelCalls: null,
      tokens: null
    }
  }

export const suiteRates = (rows: ReadonlyArray<Measured>, baselines: ReadonlyArray<Baseline>): SuiteRates => ({
  judge: rates(rows),
  baselines: Object.fromEntries(baselines.map((baseline) => [baseline.name, rates(rows.map(answeredBy(baseline)))]))
})
