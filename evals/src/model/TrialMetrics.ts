/** What the answers of a run come to: how often they were right, how far repeats agree, what they cost. */
import type { Count, Interval } from "../measure/Metrics.ts"
import { interval } from "../measure/Metrics.ts"
import type { Price } from "./ModelOptions.ts"
import { type Answer, grade, type Trial } from "./Trial.ts"

export interface Rate extends Count {
  readonly share: number | null
  readonly interval: Interval | null
}

/** `pairs`: two answers to one question, of which so many are the same. */
export interface Agreement {
  readonly questions: number
  readonly unanimous: number
  readonly pairs: number
  readonly same: number
  readonly share: number | null
}

export interface Cost {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly callsPer100: number
  readonly tokensPer100: number
  /** US dollars; null where no price was given. */
  readonly dollars: number | null
  readonly dollarsPer100: number | null
}

/** Milliseconds of the trials in which a model was asked. */
export interface Latency {
  readonly median: number
  readonly p95: number
  readonly longest: number
}

type Table = Readonly<Record<string, Readonly<Record<string, number>>>>

export interface TrialSummary {
  readonly suite: string
  readonly questions: number
  readonly trials: number
  readonly answered: number
  /** By the failure's name. */
  readonly unanswered: Readonly<Record<string, number>>
  /** Verdicts that abstain although the model answered, and the readers do not. */
  readonly abstained: number
  /** Of both kinds, among all trials. */
  readonly abstentionRate: number
  readonly verdicts: Rate
  readonly words: Rate
  readonly baselines: Readonly<Record<string, Rate>>
  readonly labelledPush: number
  readonly foundPushes: number
  readonly labelledNoPush: number
  readonly falsePushes: number
  readonly agreement: { readonly verdicts: Agreement; readonly words: Agreement }
  readonly cost: Cost
  readonly latency: Latency | null
  /** `table[label][answer]`. */
  readonly confusion: { readonly verdicts: Table; readonly words: Table }
}

type Grade = (trial: Trial) => boolean | null

const tally = (trials: ReadonlyArray<Trial>, graded: Grade): Count => {
  const grades = trials.map(graded).filter((right) => right !== null)
  return { hits: grades.filter(Boolean).length, trials: grades.length }
}

const rate = (trials: ReadonlyArray<Trial>, graded: Grade): Rate => {
  const count = tally(trials, graded)
  return {
    ...count,
    share: count.trials === 0 ? null : count.hits / count.trials,
    interval: interval(trials, (sample) => tally(sample, graded))
  }
}

const baselines: Readonly<Record<string, (trial: Trial) => Answer>> = {
  "evidence alone": ({ before }) => before,
  "always complete": () => ({ status: "complete", push: false }),
  "always push": () => ({ status: "incomplete", push: true })
}

/** Each question once, whatever its repeats. */
const once = (trials: ReadonlyArray<Trial>): ReadonlyArray<Trial> => [
  ...new Map(trials.map((trial) => [`${trial.suite} ${trial.id}`, trial])).values()
]

const grouped = (trials: ReadonlyArray<Trial>): ReadonlyArray<ReadonlyArray<Trial>> => {
  const groups = new Map<string, Array<Trial>>()
  for (const trial of trials) {
    const key = `${trial.suite} ${trial.id}`
    groups.set(key, [...(groups.get(key) ?? []), trial])
  }
  return [...groups.values()]
}

const choose2 = (count: number): number => (count * (count - 1)) / 2

const counts = (values: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const found = new Map<string, number>()
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1)
  return Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Only answers are compared: how often there was none is counted for itself. */
const agreement = (trials: ReadonlyArray<Trial>, answer: (trial: Trial) => string): Agreement => {
  const groups = grouped(trials.filter(({ problem }) => problem === null)).filter(({ length }) => length > 1)
  const pairs = groups.reduce((sum, { length }) => sum + choose2(length), 0)
  const same = groups.reduce(
    (sum, group) => sum + Object.values(counts(group.map(answer))).reduce((more, count) => more + choose2(count), 0),
    0
  )
  const unanimous = groups.filter((group) => new Set(group.map(answer)).size === 1).length
  return { questions: groups.length, unanimous, pairs, same, share: pairs === 0 ? null : same / pairs }
}

