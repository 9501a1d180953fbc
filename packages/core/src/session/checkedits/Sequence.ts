/** A check was red, it was changed, and it is green: which changes made it so, and how sure that is. */
import type { Evidence, FailingTest, Run } from "../evidence/model.ts"
import { fileKind } from "../../ground/system/Paths.ts"
import { speaksOf } from "../gates/GateTable.ts"
import type { TaskContext } from "../task/model.ts"
import type { CheckChange, CheckEdits } from "./model.ts"
import { saysOf } from "./openly.ts"
import { isAllowed } from "./orders.ts"
import { isTestName } from "./names.ts"

/**
 * A change by which a red check became green. `red` is the run that failed before, null where the user said that it fails.
 * `sure`: nothing else that was done can have made it green.
 *
 * @category models
 */
export interface Tampered {
  readonly change: CheckChange
  readonly gate: string
  readonly red: Run | null
  readonly sure: boolean
}

interface Known {
  readonly edits: CheckEdits
  readonly evidence: Evidence
  readonly task: TaskContext
  readonly said: ReadonlyArray<string>
}

const checks = ["tests", "lint", "typecheck", "build"]
const handed = new Set(["push", "pr"])

/** The gates that a change can turn green, of those that ran. */
const gatesOf = ({ id, kind }: CheckChange, { runs }: Evidence): ReadonlyArray<string> => {
  const declared = [...new Set(runs.map(({ gate }) => gate))].filter(
    (gate) => !checks.includes(gate) && gate !== "commit" && gate !== "ci" && !handed.has(gate)
  )
  switch (kind) {
    case "mark":
      return id === "coverage" ? ["tests", ...declared] : ["lint", "typecheck", "build", ...declared]
    case "silence":
      return id === "no-verify" ? ["commit", ...checks, "push"] : [...checks, ...declared, "commit", "ci"]
    default:
      return ["tests", ...declared]
  }
}

/** The run that says how a gate stood before: a pass of a part leaves the rest as it was. */
const redBefore = (runs: ReadonlyArray<Run>, gate: string, order: number): Run | null => {
  const last = runs.findLast(
    (run) =>
      run.gate === gate && run.order < order && run.result !== "unknown" && !(run.partial && run.result === "passed")
  )
  return last?.result === "failed" ? last : null
}

const firstRed = (runs: ReadonlyArray<Run>, gate: string): number =>
  runs.find((run) => run.gate === gate && run.result === "failed")?.order ?? Number.POSITIVE_INFINITY

const isRedWord = /\b(?:fail(?:s|ed|ing|ures?)?|red|broken|breaks?|crash(?:es|ed|ing)?|errors?)\b/i

const saidToFail = ({ asks, intent, message, reportsFailure }: TaskContext, gate: string): boolean =>
  asks.some((ask) => ask.gate === gate && ask.how === "fix") ||
  (gate === "tests" && reportsFailure) ||
  (intent === "act" && message.length < 2000 && isRedWord.test(message) && speaksOf(message, gate))

/**
 * Whether the user says that anything fails.
 *
 * @category predicates
 */
export const isTold = ({ asks, message, reportsFailure }: TaskContext): boolean =>
  reportsFailure || asks.some(({ how }) => how === "fix") || isRedWord.test(message.slice(0, 2000))

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

const baseOf = (path: string): string => path.split(/[/\\]/).pop() ?? path

/** At so many a run names no more. */
const mostNamed = 10

/** What is in these holds for all tests. */
const forAll =
  /^(?:conftest\.py|(?:test|spec|rails)_helper\.\w{2,4}|TestCase\.php|(?:jest|vitest)\.setup\.\w{2,4}|setupTests\.\w{2,4})$/

type About = "named" | "file" | "other" | "unknown"

/** A file of tests that could not be told apart stands in place of its tests. */
const namesFile = ({ file, name }: FailingTest): boolean => name === file || /^\S{1,300}\.\w{1,5}$/.test(name)

const names = (one: FailingTest, test: string): boolean => {
  const last = letters(one.name.split(/::| > | › |\/|\.|\s{2,}/).pop() ?? "")
  return test.length > 2 && (letters(one.name).includes(test) || (last.length > 2 && test === last))
}

const isIn = (one: FailingTest, own: string): boolean => {
  const stem = letters(own.replace(/\.\w{1,8}$/, ""))
  return (one.file !== null && baseOf(one.file) === own) || (stem.length > 3 && letters(one.name).includes(stem))
}

/** Whether a change is about what had failed. */
const aboutWhat = ({ id, kind, name, path }: CheckChange, failing: ReadonlyArray<FailingTest>): About => {
  if (kind === "silence" || kind === "mark" || kind === "snapshot" || kind === "special") return "file"
  if (failing.length === 0 || failing.length >= mostNamed) return "unknown"
  const isFile = id.startsWith("file:")
  const own = isFile ? id.slice("file:".length) : baseOf(path)
  const test = isFile ? "" : letters(name ?? "")
  if (failing.some((one) => names(one, test))) return "named"
  if (forAll.test(own)) return "file"
  const inFile = failing.filter((one) => isIn(one, own))
  if (isFile) return inFile.length > 0 ? "named" : "other"
  // Another test of that file: what failed was left as it is.
  if (inFile.length > 0) return test === "" || kind === "assert" || inFile.some(namesFile) ? "file" : "other"
  if (kind !== "test" && kind !== "skip" && !isTestName(own) && !own.endsWith(".rs")) return "other"
  const isPlaced = failing.some(({ file }) => file !== null && fileKind(file) === "test")
  return isPlaced || test !== "" ? "other" : "unknown"
}

