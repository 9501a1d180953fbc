/** Finds checks that failed, were changed, and then passed, while nothing else changed. */
import { callOf } from "../evidence/Evidence.ts"
import type { Evidence, FailingTest, Run } from "../evidence/model.ts"
import { isTest } from "./marks.ts"
import type { CheckEdit, CheckEdits } from "./model.ts"

/**
 * An edit of a check. Only this edit can have made the failing check pass.
 *
 * @category models
 */
export interface WeakenedCheck {
  readonly edit: CheckEdit
  readonly red: Run
}

export const maxFiles = 64

/** Settings files. If an edit of such a file makes a check ignore something, the edit counts for every check. */
const settings =
  /\.(?:config|conf|setup)\.\w{2,4}$|\.(?:ya?ml|toml|ini|cfg|jsonc?|sh|bash|mk|xml|gradle|kts)$|file$|rc$/i

export const isSettings = (path: string): boolean => settings.test(path.slice(-200))

const turnsGreen = ({ kind, path }: CheckEdit, gate: string): boolean => {
  if (kind === "other" || kind === "script" || ["ci", "pr", "push"].includes(gate)) return false
  if (kind === "silenced" || kind === "threshold") return isSettings(path) || gate !== "tests"
  return !["lint", "typecheck", "build", "commit"].includes(gate)
}

const redsBefore = (runs: ReadonlyArray<Run>, gate: string, order: number): ReadonlyArray<Run> => {
  const mine = runs.filter((run) => run.gate === gate && run.order < order)
  const passed = mine.findLastIndex(({ partial, result }) => result === "passed" && !partial)
  return mine.slice(passed + 1).filter(({ result }) => result === "failed")
}

export const isRedAt = ({ runs }: Evidence, order: number): boolean =>
  [...new Set(runs.map(({ gate }) => gate))].some((gate) => redsBefore(runs, gate, order).length > 0)

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

/** False if the run and the edit name different tests or files. Otherwise true. */
const isAbout = ({ kind, now, path, was }: CheckEdit, failing: ReadonlyArray<FailingTest>): boolean => {
  if (failing.length === 0 || path === "" || !["test", "skip", "assertion", "literal"].includes(kind)) return true
  const text = `${was}\n${now}`
  const isNamed = text.split("\n").some(isTest)
  return failing.some(({ file, name }) => {
    const last = letters(name.split(/::| > | › |\/|\s{2,}/).pop() ?? "")
    const isIt = last.length > 3 && letters(text).includes(last)
    return isIt || (!isNamed && (file === null || file.split("/").pop() === path.split("/").pop()))
  })
}

const isGreen = ({ exitCode, partial, result }: Run, { kind }: CheckEdit): boolean =>
  !partial && (result === "passed" || (kind === "silenced" && exitCode === 0))

interface Known {
  readonly edits: CheckEdits
  readonly evidence: Evidence
  /** The turn in which the task was set. */
  readonly since: number
}

/** Returns the last failure before the edit. Null if something else may have made the check pass. */
const redBehind = (edit: CheckEdit, gate: string, { edits, evidence, since }: Known): Run | null => {
  const { entries, files, sources } = edits
  const reds = redsBefore(evidence.runs, gate, edit.order)
  const [first, red] = [reds[0], reds.at(-1)]
  const after = evidence.runs.findLast((run) => run.gate === gate && run.order >= edit.order)
  if (first === undefined || red === undefined || after === undefined || !isGreen(after, edit)) return null
  const firstEdit = files.find(({ path }) => path === edit.path)?.order ?? (files.length < maxFiles ? Infinity : 0)
  const saysAll = edit.kind === "skip" || (edit.kind === "silenced" && isSettings(edit.path))
  const isExplained =
    // The failure is older than the order, so the order may be about this failure.
    red.turn < since ||
    // The agent's own change may have caused the failure, or the agent wrote the test.
    (sources.first > 0 && sources.first < first.order && !saysAll) ||
    firstEdit < first.order ||
    sources.last > red.order ||
    Math.max(evidence.opaqueAt ?? 0, evidence.delegated) > callOf(red.order) ||
    entries.some(({ kind, order }) => kind === "other" && order > red.order)
  return isExplained || !isAbout(edit, red.failing) ? null : red
}

/**
 * Returns the edits that made a failing check pass. Nothing else can have made that check pass.
 *
 * @category accessors
 */
export const weakened = (known: Known): ReadonlyArray<WeakenedCheck> => {
  const gates = [...new Set(known.evidence.runs.map(({ gate }) => gate))]
  return known.edits.entries.flatMap((edit) => {
    const red = gates.flatMap((gate) => (turnsGreen(edit, gate) ? (redBehind(edit, gate, known) ?? []) : []))[0]
    return red === undefined ? [] : [{ edit, red }]
  })
}
