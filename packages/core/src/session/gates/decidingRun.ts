import type { FailingTest, Run } from "../evidence/Evidence.ts"

const lastOf = (runs: ReadonlyArray<Run>): Run | null => runs[runs.length - 1] ?? null

/**
 * A later run of unknown outcome does not undo an earlier pass unless something was edited in between; it does keep an
 * earlier failure from being the last word.
 */
export const decisive = (runs: ReadonlyArray<Run>, since: number): Run | null => {
  const last = lastOf(runs)
  if (last === null || last.result === "failed") return last
  if (last.result === "passed") return last.partial ? uncleared(runs, last) : last
  const known = lastOf(runs.filter((run) => run.result !== "unknown" && run.order > since))
  return known?.result === "passed" ? known : last
}

/** A run of a part clears only what it ran: a test that failed and was not run again still counts as failed. */
const uncleared = (runs: ReadonlyArray<Run>, last: Run): Run => {
  const red = lastOf(runs.filter((run) => run.result === "failed"))
  if (red === null) return last
  const reruns = runs.filter((run) => run.order > red.order && run.result === "passed")
  const isAgain = (run: Run): boolean => run.command === red.command && run.callId !== red.callId
  if (reruns.some((run) => !run.partial || isAgain(run))) return last
  const open = red.failing.filter((test) => !reruns.some((run) => covers(run, test)))
  if (red.failing.length > 0) return open.length === 0 ? last : { ...red, failing: open }
  return red.partial ? last : { ...last, result: "unknown", detail: "only a part was run after the whole had failed" }
}

const words = (command: string): ReadonlyArray<string> =>
  command.split(/[\s"'=]+/).map((word) => word.replace(/\/(?:\.\.\.)?$/, ""))

/** Whether a run's command names a test, its file, or a folder that holds it. */
const covers = (run: Run, test: FailingTest): boolean => {
  const parts = (test.file ?? "").split("/").filter((part) => part !== "")
  const file = parts.at(-1)?.replace(/\.[a-z]{1,5}$/i, "") ?? ""
  const folders = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("/"))
  const first = test.name === test.file ? "" : (test.name.split(/[/:> .]/)[0] ?? "")
  const named = [test.name.slice(0, 60), first, file]
  return (
    named.some((part) => part.length > 2 && run.command.includes(part)) ||
    words(run.command).some((word) => word.length > 4 && test.name.includes(word.replaceAll(/[$^*|]/g, ""))) ||
    words(run.command).some((word) =>
      folders.some((folder) => word === folder || word === `./${folder}` || word.endsWith(`/${folder}`))
    )
  )
}
