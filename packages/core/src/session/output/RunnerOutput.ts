/**
 * What the output of a test, build, type check or lint run says about its own outcome, where no exit status is to be
 * had. It claims no more than the output proves: an output that is not recognised, or that contradicts itself, is null.
 */
import { buildTools } from "./runners/buildTools.ts"
import { lintTools } from "./runners/lintTools.ts"
import { outputLines } from "../../ground/text/OutputLines.ts"
import { nothingRan } from "./NothingRan.ts"
import type { Kind } from "./runners/row.ts"
import type { Reading } from "./runners/reading.ts"
import { reader } from "./runners/reading.ts"
import { absences, namesChecker, scriptFailures, setupFailures } from "./runners/scriptFailures.ts"
import { testRunners } from "./runners/testRunners.ts"
import { plural } from "../../ground/text/Text.ts"

export type { Kind }

/**
 * A failing test, or the place of an error.
 *
 * @category models
 */
export interface FailingItem {
  readonly name: string
  readonly file: string | null
  readonly line: number | null
}

/**
 * What a run's output proves. `none` says that the run executed nothing, which proves nothing. Counts are null where
 * the output does not give them; `failing` holds at most ten items, and `detail` is one short line for a person.
 *
 * @category models
 */
export interface RunSummary {
  readonly runner: string
  readonly outcome: "passed" | "failed" | "none"
  readonly passed: number | null
  readonly failed: number | null
  readonly skipped: number | null
  readonly failing: ReadonlyArray<FailingItem>
  readonly detail: string
}

/**
 * What the caller knows of the command. `partial` says that a filter such as `head` or `grep` stood between the runner
 * and the output, so that a failure may be hidden; `tail` alone keeps the totals and is not such a filter.
 *
 * @category models
 */
export interface RunHint {
  readonly kind: Kind
  readonly runner: string | null
  readonly partial?: boolean
}

const readWork = reader(() => [...testRunners(), ...buildTools(), ...lintTools()])
const readTests = reader(testRunners)
const readScripts = reader(scriptFailures)
const readSetup = reader(setupFailures)
const readAbsences = reader(absences)

const sum = (values: ReadonlyArray<number | null>): number | null =>
  values.reduce<number | null>((total, value) => (value === null ? total : (total ?? 0) + value), null)

const clip = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

const place = (item: FailingItem): string => {
  const where = item.file === null ? "" : item.line === null ? item.file : `${item.file}:${item.line}`
  return where === "" ? clip(item.name, 80) : `${clip(item.name, 80)} at ${where}`
}

const namesOf = (failing: ReadonlyArray<FailingItem>, asTests: boolean): string => {
  const shown = failing.slice(0, 3).map((item) => (asTests ? clip(item.name, 60) : place(item)))
  const rest = failing.length > 3 ? "; …" : ""
  return shown.length === 0 ? "" : ` (${shown.join("; ")}${rest})`
}

const describeTests = (summary: Omit<RunSummary, "detail">, note: string | null): string => {
  if (summary.outcome === "none") return "no tests ran"
  const counts = [
    summary.passed === null || summary.passed === 0 ? null : `${summary.passed} passed`,
    summary.failed === null || summary.failed === 0 ? null : `${summary.failed} failed`,
    summary.skipped === null || summary.skipped === 0 ? null : `${summary.skipped} skipped`
  ].filter((part) => part !== null)
  const told = summary.outcome === "passed" || (summary.failed ?? 0) > 0
  const head = counts.length > 0 && told ? counts.join(", ") : [...counts, summary.outcome].join(", ")
  const names = namesOf(summary.failing, true)
  return names === "" && summary.outcome === "failed" && !((summary.failed ?? 0) > 0) && note !== null
    ? `${head}: ${note}`
    : head + names
}

const describeCheck = (summary: Omit<RunSummary, "detail">, note: string | null): string => {
  if (summary.outcome === "none") return "nothing was checked"
  if (summary.outcome === "passed") return "no errors"
  const head = summary.failed === null || summary.failed === 0 ? "failed" : plural(summary.failed, "error")
  return summary.failing.length === 0 && note !== null ? `${head}: ${note}` : head + namesOf(summary.failing, false)
}

