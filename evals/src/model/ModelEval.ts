/** What is measured of the judge with a model: how often it is asked, and what it can do to a verdict. */
import type { Floors } from "../report/Floors.ts"
import * as Corpus from "../sessions/Corpus.ts"
import * as MeasuredStops from "../stops/MeasuredStops.ts"
import * as ModelSample from "./ModelSample.ts"
import * as ModelSuite from "./ModelSuite.ts"
import type { Rate } from "../report/RatesBook.ts"
import * as ScriptedModels from "./ScriptedModels.ts"
import { markdown, table } from "../measure/Text.ts"
import type { ModelFloor } from "../report/model.ts"

export const names = ["models"] as const

type Summaries = ReadonlyArray<ModelSuite.ModelSummary>

export interface Evaluated {
  readonly results: Summaries | null
  readonly failures: ReadonlyArray<string>
}

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`

const header = [
  "model's answer",
  "decided without a call",
  "calls",
  "pushes found",
  "false pushes",
  "false pushes if asked about all",
  "complete",
  "abstained"
]

const row = (summary: ModelSuite.ModelSummary): ReadonlyArray<string> => [
  summary.model,
  `${percent(summary.decided, summary.stops)} (${summary.decided} of ${summary.stops})`,
  `${summary.calls}`,
  `${summary.foundPushes} of ${summary.labelledPush}`,
  `${summary.falsePushes} of ${summary.labelledNoPush}`,
  `${summary.falseIfAsked} of ${summary.labelledNoPush}`,
  `${summary.complete}`,
  `${summary.abstained}`
]

const short = (part: number, whole: number, least: number): boolean => part < least * whole

/** In what the sample falls below the floor under one model. */
const failuresOf =
  (floor: ModelFloor) =>
  (summary: ModelSuite.ModelSummary): ReadonlyArray<string> => {
    const { decided, falseIfAsked, falsePushes, labelledNoPush, model, stops } = summary
    const about = `models, "${model}"`
    return [
      ...(short(decided, stops, floor.minDecided)
        ? [`${about}: ${percent(decided, stops)} decided without a call, at least ${100 * floor.minDecided} % needed`]
        : []),
      ...(falsePushes > floor.maxFalsePushes * labelledNoPush
        ? [`${about}: ${falsePushes} false pushes, at most ${100 * floor.maxFalsePushes} % allowed`]
        : []),
      ...(falseIfAsked > floor.maxFalseIfAsked * labelledNoPush
        ? [
            `${about}: ${falseIfAsked} false pushes if asked about all, at most ${100 * floor.maxFalseIfAsked} % allowed`
          ]
        : [])
    ]
  }

const added = ({ model, session, suite, turn, verdict }: ModelSuite.ModelRow): string =>
  `  ${suite} ${session}:${turn}, "${model}": ${verdict.reason}`

interface Options {
  readonly isWanted: (suite: string) => boolean
  readonly print: (text: string) => void
  readonly floors: Floors
  /** Whether every push that only a model made is listed for a reader. */
  readonly listed: boolean
  readonly rate?: Rate
}

export const evaluate = async (
  root: string | null,
  { floors, isWanted, listed, print, rate }: Options
): Promise<Evaluated> => {
  if (root === null || !names.some(isWanted)) return { results: null, failures: [] }
  const { found, rows } = await ModelSuite.run(root)
  const results = ModelSuite.summary(rows)
  for (const { name } of ScriptedModels.all)
    rate?.(`models: ${name}`, rows.filter(({ model }) => model === name).map(MeasuredStops.ofModel), [])
  print(
    `\nA sample of the labelled stops under models that answer by a rule\n\n${table([header, ...results.map(row)])}`
  )
  const missing = Corpus.notFound("models", found, Corpus.labels(root))
  for (const line of missing) print(line)
  if (listed)
    for (const pushed of rows.filter(({ pushedBefore, verdict }) => verdict.shouldContinue && !pushedBefore))
      print(added(pushed))
  return { results, failures: [...missing, ...results.flatMap(failuresOf(floors.models))] }
}

/** The part of the documentation that is generated from a recorded run. */
export const documentation = (results: Summaries | null): ReadonlyArray<string> =>
  results === null
    ? []
    : [
        "### With a model",
        "",
        `A fixed sample of the labelled stops, judged with models that answer by a rule: the stops of a push, and by their names one in ${ModelSample.share} of the others. A model is asked only where evidence leaves the verdict open; "if asked about all" counts what it could do if it were asked everywhere.`,
        "",
        markdown([header, ...results.map(row)]),
        ""
      ]
