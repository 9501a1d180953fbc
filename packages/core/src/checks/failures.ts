/** Failures of a check compared: with those of a second run, and with those of before the task. Pure. */
import { type CheckResult, keyOf, keysOf } from "./CheckResult.ts"

/** What failed both times; without a name in common none of it is sure to fail. */
export const twice = (first: CheckResult, second: CheckResult): CheckResult => {
  const known = keysOf(first)
  const same = second.failing.filter((one) => known.includes(keyOf(one)))
  if (second.failing.length === 0 || first.failing.length === 0) return second
  return same.length === 0 ? { ...second, result: "flaky" } : { ...second, failing: same }
}

/** A failure that may be the machine's is the work's only where the same machine passed the files of before the task. */
export const settled = (now: CheckResult): CheckResult =>
  now.result === "failed" && now.doubt !== undefined && now.before !== "passed"
    ? { ...now, result: "unavailable", detail: now.doubt, failing: [] }
    : now

/** The result of now beside that of the same command on the files of before the task, null where that could not be run. */
export const since = (now: CheckResult, before: CheckResult | null): CheckResult => {
  if (before?.result === "passed") return { ...now, before: "passed" }
  if (before?.result !== "failed") return { ...now, before: "unknown" }
  const known = keysOf(before)
  if (now.failing.length === 0 || before.failing.length === 0)
    return keysOf(now).join() === known.join()
      ? { ...now, result: "failed_before", before: "failed" }
      : { ...now, before: "unknown" }
  const old = now.failing.filter((one) => known.includes(keyOf(one)))
  const fresh = now.failing.filter((one) => !old.includes(one))
  const result = fresh.length === 0 ? "failed_before" : "failed"
  return { ...now, result, failing: fresh, old, before: "failed" }
}
