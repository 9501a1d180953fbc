/**
 * The evaluation: judges every suite, prints how verdicts and labels agree and ends with 1 when a suite falls below its
 * floor.
 */
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as CaseSuite from "./CaseSuite.ts"
import * as CompactionSuite from "./CompactionSuite.ts"
import * as Corpus from "./Corpus.ts"
import * as Floors from "./Floors.ts"
import * as LoopEval from "./LoopEval.ts"
import * as ModelEval from "./ModelEval.ts"
import * as ReplayEval from "./ReplayEval.ts"
import * as Report from "./Report.ts"
import * as RetryEval from "./RetryEval.ts"
import * as RetrySuite from "./RetrySuite.ts"
import * as ScoreEval from "./ScoreEval.ts"
import * as ScoreSuite from "./ScoreSuite.ts"
import { show } from "./Show.ts"
import * as StopSuite from "./StopSuite.ts"
import * as StuckSuite from "./StuckSuite.ts"
import * as WatchEval from "./WatchEval.ts"

const usage = `npm run eval -- [options]

  --model NAME          measure a model in place of the judge alone: \`--model PROVIDER/MODEL --help\` has its options
  --suite NAME          only this one: cases, ${[...Corpus.names, ...LoopEval.names, ...WatchEval.names, ...ModelEval.names, ...ScoreEval.names, ...ReplayEval.names, ...RetryEval.names].join(", ")}
  --misses              also list every stop whose kind differs from the readers', where a loop detector of another
                        agent differs from ours and why, and every repetition that was found
  --pushes              also list every push at a turn without a label, and every nudge, for a reader to judge
  --case ID             print what is said of one hand-written case
  --show SESSION:TURN   print one stop of the corpus: prompt, calls, gates, verdict, label
  --json FILE           write everything, row by row, to a file
  --record              write evals/results/latest.json and the tables of docs/accuracy.md, and take mended cases off
                        the known misses in evals/floors.json
`

const { values: options } = parseArgs({
  options: {
    suite: { type: "string" },
    misses: { type: "boolean", default: false },
    pushes: { type: "boolean", default: false },
    case: { type: "string" },
    show: { type: "string" },
    json: { type: "string" },
    record: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  }
})

const repository = fileURLToPath(new URL("../../", import.meta.url))

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const recorded = ["evals/results/latest.json", "evals/floors.json", "docs/accuracy.md"]

const format = (): void => {
  spawnSync(process.execPath, [Path.join(repository, "node_modules/oxfmt/bin/oxfmt"), ...recorded], { cwd: repository })
}

const record = (results: Report.Results): void => {
  Fs.mkdirSync(Path.join(repository, "evals/results"), { recursive: true })
  Fs.writeFileSync(Path.join(repository, "evals/results/latest.json"), json(results))
  const page = Path.join(repository, "docs/accuracy.md")
  const text = Fs.readFileSync(page, "utf8")
  const begin = text.indexOf("<!-- eval:begin -->")
  const end = text.indexOf("<!-- eval:end -->")
  if (begin === -1 || end === -1) throw new Error("docs/accuracy.md has lost its markers eval:begin and eval:end")
  const generated = `<!-- eval:begin -->\n\n${Report.documentation(results)}\n\n`
  Fs.writeFileSync(page, text.slice(0, begin) + generated + text.slice(end))
  format()
}

const isWanted = (suite: string): boolean => options.suite === undefined || options.suite === suite

const runCases = (failures: Array<string>) => {
  const results = CaseSuite.judgeAll()
  const summary = CaseSuite.summary(results)
  const floors = Floors.load()
  print(Report.cases(summary, results))
  for (const id of Floors.caseGains(floors.cases.known, summary))
    print(`  ${id} passes now: --record takes it off the known ones`)
  failures.push(...Floors.caseFailures(floors.cases.known, summary))
  return { results, summary }
}

const runStops = (root: string, suite: string, failures: Array<string>) => {
  const result = StopSuite.judge(Path.join(root, suite))
  const summary = StopSuite.summary(result)
  print(Report.stops(suite, result, summary, options))
  failures.push(...Floors.stopFailures(Floors.load(), suite, summary))
  return { result, summary }
}

const evaluate = async (): Promise<void> => {
  const failures: Array<string> = []
  const root = Corpus.directory()
  const cases = isWanted("cases") ? runCases(failures) : null
  const wanted = Corpus.names.filter(isWanted)
  if (root === null && wanted.length > 0) print(`\nLabelled stops ${skipped(wanted)}`)
  const stops = root === null ? [] : wanted.map((suite) => ({ suite, ...runStops(root, suite, failures) }))
  const loops = LoopEval.evaluate(root, { isWanted, print, floor: Floors.load().loops, misses: options.misses })
  const watch = WatchEval.evaluate(root, { isWanted, print, floors: Floors.load(), listed: options.pushes })
  const models = await ModelEval.evaluate(root, { isWanted, print, floors: Floors.load(), listed: options.pushes })
  const score = ScoreEval.evaluate(root, { isWanted, print, floors: Floors.load(), listed: options.misses })
  const replay = await ReplayEval.evaluate(root, { isWanted, print })
  const retry = RetryEval.evaluate({ isWanted, print, floor: Floors.load().retry })
  failures.push(...loops.failures, ...watch.failures, ...models.failures, ...score.failures, ...replay.failures)
  failures.push(...retry.failures)
  if (options.json !== undefined)
    Fs.writeFileSync(
      options.json,
      json({
        cases: cases?.results ?? null,
        stops,
        loops: loops.results,
        watch: watch.results,
        models: models.results,
        score: score.results,
        replay: replay.results,
        retry: retry.results
      })
    )
  if (options.record) {
    if (cases === null || stops.length < Corpus.names.length) throw new Error("--record needs every suite")
    Floors.raise(Floors.load(), {
      ...watch.results,
      cases: cases.summary,
      score: score.results?.cases ?? null,
      retry: retry.results?.cases ?? null
    })
    record({
      cases: cases.summary,
      stops: Object.fromEntries(stops.map(({ suite, summary }) => [suite, summary])),
      loops: loops.results,
      watch: watch.results,
      models: models.results,
      score: score.results,
      replay: replay.results,
      retry: retry.results
    })
  }
  print(failures.length === 0 ? "\nNo suite is below its floor." : `\n${failures.join("\n")}`)
  process.exitCode = failures.length === 0 ? 0 : 1
}

const skipped = (suites: ReadonlyArray<string>): string => `(${suites.join(", ")}) ${Corpus.skipped}`

const showStop = (name: string): void => {
  const root = Corpus.directory()
  print(root === null ? Corpus.skipped : show(root, name))
}

const labelOf = (written: object): object => ("expect" in written ? { expect: written.expect } : written)

const showCase = (id: string): void => {
  const all = [
    ...CaseSuite.judgeAll(),
    ...StuckSuite.assessAll(),
    ...CompactionSuite.assessAll(),
    ...ScoreSuite.assessAll(),
    ...RetrySuite.assessAll()
  ]
  const found = all.filter((result) => result.case.id.startsWith(id))
  print(
    found.length === 0
      ? `no case begins with ${id}`
      : json(found.map(({ case: written, ...said }) => ({ why: written.why, ...labelOf(written), ...said })))
  )
}

if (options.help) print(usage)
else if (options.show !== undefined) showStop(options.show)
else if (options.case !== undefined) showCase(options.case)
else await evaluate()
