/** `npm run eval -- --model PROVIDER/MODEL`: from arguments to a report and an exit status. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fs from "node:fs"
import * as Corpus from "../sessions/Corpus.ts"
import * as Asking from "./Asking.ts"
import * as ModelOptions from "./ModelOptions.ts"
import * as ModelRun from "./ModelRun.ts"
import * as Promptfoo from "./Promptfoo.ts"
import { questions } from "./Question.ts"
import type { Trial } from "./Trial.ts"
import * as TrialMetrics from "./TrialMetrics.ts"
import * as TrialReport from "./TrialReport.ts"

/** Where a run writes. */
export interface Output {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

const absent = (options: ModelOptions.ModelOptions): string =>
  options.cases.length === 0
    ? "no question is left: evidence decides all of these; --ask all asks about them anyway"
    : `--case: no question that is asked begins with ${options.cases.map((name) => `"${name}"`).join(" or ")}: evidence may decide it; --ask all asks about it anyway`

const trialsOf = (options: ModelOptions.ModelOptions, argv: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const config = yield* Effect.mapError(Asking.configOf(options), (problem) => new ModelRun.CannotRun(problem))
    yield* ModelRun.askable(config, options)
    const asked = questions(options, Corpus.directory())
    if (asked.length === 0) return yield* Effect.fail(new ModelRun.CannotRun(absent(options)))
    if (!options.promptfoo) return yield* ModelRun.direct(config, options, asked)
    return yield* Promptfoo.driven(options, argv, asked.length * options.repeats)
  })

const written = (file: string, write: (file: string) => void, name: string): ReadonlyArray<string> => {
  try {
    write(file)
    return []
  } catch (error) {
    return [`${name}: ${file} could not be written (${error instanceof Error ? error.message : String(error)})`]
  }
}

const keep = (
  options: ModelOptions.ModelOptions,
  trials: ReadonlyArray<Trial>,
  summaries: ReadonlyArray<TrialMetrics.TrialSummary>
): ReadonlyArray<string> => {
  const { config: _, json, markdown, ...settings } = options
  const all = `${JSON.stringify({ version: 1, options: settings, summaries, trials }, null, 2)}\n`
  return [
    ...(json === null ? [] : written(json, (file) => Fs.writeFileSync(file, all), "--json")),
    ...(markdown === null
      ? []
      : written(markdown, (file) => Fs.appendFileSync(file, TrialReport.asMarkdown(options, summaries)), "--markdown"))
  ]
}

const below = (
  { ask, minAccuracy }: ModelOptions.ModelOptions,
  summaries: ReadonlyArray<TrialMetrics.TrialSummary>
): ReadonlyArray<string> => {
  const all = summaries.at(-1)
  if (all === undefined || all.answered === 0) return ["No question was answered."]
  const share = (ask === "all" ? all.words : all.verdicts).share ?? 0
  return minAccuracy === null || share >= minAccuracy
    ? []
    : [
        `${(100 * share).toFixed(1)} % of the ${ask === "all" ? "model's own words" : "verdicts"} are right, at least ${100 * minAccuracy} % needed.`
      ]
}

const skipped = ({ suites }: ModelOptions.ModelOptions): boolean =>
  Corpus.directory() === null && (suites.length === 0 || Corpus.names.some((name) => suites.includes(name)))

/** Gives the exit status: 0, 1 below what is needed, 2 for what cannot be run. */
export const main = async (argv: ReadonlyArray<string>, { err, out }: Output): Promise<number> => {
  if (argv.includes("--help")) {
    out(ModelOptions.usage)
    return 0
  }
  const parsed = ModelOptions.parse(argv)
  if (Either.isLeft(parsed)) {
    err(`${parsed.left}\nnpm run eval -- --model PROVIDER/MODEL --help lists the options.`)
    return 2
  }
  const options = parsed.right
  const asked = await ModelRun.settled(trialsOf(options, argv))
  if (Either.isLeft(asked)) {
    err(asked.left)
    return 2
  }
  const summaries = TrialMetrics.summaries(asked.right, options.price)
  if (skipped(options)) out(`Labelled stops ${Corpus.skipped}`)
  out(TrialReport.text(options, summaries))
  if (options.misses) out(`\n${TrialReport.misses(asked.right)}`)
  const unwritten = keep(options, asked.right, summaries)
  for (const problem of unwritten) err(problem)
  if (unwritten.length > 0) return 2
  const failures = below(options, summaries)
  if (failures.length > 0) out(`\n${failures.join("\n")}`)
  return failures.length === 0 ? 0 : 1
}