const combine = (
  all: ReadonlyArray<Reading>,
  outcome: RunSummary["outcome"],
  fallbackRunner: string | null
): RunSummary => {
  const deciding = all.find((reading) => reading.outcome === outcome) ?? all[0]
  const readings = all.filter((reading) => reading.recogniser.kinds[0] === deciding?.recogniser.kinds[0])
  const asTests = deciding?.recogniser.kinds.includes("tests") === true
  const summary = {
    runner: deciding?.recogniser.runner ?? fallbackRunner ?? "unknown",
    outcome,
    passed: sum(readings.map((reading) => reading.passed)),
    failed: sum(readings.map((reading) => reading.failed)),
    skipped: sum(readings.map((reading) => reading.skipped)),
    failing: outcome === "failed" ? readings.flatMap((reading) => reading.failing).slice(0, 10) : []
  }
  const note = deciding?.note ?? null
  return { ...summary, detail: clip((asTests ? describeTests : describeCheck)(summary, note), 300) }
}

const outcomeOf = (readings: ReadonlyArray<Reading>): RunSummary["outcome"] | "doubt" | null => {
  const has = (outcome: Reading["outcome"]) => readings.some((reading) => reading.outcome === outcome)
  const tests = readings.filter((reading) => reading.outcome !== null && reading.recogniser.kinds[0] === "tests")
  if (has("failed")) return "failed"
  if (has("doubt")) return "doubt"
  if (tests.length > 0 && tests.every((reading) => reading.outcome === "none")) return "none"
  if (has("passed")) return "passed"
  return has("none") ? "none" : null
}

const failures = (readings: ReadonlyArray<Reading>): ReadonlyArray<Reading> =>
  readings.filter((reading) => reading.outcome === "failed")

/** Compile errors stop a test run, lint findings do not. */
const blocks = (kind: Kind, reading: Reading): boolean =>
  kind === "tests" && (reading.recogniser.kinds.includes("build") || reading.recogniser.kinds.includes("typecheck"))

const scriptRunner = /^(?:npm|pnpm|yarn|bun|npx|make|just|task|mise|rake|composer|poetry|uv|tox|nox|docker|bash|sh)\b/

/** A shell that cannot find another command than the runner says nothing of the run. */
const concerns = (runner: string | null, reading: Reading): boolean =>
  runner === null ||
  reading.recogniser.runner !== "shell" ||
  scriptRunner.test(runner) ||
  (reading.note ?? "").includes(runner.split(" ")[0] ?? "")

/**
 * What the output proves, or null. The hint restricts which tools may speak for the run: a finished build does not
 * pass a test run.
 *
 * @category reading
 */
export const summarize = (output: string, hint?: RunHint): RunSummary | null => {
  const text = outputLines(output)
  const partial = hint?.partial === true
  const work = readWork(text, partial)
  const primary = hint === undefined ? work : work.filter((reading) => reading.recogniser.kinds.includes(hint.kind))
  const outcome = outcomeOf(primary)
  const scripts = failures(readScripts(text, partial))
  const runner = hint?.runner ?? null
  if (outcome === "failed")
    return combine(
      primary.filter((reading) => reading.outcome !== null),
      "failed",
      runner
    )
  if (outcome === "doubt") return null
  if (outcome === "passed") return scripts.length > 0 ? null : combine(primary, "passed", runner)
  const others = hint === undefined ? [] : failures(work).filter((reading) => blocks(hint.kind, reading))
  const setup = failures(readSetup(text, partial)).filter((reading) => concerns(runner, reading))
  const causes = [...others, ...setup, ...scripts]
  if (causes.length > 0) return combine(causes, "failed", runner)
  return outcome === "none" ? combine(primary, "none", runner) : null
}

const accounts = (readings: ReadonlyArray<Reading>): boolean =>
  readings.some(({ outcome }) => outcome !== null && outcome !== "none")

/**
 * Whether the output holds a test runner's own account of tests that ran, whatever printed it.
 *
 * @category reading
 */
export const ranTests = (output: string): boolean => accounts(readTests(outputLines(output), false))

