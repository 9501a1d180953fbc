/** What is measured of learning from a failed attempt: failing tasks with real output, beside plain pieces of that output. */
import { always } from "../measure/Baselines.ts"
import { summary as sumUp, type CaseSummary } from "../case/CaseSuite.ts"
import * as Floors from "../report/Floors.ts"
import { interval, type Count, type Interval } from "../measure/Metrics.ts"
import * as MeasuredStops from "../stops/MeasuredStops.ts"
import type { Rate } from "../report/RatesBook.ts"
import { kinds, type Fact } from "./facts.ts"
import * as RetrySuite from "./RetrySuite.ts"
import { table, withInterval } from "../measure/Text.ts"
import * as WatchReport from "../watch/WatchReport.ts"
import type { RetryFloor } from "../report/model.ts"

export const names = ["retry"] as const

/** What one text carries of the facts of some tasks. */
export interface TextSummary {
  readonly named: number
  readonly facts: number
  readonly interval: Interval | null
  /** Tasks of which nothing is missing. */
  readonly whole: number
  /** Characters of the text, on average. */
  readonly characters: number
  /** By kind of fact: how many are named, and how many there are. */
  readonly byKind: Readonly<Record<string, readonly [named: number, facts: number]>>
}

export interface RetryResults {
  readonly cases: CaseSummary
  /** By text, over all tasks. */
  readonly texts: Readonly<Record<string, TextSummary>>
  /** By group of tasks: the facts that each text names. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, readonly [named: number, facts: number]>>>>
  /** Second attempts of which it was rightly said whether they failed for the same cause. */
  readonly repeats: readonly [right: number, tasks: number]
  /** Tests that are named and did not fail. */
  readonly wrong: number
}

export interface Evaluated {
  readonly results: RetryResults | null
  readonly failures: ReadonlyArray<string>
}

interface Options {
  readonly isWanted: (suite: string) => boolean
  readonly print: (text: string) => void
  readonly floor: RetryFloor
  readonly rate?: Rate
}

interface Row {
  readonly session: string
  readonly facts: ReadonlyArray<Fact>
  readonly characters: number
}

type Results = ReadonlyArray<RetrySuite.RetryResult>

const countOf = (facts: ReadonlyArray<Fact>): Count => ({
  hits: facts.filter(({ named }) => named).length,
  trials: facts.length
})

const pair = (facts: ReadonlyArray<Fact>): readonly [number, number] => {
  const { hits, trials } = countOf(facts)
  return [hits, trials]
}

const summaryOf = (rows: ReadonlyArray<Row>): TextSummary => {
  const facts = rows.flatMap((row) => row.facts)
  return {
    named: countOf(facts).hits,
    facts: facts.length,
    interval: interval(rows, (sample) => countOf(sample.flatMap((row) => row.facts))),
    whole: rows.filter((row) => row.facts.every(({ named }) => named)).length,
    characters: Math.round(rows.reduce((sum, row) => sum + row.characters, 0) / Math.max(1, rows.length)),
    byKind: Object.fromEntries(kinds.map((kind) => [kind, pair(facts.filter((fact) => fact.kind === kind))]))
  }
}

const rowsOf = (results: Results, text: string): ReadonlyArray<Row> =>
  results.flatMap(({ carried, case: { id } }) => {
    const one = carried[text]
    return one === undefined ? [] : [{ session: id, ...one }]
  })

const textsOf = (results: Results): ReadonlyArray<string> => Object.keys(results[0]?.carried ?? {})

export const summarize = (results: Results): RetryResults => ({
  cases: sumUp(results),
  texts: Object.fromEntries(textsOf(results).map((text) => [text, summaryOf(rowsOf(results, text))])),
  groups: Object.fromEntries(
    [...new Set(results.map(({ suite }) => suite))].map((suite) => {
      const own = results.filter((result) => result.suite === suite)
      const named = (text: string) => pair(rowsOf(own, text).flatMap(({ facts }) => facts))
      return [suite, Object.fromEntries(textsOf(own).map((text) => [text, named(text)]))]
    })
  ),
  repeats: [results.filter(({ case: { repeats }, saidSame }) => saidSame === repeats).length, results.length],
  wrong: results.reduce((sum, { wrong }) => sum + wrong.length, 0)
})

const share = ({ facts, named }: TextSummary): number => named / Math.max(1, facts)

const header = ["what the next attempt is given", "facts named", "tasks in full", "characters", ...kinds]

const textRows = ({ cases, texts }: RetryResults): ReadonlyArray<ReadonlyArray<string>> => [
  header,
  ...Object.entries(texts).map(([name, text]) => [
    name,
    `${text.named} of ${text.facts}, ${withInterval(share(text), text.interval)}`,
    `${text.whole} of ${cases.cases}`,
    `${text.characters}`,
    ...kinds.map((kind) => (text.byKind[kind] ?? [0, 0]).join(" of "))
  ])
]

const groupRows = ({ groups, texts }: RetryResults): ReadonlyArray<ReadonlyArray<string>> => [
  ["tasks", ...Object.keys(texts)],
  ...Object.entries(groups).map(([group, counts]) => [
    group,
    ...Object.keys(texts).map((text) => (counts[text] ?? [0, 0]).join(" of "))
  ])
]

const repeatLine = ({ repeats: [right, tasks], wrong }: RetryResults): string =>
  `Whether the second attempt failed for the same cause was said rightly of ${right} of ${tasks}. Tests that the reflections name and that did not fail: ${wrong}`

const baseline = "last 20 lines of the output"

/** What is below the floor. */
export const failuresOf = ({ known, minNamed }: RetryFloor, results: RetryResults): ReadonlyArray<string> => {
  const [prompt, lines] = [results.texts[RetrySuite.own.prompt], results.texts[baseline]]
  if (prompt === undefined || lines === undefined) return ["retry: no task was assessed"]
  return [
    ...Floors.caseFailures(known, results.cases),
    ...(share(prompt) < minNamed
      ? [`retry: the prompt names ${share(prompt)} of the facts, at least ${minNamed} needed`]
      : []),
    ...(share(prompt) <= share(lines)
      ? [`retry: the prompt names ${share(prompt)} of the facts, no more than the ${baseline}: ${share(lines)}`]
      : [])
  ]
}

export const evaluate = ({ floor, isWanted, print, rate }: Options): Evaluated => {
  if (!names.some(isWanted)) return { results: null, failures: [] }
  const assessed = RetrySuite.assessAll()
  const results = summarize(assessed)
  rate?.(
    "retry",
    assessed.map(MeasuredStops.ofRetry),
    Object.keys(RetrySuite.baselines).map((name) => always(name, name))
  )
  print(WatchReport.cases("failed attempts", results.cases, assessed))
  for (const id of Floors.caseGains(floor.known, results.cases))
    print(`  ${id} passes now: --record takes it off the known ones`)
  print(`\n${table(textRows(results))}\n\n${table(groupRows(results))}\n\n${repeatLine(results)}`)
  return {
    results,
    failures: [...failuresOf(floor, results), ...Floors.lostCases("retry", results.cases.cases)]
  }
}