const sum = (trials: ReadonlyArray<Trial>, of: (trial: Trial) => number): number =>
  trials.reduce((total, trial) => total + of(trial), 0)

export const costOf = (trials: ReadonlyArray<Trial>, price: Price | null): Cost => {
  const calls = sum(trials, (trial) => trial.calls)
  const inputTokens = sum(trials, (trial) => trial.inputTokens)
  const outputTokens = sum(trials, (trial) => trial.outputTokens)
  const per100 = (value: number): number => (trials.length === 0 ? 0 : (100 * value) / trials.length)
  const dollars = price === null ? null : (inputTokens * price.input + outputTokens * price.output) / 1e6
  return {
    calls,
    inputTokens,
    outputTokens,
    dollars,
    callsPer100: per100(calls),
    tokensPer100: per100(inputTokens + outputTokens),
    dollarsPer100: dollars === null ? null : per100(dollars)
  }
}

const latencyOf = (trials: ReadonlyArray<Trial>): Latency | null => {
  const times = trials.flatMap(({ calls, ms }) => (calls > 0 ? [ms] : [])).toSorted((one, other) => one - other)
  const at = (share: number): number => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0
  return times.length === 0 ? null : { median: at(0.5), p95: at(0.95), longest: at(1) }
}

export const pushed = ({ push, status }: Answer): string => (push ? `${status}, pushed` : status)

const labelOf = ({ label }: Trial): string => [...new Set(label.statuses)].toSorted().join(" or ")

const confusion = (trials: ReadonlyArray<Trial>, answer: (trial: Trial) => string): Table =>
  Object.fromEntries(
    [...new Set(trials.map(labelOf))]
      .toSorted()
      .map((label) => [label, counts(trials.filter((trial) => labelOf(trial) === label).map(answer))])
  )

const none = "no answer"

const word = ({ problem, said }: Trial): string => (problem === null ? (said ?? none) : none)

/** What came of the trials of one suite, or of all. */
export const summaryOf = (suite: string, trials: ReadonlyArray<Trial>, price: Price | null): TrialSummary => {
  const answered = trials.filter(({ problem }) => problem === null)
  const abstained = answered.filter(({ right }) => right === null).length
  const questions = once(trials)
  const of = (push: boolean) => answered.filter(({ label }) => label.push === push)
  return {
    suite,
    questions: questions.length,
    trials: trials.length,
    answered: answered.length,
    unanswered: counts(trials.flatMap(({ problem }) => problem ?? [])),
    abstained,
    abstentionRate: trials.length === 0 ? 0 : (trials.length - answered.length + abstained) / trials.length,
    verdicts: rate(trials, ({ right }) => right),
    words: rate(trials, ({ saidRight }) => saidRight),
    baselines: Object.fromEntries(
      Object.entries(baselines).map(([name, answer]) => [
        name,
        rate(questions, (trial) => grade(trial.label, answer(trial)))
      ])
    ),
    labelledPush: of(true).length,
    foundPushes: of(true).filter(({ after }) => after.push).length,
    labelledNoPush: of(false).length,
    falsePushes: of(false).filter(({ after }) => after.push).length,
    agreement: { verdicts: agreement(trials, ({ after }) => pushed(after)), words: agreement(trials, word) },
    cost: costOf(trials, price),
    latency: latencyOf(trials),
    confusion: {
      verdicts: confusion(trials, (trial) => (trial.problem === null ? pushed(trial.after) : none)),
      words: confusion(trials, word)
    }
  }
}

/** One summary for each suite, and one for all of them where there are several. */
export const summaries = (trials: ReadonlyArray<Trial>, price: Price | null): ReadonlyArray<TrialSummary> => {
  const suites = [...new Set(trials.map(({ suite }) => suite))]
  const each = suites.map((suite) =>
    summaryOf(
      suite,
      trials.filter((trial) => trial.suite === suite),
      price
    )
  )
  return suites.length > 1 ? [...each, summaryOf("all", trials, price)] : each
}
