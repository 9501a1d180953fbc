/** What a pass counts for behind a failing run of the same check: only what surely reached the check makes it good. */
import type { Edit, Run } from "../evidence/Evidence.ts"

/** Its exit status is all there is of it. */
const isBare = ({ detail }: Run): boolean => detail.endsWith(" exited 0")

const doubtOf = (run: Run, red: Run, edits: ReadonlyArray<Edit>): string | null => {
  const isNew = (edit: Edit): boolean => edit.order > red.order && edit.order <= run.order
  if (isBare(run) && edits.some((edit) => (edit.kind === "config" || edit.kind === "script") && isNew(edit)))
    return "it shows no test, and what it runs may have been changed since it failed"
  return run.command === red.command ? null : (run.doubt ?? null)
}

/** The runs of one check in their order, each pass that may not be one by the failing run before it as unknown. */
export const withDoubts = (runs: ReadonlyArray<Run>, edits: ReadonlyArray<Edit>): ReadonlyArray<Run> =>
  runs.map((run) => {
    if (run.result !== "passed") return run
    const red = runs.findLast((other) => other.result === "failed" && other.order < run.order)
    const doubt = red === undefined ? null : doubtOf(run, red, edits)
    return doubt === null ? run : { ...run, result: "unknown", detail: doubt }
  })
