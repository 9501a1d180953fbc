/** Says what a check's output proves without an exit status. Null if it is not recognised or contradicts itself. */
import { absences, namesChecker, nothingRan, notStarted } from "./absences.ts"
import { checkTools } from "./checkTools.ts"
import { isOfTests, isTelling, type Item, type Kind, read, type Reading, type Source } from "./reading.ts"
import { testRunners } from "./testRunners.ts"
import { type OutputText, outputLines } from "../../base/text/OutputLines.ts"
import { clip, plural } from "../../base/text/Text.ts"

export type { Kind }

/**
 * What the output of a run proves.
 *
 * @category models
 */
export interface RunSummary {
  /** The tool whose output decided the outcome. */
  readonly runner: string
  /** `none` means that the run executed nothing, which proves nothing. */
  readonly outcome: "passed" | "failed" | "none"
  /** Null if the output gives no number. The same holds for `failed` and `skipped`. */
  readonly passed: number | null
  readonly failed: number | null
  readonly skipped: number | null
  /** Failing tests, or the places of errors. At most ten, unless the caller asks for more. */
  readonly failing: ReadonlyArray<Item>
  readonly detail: string
}

/**
 * What the caller knows about the command.
 *
 * @category models
 */
export interface RunHint {
  readonly kind: Kind
  readonly runner: string | null
  /** True if a filter such as `head` or `grep` may hide a failure. `tail` alone does not count: it keeps the totals. */
  readonly partial?: boolean
}

type Readings = ReadonlyArray<Reading>

const kinds = ["tests", "build", "typecheck", "lint"] as const
const all = [...testRunners, ...checkTools, ...absences]

let last: { readonly output: string; readonly text: OutputText; readonly readings: Map<boolean, Readings> } | null =
  null

/** Caches the last result, because callers ask about the same output several times in a row. */
const readingsOf = (output: string, partial = false): readonly [Readings, OutputText] => {
  if (last?.output !== output) last = { output, text: outputLines(output), readings: new Map() }
  const readings = last.readings.get(partial) ?? read(all, last.text, partial)
  last.readings.set(partial, readings)
  return [readings, last.text]
}

const of = (readings: Readings, ...sources: ReadonlyArray<Source>): Readings =>
  readings.filter((one) => sources.some((source) => one.sources.includes(source)))

const failuresOf = (readings: Readings, ...sources: ReadonlyArray<Source>): Readings =>
  of(readings, ...sources).filter(({ outcome }) => outcome === "failed")

const sum = (readings: Readings, key: "passed" | "failed" | "skipped"): number | null =>
  readings.reduce<number | null>((total, { counts }) => {
    const count = counts[key]
    return count === undefined ? total : (total ?? 0) + count
  }, null)

const countsIn = ({ failed, outcome, passed, skipped }: Omit<RunSummary, "detail">, asTests: boolean): string => {
  if (outcome === "none") return asTests ? "no tests ran" : "nothing was checked"
  const isCounted = (failed ?? 0) > 0
  if (!asTests) return outcome === "passed" ? "no errors" : isCounted ? plural(failed ?? 0, "error") : "failed"
  const told = Object.entries({ passed, failed, skipped }).flatMap(([word, count]) =>
    (count ?? 0) > 0 ? [`${count} ${word}`] : []
  )
  return (told.length > 0 && (outcome === "passed" || isCounted) ? told : [...told, outcome]).join(", ")
}

const mostFailing = 10

