/** Decides which run of a gate counts. */
import type { Edit, Evidence, FailingTest, Run } from "../evidence/Evidence.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"

/** Says why a passed run may not repair an earlier failure. Null if the run repairs the failure. */
const doubtOf = (run: Run, red: Run, edits: ReadonlyArray<Edit>): string | null => {
  const isNew = (edit: Edit): boolean => edit.order > red.order && edit.order <= run.order
  const isBare = run.detail.endsWith(" exited 0")
  if (isBare && edits.some((edit) => (edit.kind === "config" || edit.kind === "script") && isNew(edit)))
    return "its output shows no test, and what it runs may have been changed since it failed"
  return run.command === red.command ? null : (run.doubt ?? null)
}

/** If a pass after a failed run is doubtful, its result becomes unknown. */
export const withDoubts = (runs: ReadonlyArray<Run>, edits: ReadonlyArray<Edit>): ReadonlyArray<Run> =>
  runs.map((run) => {
    const red = runs.findLast((other) => other.result === "failed" && other.order < run.order)
    const doubt = run.result !== "passed" || red === undefined ? null : doubtOf(run, red, edits)
    return doubt === null ? run : { ...run, result: "unknown", detail: doubt }
  })

/** A later unknown run cancels an earlier failure. It cancels an earlier pass only if an edit came in between. */
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

/** Matches words that leave tests out: options such as `--ignore`, values with `!` or `!=`, and words after "not". */
const leftOut: ReadonlyArray<RegExp> = [
  /(?:^|[\s"'])-{1,2}(?:deselect|ignore(?:-glob)?|skip(?:-testing)?|exclude(?:-group|-tag)?|testPathIgnorePatterns)(?:[=:]|\s{1,4})(?:"[^"]{0,200}"|'[^']{0,200}'|[^\s"']{1,200})/g,
  /(?:^|[\s"'])-{1,2}[\w.-]{0,40}(?:ignore|skip|exclu|deselect|omit|except)[\w.-]{0,40}=(?:"[^"]{0,200}"|'[^']{0,200}'|[^\s"']{1,200})/gi,
  /(?<=\s)-{1,2}[\w.-]{1,40}(?:=|\s{1,4})(["']?)(?:[!~][^\s"']{1,100}|\w{1,40}!=[^\s"'&|]{1,100}|not [\w.:-]{1,100}(?: (?:and|or) not [\w.:-]{1,100}){0,8})\1(?=\s|$)/gi,
  /(?<=\bctest\b[^;&|]{0,200}\s)-L?E\s{1,4}(?:"[^"]{0,200}"|'[^']{0,200}'|[^\s"']{1,200})/g,
  /\bnot\s{1,4}\(?[\w.:-]{1,100}|(?<=[=,'"\s])!\S{1,100}/gi
]

const remaining = (command: string): string => leftOut.reduce((rest, pattern) => rest.replace(pattern, " "), command)

/** True if a run is partial only because it leaves tests out. Perhaps the project always leaves these tests out. */
export const onlyLeavesOut = ({ command, partial }: Run): boolean => {
  const rest = remaining(command)
  return partial && rest !== command && !ShellCommand.analyze(rest).commands.some(({ filtered }) => filtered)
}

/** If the whole check was ordered, a partial pass proves nothing. But it may repair the failures of a whole run. */
export const ofWhole = (runs: ReadonlyArray<Run>, since: number): ReadonlyArray<Run> =>
  runs.some(({ order, partial, result }) => !partial && result !== "unknown" && order >= since)
    ? runs
    : runs.flatMap((run): ReadonlyArray<Run> => {
        if (!run.partial || run.result !== "passed") return [run]
        return onlyLeavesOut(run)
          ? [{ ...run, result: "unknown", detail: `${run.detail}, but a part was left out` }]
          : []
      })

/** True if a run's command names the test, its file, or a folder above it. Names that are left out do not count. */
const covers = (run: Run, { file, name }: FailingTest): boolean => {
  const command = remaining(run.command)
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

export const possibleRun = (gate: string, { possible }: Evidence, edit: number, turn: number): string | null =>
  possible
    .filter((run) => (run.gate === null || run.gate === gate) && run.turn >= turn && run.order > edit)
    .toSorted((one, other) => other.order - one.order)[0]?.what ?? null
