/** Decides which run of a gate counts. */
import type { Edit, Evidence, FailingTest, Run } from "../evidence/Evidence.ts"

/**
 * Returns the runs of one check in order. A bare exit status 0 after a failure proves nothing if a script or
 * configuration was edited in between.
 */
export const withDoubts = (runs: ReadonlyArray<Run>, edits: ReadonlyArray<Edit>): ReadonlyArray<Run> =>
  runs.map((run) => {
    const red = runs.findLast((other) => other.result === "failed" && other.order < run.order)
    const isChanged = edits.some(
      ({ kind, order }) =>
        (kind === "config" || kind === "script") && order > (red?.order ?? Infinity) && order <= run.order
    )
    return run.result !== "passed" || !isChanged || !run.detail.endsWith(" exited 0")
      ? run
      : {
          ...run,
          result: "unknown",
          detail: "its output shows no test, and what it runs may have been changed since it failed"
        }
  })

/**
 * Returns the run that counts. A later unknown run does not cancel an earlier pass, unless an edit came in between. But
 * a later unknown run cancels an earlier failure.
 */
export const decisive = (runs: ReadonlyArray<Run>, since: number): Run | null => {
  const last = runs.at(-1) ?? null
  if (last?.result === "passed" && last.partial) return uncleared(runs, last)
  if (last?.result !== "unknown") return last
  const known = runs.findLast((run) => run.result !== "unknown" && run.order > since)
  return known?.result === "passed" ? known : last
}

/** A partial run repairs only the tests that it ran. A failed test that did not run again still counts as failed. */
const uncleared = (runs: ReadonlyArray<Run>, last: Run): Run => {
  const red = runs.findLast((run) => run.result === "failed")
  if (red === undefined) return last
  const reruns = runs.filter((run) => run.order > red.order && run.result === "passed")
  const isAgain = (run: Run): boolean => run.command === red.command && run.callId !== red.callId
  if (reruns.some((run) => !run.partial || isAgain(run))) return last
  const open = red.failing.filter((test) => !reruns.some((run) => covers(run, test)))
  if (red.failing.length > 0) return open.length === 0 ? last : { ...red, failing: open }
  return red.partial
    ? last
    : { ...last, result: "unknown", detail: "only a part was run after the full check had failed" }
}

/**
 * Handles a check that the user ordered completely. If a whole run exists, all runs are kept, because a later partial
 * run may repair its failures. Otherwise a partial pass proves nothing.
 */
export const ofWhole = (runs: ReadonlyArray<Run>, since: number): ReadonlyArray<Run> =>
  runs.some(({ order, partial, result }) => !partial && result !== "unknown" && order >= since)
    ? runs
    : runs.filter(({ partial, result }) => !partial || result !== "passed")

/** True if a run's command names a test, its file, or a folder above it. */
const covers = ({ command }: Run, { file, name }: FailingTest): boolean => {
  const parts = (file ?? "").split("/").filter((part) => part !== "")
  const folders = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("/"))
  const first = name === file ? "" : (name.split(/[/:> .]/)[0] ?? "")
  const named = [name.slice(0, 60), first, parts.at(-1)?.replace(/\.[a-z]{1,5}$/i, "") ?? ""]
  return (
    named.some((part) => part.length > 2 && command.includes(part)) ||
    command
      .split(/[\s"'=]+/)
      .map((word) => word.replace(/\/(?:\.\.\.)?$/, ""))
      .some(
        (word) =>
          (word.length > 4 && name.includes(word.replaceAll(/[$^*|]/g, ""))) ||
          folders.some((folder) => `/${word}`.endsWith(`/${folder}`))
      )
  )
}

/**
 * Returns the name of something that ran after an edit and could have been the gate. Null if nothing of this kind ran.
 */
export const possibleRun = (gate: string, { possible }: Evidence, edit: number, turn: number): string | null =>
  possible
    .filter((run) => (run.gate === null || run.gate === gate) && run.turn >= turn && run.order > edit)
    .toSorted((one, other) => other.order - one.order)[0]?.what ?? null