/** The first reading with this outcome gives the runner's name. Only readings of its kind are counted. */
const combine = (readings: Readings, outcome: RunSummary["outcome"], most = mostFailing): RunSummary => {
  const deciding = readings.find((one) => one.outcome === outcome) ?? readings[0]
  const same = readings.filter(({ sources }) => sources[0] === deciding?.sources[0])
  const asTests = deciding?.sources.includes("tests") === true
  const summary = {
    runner: deciding?.runner ?? "unknown",
    outcome,
    passed: sum(same.filter(isOfTests), "passed"),
    failed: sum(same, "failed"),
    skipped: sum(same, "skipped"),
    failing: outcome === "failed" ? same.flatMap(({ failing }) => failing).slice(0, most) : []
  }
  const names = summary.failing.map(({ file, line, name }) =>
    asTests || file === null ? clip(name, 60) : `${clip(name, 80)} at ${file}${line === null ? "" : `:${line}`}`
  )
  const shown = names.length > 0 ? ` (${[...names.slice(0, 3), ...(names.length > 3 ? ["…"] : [])].join("; ")})` : ""
  const isNoted = outcome === "failed" && shown === "" && !(asTests && (summary.failed ?? 0) > 0)
  const note = isNoted && deciding?.note ? `: ${deciding.note}` : ""
  return { ...summary, detail: clip(countsIn(summary, asTests) + shown + note, 300) }
}

const outcomeOf = (readings: Readings): RunSummary["outcome"] | "doubt" | null => {
  const outcomes = readings.flatMap(({ outcome }) => outcome ?? [])
  const tests = readings.filter((one) => one.outcome !== null && isOfTests(one))
  const isIdle = tests.length > 0 && tests.every(({ outcome }) => outcome === "none")
  const order = ["failed", "doubt", ...(isIdle ? [] : ["passed" as const]), "none"] as const
  return order.find((outcome) => outcomes.includes(outcome)) ?? null
}

const scriptRunner = /^(?:npm|pnpm|yarn|bun|npx|make|just|task|mise|rake|composer|poetry|uv|tox|nox|docker|bash|sh)\b/

/** False if the shell could not find some other command. That says nothing about the runner. */
const concerns = (runner: string | null, reading: Reading): boolean =>
  runner === null ||
  reading.runner !== "shell" ||
  scriptRunner.test(runner) ||
  (reading.note ?? "").includes(runner.split(" ")[0] ?? "")

const isNotNull = ({ outcome }: Reading): boolean => outcome !== null

const isTold = ({ outcome }: Reading): boolean => outcome !== null && outcome !== "none"

/**
 * Returns what the output proves, or null. A finished build, for example, is not a passed test run.
 *
 * @category reading
 */
export const summarize = (output: string, hint?: RunHint, most?: number): RunSummary | null => {
  const [readings] = readingsOf(output, hint?.partial)
  const primary = of(readings, ...(hint === undefined ? kinds : [hint.kind]))
  const outcome = outcomeOf(primary)
  const scripts = failuresOf(readings, "script")
  if (outcome === "doubt" || (outcome === "passed" && scripts.length > 0)) return null
  if (outcome === "failed" || outcome === "passed") return combine(primary.filter(isNotNull), outcome, most)
  const causes = [
    // Compile errors stop a test run. Lint findings do not.
    ...(hint?.kind === "tests" ? failuresOf(readings, "build", "typecheck") : []),
    ...failuresOf(readings, "broken").filter((one) => concerns(hint?.runner ?? null, one)),
    ...scripts
  ]
  if (causes.length > 0) return combine(causes, "failed", most)
  return outcome === "none" ? combine(primary, "none") : null
}

/**
 * True if the output has a test runner's own report about executed tests. Any program may have printed this report.
 *
 * @category reading
 */
export const ranTests = (output: string): boolean => of(readingsOf(output)[0], "tests").some(isTold)

/** A bare `FAIL` or a failed build does not count, because it may have another cause. */
const isTestFailure = ({ counts, failing, note, outcome, sources }: Reading): boolean =>
  outcome === "failed" && ((counts.failed ?? 0) > 0 || (sources.length === 1 && (note !== null || failing.length > 0)))

/** How many of the runner's last lines to read together. Larger numbers are tried until the lines give a result. */
const ends = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 40, 80, 160, Infinity]

const heard = (lines: OutputText["lines"]): Readings =>
  read(testRunners, { lines, text: lines.map(({ raw }) => raw).join("\n") }).filter(isTold)

/** The line with failed files or suites comes before the count of tests. */
const ofFiles = /^\s{0,12}(?:test )?(?:suites|files)\b/i

/**
 * True if a test runner's last words say that tests failed. A bare `FAIL` counts if that runner reported failures.
 *
 * @category reading
 */