/** Tests that were renamed, or put elsewhere: as many came as went. */
const isMoved = (change: CheckChange, changes: ReadonlyArray<CheckChange>): boolean => {
  if (change.kind !== "test") return false
  const gone = changes.filter(({ kind, net }) => kind === "test" && net > 0)
  const come = changes.filter(({ kind, net }) => kind === "test" && net < 0)
  const together = come.filter(
    ({ order, path }) => order === change.order && (path === change.path || change.id.startsWith("file:"))
  )
  const left = gone.filter(({ order, path }) => order === change.order && path === change.path)
  return (
    together.length >= left.length ||
    (change.id.startsWith("file:") && come.length > 0) ||
    come.filter(({ order }) => order >= change.order).length >= gone.length
  )
}

/** These say nothing of themselves: a value may have been wrong, and a look may be another on purpose. */
const isWeak = ({ kind }: CheckChange): boolean => kind === "expected" || kind === "snapshot"

/** What the agent may have written itself, where not all of that is known any more. */
const fromTexts: ReadonlySet<string> = new Set(["test", "assert", "expected"])

/** These say enough even where the agent's own change may have made the check red: what was to go takes its test along. */
const sayMore: ReadonlySet<string> = new Set(["skip", "silence", "mock", "special"])

/** To a linter or compiler a test is a source as others are. */
const ofTests: ReadonlySet<string> = new Set(["test", "skip", "assert", "expected", "snapshot", "mock", "special"])

const grave = new Set(["or-true", "passes-failing", "script", "no-verify"])

/** How sure it is that one change made one gate green: null where nothing says so. */
const ofGate = (
  change: CheckChange,
  gate: string,
  { edits, evidence, task }: Known
): Omit<Tampered, "change"> | null => {
  const { runs } = evidence
  const red = redBefore(runs, gate, change.order)
  const isGreenBefore = runs.some(
    (run) => run.gate === gate && run.order < change.order && run.result === "passed" && !run.partial
  )
  if (red === null && (isGreenBefore || !saidToFail(task, gate))) return null
  const after = runs.findLast((run) => run.gate === gate && run.order >= change.order && run !== red)
  if (after?.result === "failed") return null
  const from = red?.order ?? 0
  const until = after?.order ?? Number.POSITIVE_INFINITY
  const about = red === null ? "unknown" : aboutWhat(change, red.failing)
  if (about === "other") return null
  // A run that left out what had failed says nothing once the rest ran again.
  if (change.id.startsWith("run:") && after?.order !== change.order) return null
  const counts = edits.sources.filter(({ isTest }) => !isTest || !ofTests.has(change.kind))
  const isReal = counts.some(({ order }) => order > from && order <= until)
  const earlier = counts.filter(({ order }) => order <= from)
  const isHidden = edits.opaque > from || evidence.delegated > from
  if (isWeak(change)) {
    if (isReal || earlier.length > 0 || isHidden || after?.result !== "passed") return null
    return change.fits || (red === null && change.kind === "snapshot") ? { gate, red, sure: true } : null
  }
  // Its own change of the source may have made it red.
  const first = firstRed(runs, gate)
  const wasRedFirst = red === null || saidToFail(task, gate) || earlier.every(({ order }) => order > first)
  if (!wasRedFirst && !sayMore.has(change.kind)) return null
  if (!wasRedFirst && change.id.startsWith("run:")) return null
  if (isReal)
    return (about === "named" && !change.id.startsWith("run:") && change.kind !== "assert") ||
      (change.kind === "silence" && grave.has(change.id))
      ? { gate, red, sure: false }
      : null
  // A hook or script that is passed over is so whoever made it red.
  const isGrave = change.kind === "silence" && grave.has(change.id)
  return { gate, red, sure: after?.result === "passed" && !isHidden && (wasRedFirst || isGrave) }
}

/**
 * The changes by which red checks became green, that nobody asked for and the agent does not explain.
 *
 * @category accessors
 */
export const tampered = (known: Known): ReadonlyArray<Tampered> => {
  const { edits, said, task } = known
  if (!edits.changes.some(({ net }) => net > 0)) return []
  const texts = [...new Set([task.message, task.text]), ...task.standing]
  return edits.changes.flatMap((change): ReadonlyArray<Tampered> => {
    if (change.net <= 0 || (edits.lost && fromTexts.has(change.kind)) || isMoved(change, edits.changes)) return []
    const found = gatesOf(change, known.evidence).flatMap((gate) => ofGate(change, gate, known) ?? [])
    const one = found.find(({ sure }) => sure) ?? found[0]
    if (one === undefined || isAllowed(change, texts)) return []
    const says = saysOf(change.kind, said)
    return says === "explained" ? [] : [{ change, ...one, sure: one.sure && says === null }]
  })
}
