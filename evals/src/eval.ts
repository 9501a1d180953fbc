/**
 * The evaluation: judges every suite, prints how verdicts and labels agree and ends with 1 when a suite falls below its
 * floor.
 */
import * as Rules from "@reflexion/core/internal/judge/rules/Rules"
import * as Either from "effect/Either"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { baselines } from "./measure/Baselines.ts"
import * as CaseSuite from "./case/CaseSuite.ts"
import * as CompactionSuite from "./watch/CompactionSuite.ts"
import * as Corpus from "./sessions/Corpus.ts"
import * as EvalOptions from "./report/EvalOptions.ts"
import * as Floors from "./report/Floors.ts"
import * as Ledger from "./ledger/Ledger.ts"
import * as LedgerTable from "./ledger/LedgerTable.ts"
import * as MeasuredStops from "./stops/MeasuredStops.ts"
import * as RatesBook from "./report/RatesBook.ts"
import * as RatesReport from "./report/RatesReport.ts"
import * as RecordedAnswers from "./offline/RecordedAnswers.ts"
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
import * as Times from "./measure/Times.ts"
import * as WatchEval from "./watch/WatchEval.ts"

const given = EvalOptions.parse(process.argv.slice(2))
if (Either.isLeft(given)) {
  process.stderr.write(`${given.left}\nnpm run eval -- --help lists the options.\n`)
  process.exit(2)
}
const options = given.right

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

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

/** What each rule was worth on stops that nobody had seen; with `--check` its level has to be what follows from that. */
const ledger = (): ReadonlyArray<string> => {
  const rounds = Ledger.load()
  print(`\nThe ledger of unseen stops\n${LedgerTable.text(rounds, Rules.rules)}`)
  return options.check ? LedgerTable.differing(rounds, Rules.rules) : []
}

const evaluate = async (): Promise<void> => {
  const failures: Array<string> = []
  const { rate } = book
  const root = Corpus.directory()
  const cases = isWanted("cases") ? runCases(failures) : null
  const wanted = Corpus.names.filter(isWanted)
  const present = root === null ? [] : Corpus.present(root)
  // Their floors are those of all folders together.
  const whole = present.length === Corpus.names.length ? root : null
  const absent = wanted.filter((name) => !present.includes(name))
  if (absent.length > 0) print(`\nLabelled stops ${skipped(absent)}`)
  const there = wanted.filter((name) => present.includes(name))
  const stops = root === null ? [] : there.map((suite) => ({ suite, ...runStops(root, suite, failures) }))
  const own = isWanted(Corpus.own) && root !== null ? ownStops(root, failures) : null
  const watch = WatchEval.evaluate(whole, { isWanted, print, floors: Floors.load(), listed: options.pushes, rate })
  const score = ScoreEval.evaluate({ isWanted, print, floors: Floors.load(), rate })
  const handedIn = root === null || options.suite !== undefined ? null : SubmittedRuns.judge(root)
  if (handedIn !== null) print(`\n${SubmittedRuns.text(handedIn)}`)
  const replay = await ReplayEval.evaluate(root, { isWanted, print })
  const retry = RetryEval.evaluate({ isWanted, print, floor: Floors.load().retry, rate })
  failures.push(...watch.failures, ...score.failures, ...replay.failures)
  const model = RecordedAnswers.evaluate(whole, { isWanted, print, floor: Floors.load().model })
  failures.push(...retry.failures, ...model.failures)
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
        watch: watch.results,
        score: score.results,
        replay: replay.results,
        handedIn,
        retry: retry.results,
        model: model.results
      })
    )
  const isWhole = cases !== null && whole !== null && options.suite === undefined
  if (options.record && !isWhole) failures.push("--record needs every suite, and the labelled stops are not all there")
  if (cases !== null && options.record && isWhole) {
    const written = { score: score.results?.cases ?? null, retry: retry.results?.cases ?? null }
    Floors.raise(Floors.load(), { ...watch.results, ...written, cases: cases.summary })
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
