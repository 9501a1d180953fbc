/** Failures of a check compared: with those of a second run, and with those of before the task. Pure. */
import { tellingLines } from "../session/output/TellingLines.ts"
import type { FailingTest } from "../session/evidence/Evidence.ts"
import { type CheckResult, keyOf, keysOf, normal } from "./CheckResult.ts"

/** A run with the lines that say why it failed. */
export interface Ran extends CheckResult {
  readonly lines: ReadonlyArray<string>
}

/** More than an agent would read: one that is missing would make a failure look like another. */
const longest = 40_000

export const linesOf = (output: string): ReadonlyArray<string> => tellingLines(output, longest)

/** The same names may fail for another reason, such as a file that git does not have. A count differs where more fails. */
const isAsBefore = (now: Ran, before: Ran): boolean => {
  const known = new Set(now.lines.map(normal))
  return before.lines.every((line) => known.has(normal(line)))
}

/** Whether a line names a failure by its last name or its file. */
const isAbout =
  (line: string) =>
  ({ file, name }: FailingTest): boolean =>
    line.includes(name.split(/ › | > |::|\//).pop() ?? name) || (file !== null && line.includes(file))

/** The lines about some failures, from one that names one of them on to the first that names another. */
const linesAbout = (
  lines: ReadonlyArray<string>,
  fresh: ReadonlyArray<FailingTest>,
  old: ReadonlyArray<FailingTest>
) => {
  let isOne = false
  return lines.filter((line) => {
    const is = isAbout(line)
    isOne = fresh.some(is) || (isOne && !old.some(is))
    return isOne
  })
}

/** What failed both times; without a name in common none of it is sure to fail. */
export const twice = (first: Ran, second: Ran): Ran => {
  const known = keysOf(first)
  const same = second.failing.filter((one) => known.includes(keyOf(one)))
  if (second.failing.length === 0 || first.failing.length === 0) return second
  return same.length === 0 ? { ...second, result: "flaky" } : { ...second, failing: same }
}

/** A failure that may be the machine's is the work's only where the same machine passed the files of before the task. */
export const settled = (now: Ran): Ran =>
  now.result === "failed" && now.doubt !== undefined && now.before !== "passed"
    ? { ...now, result: "unavailable", detail: now.doubt, failing: [] }
    : now

/**
 * A run in which fewer tests ran than there were, by the files of before the task, else by an earlier run: none is a failure, and
 * fewer is no proof.
 */
export const sinceMore = (
  now: Ran,
  { before, earlier }: { before: number | undefined; earlier: number | null }
): Ran => {
  const [tests, had] = [now.tests ?? 0, before ?? earlier ?? 0]
  if (had <= tests) return now
  const where = before === undefined ? "in an earlier run" : "on the files of before the task"
  if (tests > 0) return { ...now, altered: `${had} tests ran ${where}, and now ${tests}` }
  const detail = `no test ran, and some did ${where}`
  return { ...now, result: "failed", detail, before: before === undefined ? "unknown" : "passed" }
}

/** The result of now, compared with that of the same command on the files of before the task, null where that could not be run. */
export const since = (now: Ran, before: Ran | null): Ran => {
  if (before?.result === "passed") return { ...now, before: "passed" }
  if (before?.result !== "failed") return { ...now, before: "unknown" }
  const known = keysOf(before)
  if (now.failing.length === 0 || before.failing.length === 0)
    return keysOf(now).join() === known.join()
      ? { ...now, result: "failed_before", before: "failed" }
      : { ...now, before: "unknown" }
  const old = now.failing.filter((one) => known.includes(keyOf(one)))
  if (old.length === now.failing.length && old.length === known.length && !isAsBefore(now, before))
    return { ...now, before: "unknown" }
  const fresh = now.failing.filter((one) => !old.includes(one))
  const result = fresh.length === 0 ? "failed_before" : "failed"
  const own = old.length === 0 ? [] : linesAbout(now.lines, fresh, old)
  const telling = own.length === 0 ? {} : { telling: tellingLines(own.join("\n")) }
  return { ...now, ...telling, result, failing: fresh, old, before: "failed" }
}
