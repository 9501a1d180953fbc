/** Compares the failures of a check with those of a second run, and with those from before the task. Pure functions. */
import * as Pattern from "effect/RegExp"
import { outputLines } from "../base/text/OutputLines.ts"
import { oneLine } from "../base/text/Text.ts"
import { tellingLines } from "../session/output/TellingLines.ts"
import type { FailingTest } from "../session/evidence/model.ts"
import { type CheckResult, keyOf, keysOf, nameOf, normal } from "./CheckResult.ts"

/** A run with its output, up to a limit and without secrets. */
export interface CheckRun extends CheckResult {
  readonly printed: string
}

/**
 * The maximum length of the compared lines. The comparison needs more lines than an agent reads. One missing line makes
 * two equal failures differ.
 */
const longest = 40_000

const linesOf = ({ printed }: CheckRun): ReadonlyArray<string> => tellingLines(printed, longest)

const printsOf = (run: CheckRun): ReadonlyArray<string> => linesOf(run).map(normal)

/** Returns the lines that are new, or occur more often than before the task. */
const freshOf = (now: CheckRun, before: CheckRun): ReadonlyArray<string> => {
  const left = new Map<string, number>()
  for (const print of printsOf(before)) left.set(print, (left.get(print) ?? 0) + 1)
  return linesOf(now).filter((line) => {
    const count = left.get(normal(line)) ?? 0
    left.set(normal(line), count - 1)
    return count <= 0
  })
}

/** Compares by printed lines, for a runner that names no tests. */
const withoutNames = (now: CheckRun, before: CheckRun): CheckRun => {
  const fresh = freshOf(now, before)
  const [first] = fresh
  return first === undefined
    ? { ...now, result: "failed_before", before: "failed" }
    : { ...now, before: "unknown", detail: oneLine(first, 300), telling: tellingLines(fresh.join("\n")) }
}

/** Matches a path within the project. */
const place = /[\w.@-]+(?:\/[\w.@-]+)+/g

const withoutPlace = (print: string): string => print.replaceAll(place, "/")

/**
 * True if every line of the earlier output also occurs in the current output. If a line is missing, the tests may have
 * failed for another reason, for example because git does not have a file. Paths are ignored, because a file may have
 * been moved. Numbers are ignored, because the number of failing tests may have changed.
 */
const isAsBefore = (now: CheckRun, before: CheckRun): boolean => {
  const prints = new Set(printsOf(now).map(withoutPlace))
  return printsOf(before).every((print) => prints.has(withoutPlace(print)))
}

type Failing = ReadonlyArray<FailingTest>

/** Returns each name with and without its group. A runner may leave out the group or print it differently. */
const namesOf = (failing: Failing): ReadonlyArray<string> =>
  failing.flatMap(({ name }) => [name, name.split(/ > | › |::/).at(-1) ?? name])

const anyOf = (names: ReadonlyArray<string>): RegExp | null =>
  names.length === 0 ? null : new RegExp(`(?<!\\w)(?:${names.map(Pattern.escape).join("|")})(?!\\w)`)

/**
 * Returns the lines about new failures. A runner prints the name of a test before its lines. The lines belong to this
 * test until the next name.
 */
const tellingOf = (printed: string, fresh: Failing, old: Failing): ReadonlyArray<string> => {
  const [named, others] = [anyOf(namesOf(fresh)), anyOf(namesOf(old).filter((name) => !namesOf(fresh).includes(name)))]
  let isOld = false
  const lines = outputLines(printed).lines.filter(({ raw }) => {
    isOld = named?.test(raw) !== true && (isOld || others?.test(raw) === true)
    return !isOld
  })
  return tellingLines(lines.map(({ raw }) => raw).join("\n"))
}

/** Returns what failed in both runs. If no name failed in both runs, the result is `flaky`. */
export const twice = (first: CheckRun, second: CheckRun): CheckRun => {
  const known = keysOf(first)
  const same = second.failing.filter((one) => known.includes(keyOf(one)))
  if (second.failing.length === 0 || first.failing.length === 0) return second
  return same.length === 0 ? { ...second, result: "flaky" } : { ...second, failing: same }
}

/**
 * A failure with a `doubt` may come from the machine. It counts only if the files from before the task passed on the
 * same machine.
 */
export const settled = (now: CheckRun): CheckRun =>
  now.result === "failed" && now.doubt !== undefined && now.before !== "passed"
    ? { ...now, result: "unavailable", detail: now.doubt, failing: [] }
    : now

/**
 * Handles a run with fewer tests than before. The earlier number comes from the files from before the task. If that is
 * unknown, it comes from an earlier run. A run without tests is a failure. A run with fewer tests proves nothing.
 */
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

/**
 * Returns the failures whose key occurs more often in `all` than in `others`. If some failures with a key are new, it
 * returns all failures with that key.
 */
const moreOf = (all: Failing, others: Failing, key: (one: FailingTest) => string): Failing => {
  const count = (some: Failing, wanted: string) => some.filter((one) => key(one) === wanted).length
  return all.filter((one) => count(all, key(one)) > count(others, key(one)))
}

/** Splits the current failures into old ones and new ones. A test in a moved file is recognised by its name. */
const partsOf = (now: CheckRun, before: CheckRun) => {
  const [come, gone] = [moreOf(now.failing, before.failing, keyOf), moreOf(before.failing, now.failing, keyOf)]
  const isMoved = come.length > 0 && gone.length > 0 && isAsBefore(now, before)
  const fresh = isMoved ? moreOf(come, gone, nameOf) : come
  return { fresh, old: now.failing.filter((one) => !fresh.includes(one)) }
}

/**
 * Compares the current result with the result of the same command on the files from before the task. `before` is null
 * if that run was not possible.
 */
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

/**
 * Keeps a failure as new only if it also occurs in a work tree with the current files. Otherwise the difference may
 * come from the work tree and not from the agent's work.
 */
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
