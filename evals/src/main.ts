/**
 * The evaluation: judges every suite, prints how verdicts and labels agree and ends with 1 when a suite falls below its
 * floor.
 */
import * as RuleBook from "@reflexion/core/internal/judge/rules/RuleBook"
import * as Either from "effect/Either"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { baselines } from "./measure/Baselines.ts"
import * as CaseSuite from "./case/CaseSuite.ts"
import * as CompactionSuite from "./watch/CompactionSuite.ts"
import * as Corpus from "./sessions/Corpus.ts"
import * as EvalOptions from "./report/EvalOptions.ts"
import * as Floors from "./report/Floors.ts"
import * as EarnedFile from "./ledger/EarnedFile.ts"
import * as Ledger from "./ledger/Ledger.ts"
import * as LedgerTable from "./ledger/LedgerTable.ts"
import * as LoopEval from "./loops/LoopEval.ts"
import * as MeasuredStops from "./stops/MeasuredStops.ts"
import * as ModelEval from "./model/ModelEval.ts"
import * as RatesBook from "./report/RatesBook.ts"
import * as RatesReport from "./report/RatesReport.ts"
import * as Recorded from "./report/Recorded.ts"
import * as ReplayEval from "./stops/ReplayEval.ts"
import * as Report from "./report/Report.ts"
import * as RetryEval from "./retry/RetryEval.ts"
import * as RetrySuite from "./retry/RetrySuite.ts"
import * as ScoreEval from "./score/ScoreEval.ts"
import * as ScoreSuite from "./score/ScoreSuite.ts"
import { show } from "./sessions/Show.ts"
import * as SubmittedRuns from "./stops/SubmittedRuns.ts"
import * as StopSuite from "./stops/StopSuite.ts"
import * as StuckSuite from "./watch/StuckSuite.ts"
import * as Pace from "./measure/Pace.ts"
import * as Times from "./measure/Times.ts"
import * as WatchEval from "./watch/WatchEval.ts"

const given = EvalOptions.parse(process.argv.slice(2))
if (Either.isLeft(given)) {
  process.stderr.write(`${given.left}\nnpm run eval -- --help lists the options.\n`)
  process.exit(2)
}
const options = given.right

const repository = fileURLToPath(new URL("../../", import.meta.url))

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const recorded = ["evals/results/latest.json", "evals/floors.json", "docs/evaluation.md"]

const format = (): void => {
  spawnSync(process.execPath, [Path.join(repository, "node_modules/oxfmt/bin/oxfmt"), ...recorded], { cwd: repository })
}

const record = (results: Report.Results): void => {
  Recorded.write(results)
  format()
}

const isWanted = (suite: string): boolean => options.suite === undefined || options.suite === suite

const book = RatesBook.make()

const runCases = (failures: Array<string>) => {
  const results = CaseSuite.judgeAll()
  book.rate("cases", results.map(MeasuredStops.ofCase), baselines)
  const summary = CaseSuite.summary(results)
  const floors = Floors.load()
  print(Report.cases(summary, results))
  for (const id of Floors.caseGains(floors.cases.known, summary))
    print(`  ${id} passes now: --record takes it off the known ones`)
  failures.push(...Floors.caseFailures(floors.cases.known, summary), ...Floors.lostCases("cases", summary.cases))
  return { results, summary }
}

const runStops = (root: string, suite: string, failures: Array<string>) => {
  const result = StopSuite.judge(Path.join(root, suite))
  book.rate(suite, result.rows.map(MeasuredStops.ofStop), baselines)
  const summary = StopSuite.summary(result)
  print(Report.stops(suite, result, summary, options))
  if (suite !== Corpus.own) failures.push(...Floors.stopFailures(Floors.load(), suite, summary))
  return { result, summary }
}

/** Your own labels, where the corpus has any. */
const ownStops = (root: string, failures: Array<string>) => {
  if (Corpus.hasStops(Path.join(root, Corpus.own))) {
    const judged = runStops(root, Corpus.own, failures)
    return { ...judged, unmatched: judged.result.unmatched }
  }
  if (options.suite === Corpus.own) print(`\nYour own labels (${Corpus.own}) ${Corpus.skipped}`)
  return null
}

/**
 * The run has to take some minutes at most. That is asked of the process's own time and in TypeScript's parses before and
 * after it, the slower of the two, so that it does not fail where the machine is slow or shared.
 */
const slow = (parse: number): ReadonlyArray<string> => {
  const { system, user } = process.cpuUsage()
  const [cpu, wall] = [(user + system) / 1e6, process.uptime()]
  print(`\nTaken: ${wall.toFixed(0)} s, ${cpu.toFixed(0)} s of them the processor's.`)
  if (!options.check) return []
  const parses = cpu / Math.max(parse, Pace.secondsOfParse())
  const of = "times as long as TypeScript takes to parse the DOM's types"
  const { maxParses } = EvalOptions
  print(`That is ${parses.toFixed(0)} ${of}; at most ${maxParses} are allowed.`)
  return parses > maxParses ? [`it took ${parses.toFixed(0)} ${of}, at most ${maxParses} are allowed`] : []
}