/** A failure that a test runner counts, names or puts into its own words; a bare `FAIL`, or a failed build, may be of anything. */
const isOfTests = ({ failed, failing, note, outcome, recogniser }: Reading): boolean =>
  outcome === "failed" &&
  ((failed ?? 0) > 0 || (recogniser.kinds.length === 1 && (note !== null || failing.length > 0)))

/** How many lines from the end are looked at until a runner is heard. */
const ends = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 40, 80, 160]

const heard = (lines: ReadonlyArray<string>, count: number): ReadonlyArray<Reading> =>
  readTests(outputLines(lines.slice(-count).join("\n")), false).filter(
    ({ outcome, recogniser }) => outcome !== null && outcome !== "none" && recogniser.kinds.includes("tests")
  )

/**
 * Whether the last that a test runner says in an output is that tests failed. Files that failed stand in the line before the
 * count of tests.
 *
 * @category reading
 */
export const endsFailed = (output: string): boolean => {
  const lines = outputLines(output).lines.map(({ raw }) => raw)
  const count = [...ends, lines.length].find((one) => heard(lines, one).length > 0)
  return count !== undefined && heard(lines, count + 1).some(isOfTests)
}

/**
 * What a test runner's own words in an output come to, whatever printed it: its failure where it says that last, or its
 * pass. Null where no runner is known by it.
 *
 * @category reading
 */
export const testsIn = (output: string): RunSummary | null => {
  const readings = readTests(outputLines(output), false)
  if (readings.some(isOfTests) && endsFailed(output))
    return combine(
      readings.filter(({ outcome }) => outcome !== null),
      "failed",
      null
    )
  return outcomeOf(readings) === "passed" ? combine(readings, "passed", null) : null
}

/**
 * Why an output shows that nothing was checked: nothing was there to do, or what was to be run is not there; where the run
 * succeeded, only a known checker that is missing counts. Null where it does not show that.
 *
 * @category reading
 */
export const whyNothing = (output: string, hint: RunHint & { readonly succeeded: boolean }): string | null => {
  const text = outputLines(output)
  const counted = accounts(readWork(text, false).filter(({ recogniser }) => recogniser.kinds.includes(hint.kind)))
  const nothing = nothingRan(output, hint.kind, counted)
  if (nothing !== null || counted || (hint.succeeded && hint.kind !== "tests")) return nothing
  const absent = failures(readAbsences(text, false)).find(
    (reading) => concerns(hint.runner, reading) && (!hint.succeeded || namesChecker(reading.note ?? ""))
  )
  return absent === undefined ? null : `it could not be run: ${absent.note ?? "it was not found"}`
}

const labelled =
  /^\W{0,20}(?:[\w ./-]{0,60}[ ._/-])?(?:exit(?:[ _-]?(?:code|status))?|rc|ret|status|code|result)\s{0,3}[:=]?\s{0,3}(\d{1,3})\W{0,20}$/i
const assigned = /^[\w-]{1,40}[:=] ?(\d{1,3})$/
const bare = /^(\d{1,3})$/

/** What a line says of a status; a number alone only where it is the last line. */
const statusIn = (line: string, isLast: boolean): number | null => {
  const match = labelled.exec(line) ?? assigned.exec(line) ?? (isLast ? bare.exec(line) : null)
  const status = match?.[1] === undefined ? null : Number(match[1])
  return status !== null && status <= 255 ? status : null
}

/**
 * The status that a command echoed with `$?` at the end of its output. Call it only for a command that did: a line
 * such as `exit: 0` proves nothing otherwise. Of several echoes the one at `place`, counted from 1, if each is found.
 *
 * @category reading
 */
export const echoedStatus = (output: string, place = 1, echoes = 1): number | null => {
  const lines = outputLines(output)
    .lines.map(({ raw }) => raw.trim())
    .filter((line) => line !== "")
  if (echoes > 1) {
    const all = lines.map((line) => statusIn(line, true)).filter((status) => status !== null)
    return all.length === echoes ? (all[place - 1] ?? null) : null
  }
  const last = lines.slice(-6)
  for (let index = last.length - 1; index >= 0; index--) {
    const status = statusIn(last[index] ?? "", index === last.length - 1)
    if (status !== null) return status
  }
  return null
}
