/** Compares the failures of a check with those of a second run, and with those from before the task. */
import * as Pattern from "effect/RegExp"
import { outputLines } from "../base/text/OutputLines.ts"
import { oneLine } from "../base/text/Text.ts"
import { tellingLines } from "../session/output/TellingLines.ts"
import type { FailingTest } from "../session/evidence/model.ts"
import { type CheckResult, keyOf, keysOf, nameOf, normal } from "./CheckResult.ts"

/** `printed` is cut to a limit and has no secrets. */
export interface CheckRun extends CheckResult {
  readonly printed: string
}

/** The comparison needs more lines than an agent reads: one missing line makes two equal failures differ. */
const longest = 40_000

const linesOf = ({ printed }: CheckRun): ReadonlyArray<string> => tellingLines(printed, longest)

const printsOf = (run: CheckRun): ReadonlyArray<string> => linesOf(run).map(normal)

/** The lines that are new, or occur more often than before the task. */
const freshOf = (now: CheckRun, before: CheckRun): ReadonlyArray<string> => {
  const left = new Map<string, number>()
  for (const print of printsOf(before)) left.set(print, (left.get(print) ?? 0) + 1)
  return linesOf(now).filter((line) => {
    const count = left.get(normal(line)) ?? 0
    left.set(normal(line), count - 1)
    return count <= 0
  })
}

/** Compares two runs of a runner that does not name tests. */
const withoutNames = (now: CheckRun, before: CheckRun): CheckRun => {
  const fresh = freshOf(now, before)
  const [first] = fresh
  return first === undefined
    ? { ...now, result: "failed_before", before: "failed" }
    : { ...now, before: "unknown", detail: oneLine(first, 300), telling: tellingLines(fresh.join("\n")) }
}

/** A path within the project. */
const place = /[\w.@-]+(?:\/[\w.@-]+)+/g

const withoutPlace = (print: string): string => print.replaceAll(place, "/")

/**
 * If an earlier line is missing now, the tests may have failed for another reason, for example because git lacks a
 * file. Paths are ignored, because a file may have been moved. Numbers are ignored, because the number of failures may
 * have changed.
 */
const isAsBefore = (now: CheckRun, before: CheckRun): boolean => {
  const prints = new Set(printsOf(now).map(withoutPlace))
  return printsOf(before).every((print) => prints.has(withoutPlace(print)))
}

type Failing = ReadonlyArray<FailingTest>

/** Names with and without the group, because a runner may leave out the group or print it differently. */
const namesOf = (failing: Failing): ReadonlyArray<string> =>
  failing.flatMap(({ name }) => [name, name.split(/ > | › |::/).at(-1) ?? name])

const anyOf = (names: ReadonlyArray<string>): RegExp | null =>
  names.length === 0 ? null : new RegExp(`(?<!\\w)(?:${names.map(Pattern.escape).join("|")})(?!\\w)`)

/** A runner prints the name of a test before the test's lines. All lines up to the next name belong to this test. */
const tellingOf = (printed: string, fresh: Failing, old: Failing): ReadonlyArray<string> => {
  const [named, others] = [anyOf(namesOf(fresh)), anyOf(namesOf(old).filter((name) => !namesOf(fresh).includes(name)))]
  let isOld = false
  const lines = outputLines(printed).lines.filter(({ raw }) => {
    isOld = named?.test(raw) !== true && (isOld || others?.test(raw) === true)
    return !isOld
  })
  return tellingLines(lines.map(({ raw }) => raw).join("\n"))
}

export const twice = (first: CheckRun, second: CheckRun): CheckRun => {
  const known = keysOf(first)
  const same = second.failing.filter((one) => known.includes(keyOf(one)))
  if (second.failing.length === 0 || first.failing.length === 0) return second
  return same.length === 0 ? { ...second, result: "flaky" } : { ...second, failing: same }
}

/** A failure with a `doubt` counts only if the files from before the task passed on the same machine. */
export const settled = (now: CheckRun): CheckRun =>
  now.result === "failed" && now.doubt !== undefined && now.before !== "passed"
    ? { ...now, result: "unavailable", detail: now.doubt, failing: [] }
    : now

/** If tests ran before the task or in an earlier run, zero tests are a failure now. Fewer tests prove nothing. */
export const sinceMore = (
  now: CheckRun,
  { before, earlier }: { before: number | undefined; earlier: number | null }
): CheckRun => {
  const [tests, had] = [now.tests ?? 0, before ?? earlier ?? 0]
  if (had <= tests) return now
  const where = before === undefined ? "in an earlier run" : "on the files from before the task"
  if (tests > 0) return { ...now, altered: `${had} tests ran ${where}, and now ${tests}` }
  const detail = `${now.detail}; ${where} tests ran`
  return { ...now, result: "failed", detail, before: before === undefined ? "unknown" : "passed" }
}

/** Failures whose key occurs more often in `all` than in `others`. Old failures with the same key are included. */
const moreOf = (all: Failing, others: Failing, key: (one: FailingTest) => string): Failing => {
  const count = (some: Failing, wanted: string) => some.filter((one) => key(one) === wanted).length
  return all.filter((one) => count(all, key(one)) > count(others, key(one)))
}

/** A test in a moved file is recognised by its name. */
const partsOf = (now: CheckRun, before: CheckRun) => {
  const [come, gone] = [moreOf(now.failing, before.failing, keyOf), moreOf(before.failing, now.failing, keyOf)]
  const isMoved = come.length > 0 && gone.length > 0 && isAsBefore(now, before)
  const fresh = isMoved ? moreOf(come, gone, nameOf) : come
  return { fresh, old: now.failing.filter((one) => !fresh.includes(one)) }
}

/** `before` is the run of the same command on the files from before the task. Null if that run was not possible. */
export const since = (now: CheckRun, before: CheckRun | null): CheckRun => {
  if (before?.result === "passed") return { ...now, before: "passed" }
  if (before?.result !== "failed") return { ...now, before: "unknown" }
  if (now.failing.length === 0 || before.failing.length === 0) return withoutNames(now, before)
  const { fresh, old } = partsOf(now, before)
  if (fresh.length === 0 && old.length === before.failing.length && !isAsBefore(now, before))
    return { ...now, before: "unknown" }
  const result = fresh.length === 0 ? "failed_before" : "failed"
  const telling = fresh.length > 0 && old.length > 0 ? { telling: tellingOf(now.printed, fresh, old) } : {}
  return { ...now, ...telling, result, failing: fresh, old, before: "failed" }
}

/** `control` ran in a work tree with the current files. If a failure is missing there, nobody knows if it is new. */
export const controlled = (now: CheckRun, control: CheckRun | null): CheckRun => {
  const unknown: CheckRun = { ...now, before: "unknown" }
  if (now.tests === 0) return control?.tests === 0 ? now : unknown
  if (control?.result !== "failed") return unknown
  const prints = new Set(printsOf(control))
  if (now.failing.length === 0) return printsOf(now).some((print) => prints.has(print)) ? now : unknown
  const known = control.failing.map(keyOf)
  const failing = now.failing.filter((one) => known.includes(keyOf(one)))
  return failing.length === 0 ? unknown : { ...now, failing }
}