/** Says what is other than in the recorded run; only `--check` takes it for a failure. */
const compare = (results: Report.Results, isPart: boolean): ReadonlyArray<string> => {
  const now = JSON.parse(JSON.stringify(results))
  const { changed, left } = Recorded.differences(Recorded.load(), now, { isPart })
  if (left.length > 0) print(`\nNot run, and so not compared with the recorded run:\n  ${left.join("\n  ")}`)
  print(
    changed.length === 0
      ? `\nEvery figure${left.length > 0 ? " of what was run" : ""} is that of the recorded run.`
      : [`\nOther than in the recorded run: ${changed.length}`, ...changed.slice(0, 40)].join("\n  ")
  )
  if (!options.check) return []
  const stale = Recorded.staleTable()
  return [
    ...(changed.length === 0
      ? []
      : [`${changed.length} figures are other than in the recorded run; --record writes them`]),
    ...(stale === null ? [] : [`docs/evaluation.md: ${stale}`])
  ]
}

/** What each rule was worth on stops that nobody had seen; with `--check` its level has to be what follows from that. */
const ledger = (): ReadonlyArray<string> => {
  const rounds = Ledger.load()
  print(`\nThe ledger of unseen stops\n${LedgerTable.text(rounds, RuleBook.rules)}`)
  const isCurrent = EarnedFile.isCurrent(EarnedFile.text(rounds, RuleBook.rules))
  return !options.check || isCurrent
    ? []
    : ["the rules' levels are not those that the ledger bears out; `npm run ledger -- --write` writes them"]
}

const evaluate = async (): Promise<void> => {
  const failures: Array<string> = []
  const parse = options.check ? Pace.secondsOfParse() : 0
  const { rate } = book
  const root = Corpus.directory()
  const cases = isWanted("cases") ? runCases(failures) : null
  const wanted = Corpus.names.filter(isWanted)
  const present = root === null ? [] : Corpus.present(root)
  // Their floors are those of all folders together.
  const whole = present.length === Corpus.names.length ? root : null
  const absent = wanted.filter((name) => !present.includes(name))
  if (absent.length > 0) print(`\nLabelled stops ${skipped(absent)}`)
  if (whole === null && ModelEval.names.some(isWanted))
    print(`\nLabelled stops under models (models) ${Corpus.skipped}`)
  const there = wanted.filter((name) => present.includes(name))
  const stops = root === null ? [] : there.map((suite) => ({ suite, ...runStops(root, suite, failures) }))
  const own = isWanted(Corpus.own) && root !== null ? ownStops(root, failures) : null
  const loops = LoopEval.evaluate(root, { isWanted, print, floor: Floors.load().loops, misses: options.misses, rate })
  const watch = WatchEval.evaluate(whole, { isWanted, print, floors: Floors.load(), listed: options.pushes, rate })
  const models = await ModelEval.evaluate(whole, {
    isWanted,
    print,
    floors: Floors.load(),
    listed: options.pushes,
    rate
  })
  const score = ScoreEval.evaluate(whole, { isWanted, print, floors: Floors.load(), listed: options.misses, rate })
  const handedIn = root === null || options.suite !== undefined ? null : SubmittedRuns.judge(root)
  if (handedIn !== null) print(`\n${SubmittedRuns.text(handedIn)}`)
  const replay = await ReplayEval.evaluate(root, { isWanted, print })
  const retry = RetryEval.evaluate({ isWanted, print, floor: Floors.load().retry, rate })
  failures.push(...loops.failures, ...watch.failures, ...models.failures, ...score.failures, ...replay.failures)
  failures.push(...retry.failures)
  if (options.suite === undefined) failures.push(...ledger())
  const rates = book.results()
  const times = Times.results()
  print(RatesReport.rates(rates, times))
  if (options.json !== undefined)
    Fs.writeFileSync(
      options.json,
      json({
        cases: cases?.results ?? null,
        stops,
        own,
        rates,
        times,
        loops: loops.results,
        watch: watch.results,
        models: models.results,
        score: score.results,
        replay: replay.results,
        handedIn,
        retry: retry.results
      })
    )
  const isWhole = cases !== null && whole !== null && options.suite === undefined
  if (options.record && !isWhole) failures.push("--record needs every suite, and the labelled stops are not all there")
  if (cases !== null && options.suite === undefined) {
    const { [Corpus.own]: _, ...recordedRates } = rates
    const { [Corpus.own]: __, ...recordedTimes } = times
    const results: Report.Results = {
      rates: recordedRates,
      times: recordedTimes,
      cases: cases.summary,
      stops: Object.fromEntries(stops.map(({ suite, summary }) => [suite, summary])),
      loops: loops.results,
      watch: watch.results,
      models: models.results,
      score: score.results,
      replay: replay.results,
      handedIn,
      retry: retry.results
    }
    failures.push(...compare(results, !isWhole), ...slow(parse))
    if (options.record && isWhole) {
      const written = { score: score.results?.cases ?? null, retry: retry.results?.cases ?? null }
      Floors.raise(Floors.load(), { ...watch.results, ...written, cases: cases.summary })
      record(results)
    }
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
  if (found.length > 0) {
    print(json(found.map(({ case: written, ...said }) => ({ why: written.why, ...labelOf(written), ...said }))))
    return
  }
  process.stderr.write(`--case: none begins with "${id}"\n`)
  process.exitCode = 2
}

if (options.help) print(EvalOptions.usage)
else if (options.show !== undefined) showStop(options.show)
else if (options.case !== undefined) showCase(options.case)
else await evaluate()