export const endsFailed = (output: string): boolean => {
  const [, { lines }] = readingsOf(output)
  const said = lines.flatMap((line, at) => (line.raw === "" || isTelling(testRunners, line) ? [at] : []))
  const since = (from: number): OutputText["lines"] => said.flatMap((at) => (at < from ? [] : (lines[at] ?? [])))
  const from = ends
    .map((count) => said.at(-Math.min(count, said.length)) ?? 0)
    .find((at) => heard(since(at)).length > 0)
  if (from === undefined) return false
  const before = said[said.indexOf(from) - 1] ?? from
  const last = heard(since(ofFiles.test(lines[before]?.raw ?? "") ? before : from))
  const bare = last.filter(({ outcome }) => outcome === "failed").map(({ runner }) => runner)
  return (
    last.some(isTestFailure) ||
    (bare.length > 0 && heard(since(0)).some((one) => isTestFailure(one) && bare.includes(one.runner)))
  )
}

/**
 * Returns what a test runner reports. If a runner reports more than once, failures in
 * earlier reports do not count. Null if unclear or not recognised.
 *
 * @category reading
 */
export const testsIn = (output: string): RunSummary | null => {
  const readings = of(readingsOf(output)[0], "tests")
  if (readings.some(isTestFailure) && endsFailed(output)) return combine(readings.filter(isNotNull), "failed")
  return outcomeOf(readings) === "passed" ? combine(readings, "passed") : null
}

/**
 * Returns the name of the first failed test, even if the runner's totals are missing. Null if no name is found.
 *
 * @category reading
 */
export const failingTest = (output: string): string | null =>
  of(readingsOf(output)[0], "tests")
    .flatMap(({ failing }) => failing)
    .find(({ file, name }) => name !== file)?.name ?? null

/**
 * Returns why nothing was checked: nothing to do, or a missing program. Null if the output does not show that.
 *
 * @category reading
 */
export const whyNothing = (output: string, hint: RunHint & { readonly succeeded: boolean }): string | null => {
  const [readings, text] = readingsOf(output)
  const isCounted = of(readings, hint.kind).some(isTold)
  const unable = hint.kind === "tests" && !hint.succeeded ? notStarted(text) : null
  if (unable !== null) return `it could not be run: ${unable}`
  const nothing = nothingRan(text, hint.kind, isCounted)
  if (nothing !== null || isCounted || (hint.succeeded && hint.kind !== "tests")) return nothing
  const absent = failuresOf(readings, "absent").find(
    (one) => concerns(hint.runner, one) && (!hint.succeeded || namesChecker(one.note ?? ""))
  )
  return absent === undefined ? null : `it could not be run: ${absent.note ?? "it was not found"}`
}

const statuses: ReadonlyArray<RegExp> = [
  /^\W{0,20}(?:[\w ./-]{0,60}[ ._/-])?(?:exit(?:[ _-]?(?:code|status))?|rc|ret|status|code|result)\s{0,3}[:=]?\s{0,3}(\d{1,3})\W{0,20}$/i,
  /^[\w-]{1,40}[:=] ?(\d{1,3})$/
]

/**
 * Returns the exit status printed by `echo $?`. Call this only for a command that prints `$?`, because a line such as
 * `exit: 0` proves nothing otherwise. `place` is the number of the wanted echo, from 1. Null if an echo is missing.
 *
 * @category reading
 */
export const echoedStatus = (output: string, place = 1, echoes = 1): number | null => {
  const [, { lines }] = readingsOf(output)
  const shown = lines.flatMap(({ raw }) => (raw.trim() === "" ? [] : [raw.trim()])).slice(echoes > 1 ? 0 : -6)
  const found = shown.flatMap((line, at) => {
    const bare = echoes > 1 || at === shown.length - 1 ? [/^(\d{1,3})$/] : []
    const status = [...statuses, ...bare].map((one) => one.exec(line)?.[1]).find((one) => one !== undefined)
    return status === undefined || Number(status) > 255 ? [] : [Number(status)]
  })
  return (echoes <= 1 ? found.at(-1) : found.length === echoes ? found[place - 1] : null) ?? null
}
