/**
 * What came of the checks that reflexion ran itself, and the verdict that follows from them. Pure; the running is
 * `Verification`'s.
 */
import type { Run } from "../session/evidence/Evidence.ts"
import { clip, oneLine } from "../base/text/Text.ts"
import * as Judgment from "../judge/verdict/Judgment.ts"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as KeyHash from "../base/system/KeyHash.ts"
import { FailingTest } from "../session/evidence/model.ts"

/** How one check went. */
export const CheckResult = Schema.Struct({
  gate: Schema.String,
  command: Schema.String,
  /**
   * A failure was seen twice: what passed the second time is `flaky`, and what failed in the same way before the task
   * `failed_before`. `unavailable` says nothing of the work: it could not be run, or something else ended it.
   */
  result: Schema.Literal("passed", "failed", "failed_before", "flaky", "timed_out", "unavailable"),
  exitCode: Schema.NullOr(Schema.Number),
  /** What failed now and, where `before` is known, not before the task. */
  failing: Schema.Array(FailingTest),
  /** What failed before the task as well. */
  old: Schema.optionalWith(Schema.Array(FailingTest), { exact: true }),
  before: Schema.optionalWith(Schema.Literal("passed", "failed", "unknown"), { exact: true }),
  /** What it printed of a service or a package that is not there. */
  doubt: Schema.optionalWith(Schema.String, { exact: true }),
  /** How many ran, where it says so. */
  tests: Schema.optionalWith(Schema.Number, { exact: true }),
  /** What the task did to the check itself, so that green proves nothing. */
  altered: Schema.optionalWith(Schema.String, { exact: true }),
  /** Of green tests that the task changed, those that fail as they were before. */
  broken: Schema.optionalWith(Schema.Array(FailingTest), { exact: true }),
  /** What it runs is not what the user agreed to any more. */
  changed: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  /** The same failures of before the task were found lately, so that the user was told which. */
  again: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  detail: Schema.String,
  /** The lines that say why it failed. */
  telling: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** The file in the project with more of what it printed. */
  log: Schema.optionalWith(Schema.String, { exact: true }),
  /** The end of what it printed, without secrets. */
  output: Schema.String,
  at: Schema.NullOr(Schema.String),
  durationMs: Schema.Number,
  /** The same check ran before on the same files. */
  cached: Schema.Boolean
})

export type CheckResult = typeof CheckResult.Type

/**
 * A command that proves a gate, as the configuration has it: it is run if, and only if, the user or a workspace they
 * trust says so. `timeout` is in seconds; without one it has the time that all have. `print` is
 * of what the user agreed to, as `CheckPrint` has it, where they agreed to no more. `wanted`: that it passes is the task itself, so
 * nothing is excused by having failed before. `proved`: it is green on record, so that at most its tests of before the task
 * are run. `faster`: another that the project has, for who has to wait too long.
 */
export interface Check {
  readonly name: string
  readonly command: string
  readonly timeout?: number
  readonly print?: string
  readonly wanted?: true
  readonly proved?: true
  readonly faster?: string
}

/** What failed before the task decides nothing about the work, and takes the place of what the agent saw fail. */
type Decided = CheckResult & { readonly result: "passed" | "failed" | "failed_before" }

const isDecided = (result: CheckResult): result is Decided =>
  result.result === "passed" || result.result === "failed" || result.result === "failed_before"

/** The agent says that it passes: that it failed before excuses no such word. */
export const unexcused = (result: CheckResult): CheckResult =>
  result.result === "failed_before"
    ? { ...Struct.omit(result, "before", "old"), result: "failed", failing: result.old ?? [] }
    : result

const outcomes: Readonly<Record<CheckResult["result"], string>> = {
  passed: "passed",
  failed: "failed",
  failed_before: "failed, as before the task",
  flaky: "flaky, it passed when it was run again",
  timed_out: "gave no result",
  unavailable: "gave no result"
}

const time = ({ at, cached, durationMs }: CheckResult): string => {
  if (at === null) return ""
  return cached ? " (known from an earlier run on the same files)" : ` (${(durationMs / 1000).toFixed(1)} s)`
}

const namesOf = (failing: ReadonlyArray<FailingTest>): string =>
  [...failing.slice(0, 3).map(({ name }) => `"${oneLine(name, 80)}"`), ...(failing.length > 3 ? ["…"] : [])].join(", ")

/** Why green is not all that there is to say. */
const butOf = ({ altered, broken = [], result }: CheckResult): string => {
  if (result !== "passed") return ""
  const hidden = broken.length === 0 ? [] : [`the tests of before the task fail on it: ${namesOf(broken)}`]
  return [...(altered === undefined ? [] : [altered]), ...hidden].map((but) => `, but ${but}`).join("")
}

/** One line for a person, as in "`npm test` failed: 1 failed, 3 passed (adds) (2.1 s)". */
export const describe = (result: CheckResult): string =>
  `\`${clip(result.command, 120)}\` ${outcomes[result.result]}: ${result.detail}${butOf(result)}${time(result)}`

const ranLine = (result: CheckResult): string => {
  const exit = result.exitCode === null ? "" : `, exit ${result.exitCode}`
  const since = result.before === "unknown" ? "; whether it failed before the task is not known" : ""
  const detail = result.again === true || /^exited \d+$/.test(result.detail) ? "" : ` (${result.detail})`
  const took = result.at === null ? "" : `${exit}, ${(result.durationMs / 1000).toFixed(1)} s`
  return `\`${oneLine(result.command, 120)}\`: ${outcomes[result.result]}${since}${took}${detail}${butOf(result)}`
}

/**
 * What was run just now: each command with how it ended and how long it took. Null where nothing was.
 */
export const ran = (results: ReadonlyArray<CheckResult> = []): string | null => {
  const isNew = ({ at, broken, cached }: CheckResult): boolean => !cached && (at !== null || broken !== undefined)
  const lines = results.filter(isNew).map(ranLine)
  return lines.length === 0 ? null : `reflexion ran ${lines.join("; ")}`
}

/** Why checks that were due were not run, for the user; null where all were. */
export const unrun = (results: ReadonlyArray<CheckResult> = []): string | null => {
  const changed = results.flatMap((one) => (one.changed ? [`\`${oneLine(one.command, 120)}\``] : []))
  const [were, they] = changed.length === 1 ? ["was", "it runs"] : ["were", "they run"]
  if (changed.length > 0)
    return `${changed.join(", ")} ${were} not run: what ${they} has changed since you agreed. \`reflexion allow checks\`, in a terminal in the project, asks you again`
  const found = results.find(({ at, result }) => result === "unavailable" && at === null)
  return found === undefined ? null : describe(found)
}

/** A gate of several checks passes when they all do; with one of them left undecided it is not decided by the rest. */
const deciding = (results: ReadonlyArray<CheckResult>): ReadonlyArray<Decided> =>
  [...new Set(results.map(({ gate }) => gate))].flatMap((gate) => {
    // What is green on record was not run.
    const all = results.filter((result) => result.gate === gate && !(result.result === "passed" && result.at === null))
    const red = ["failed", "failed_before"].flatMap((one) => all.find(({ result }) => result === one) ?? [])
    const last = red[0] ?? (all.every(isDecided) ? all.at(-1) : undefined)
    return last !== undefined && isDecided(last) ? [last] : []
  })

/** What failed before decides nothing, and neither does a check that the task changed. */
const outcomeOf = ({ altered, detail, result }: Decided): Pick<Run, "detail" | "result"> => {
  if (result === "failed_before") return { result: "unknown", detail: `${detail}, as before the task` }
  const isProof = result === "failed" || altered === undefined
  return isProof ? { result, detail } : { result: "unknown", detail: `${detail}, but ${altered}` }
}

const toRun = (result: Decided, turn: number, order: number): Run => ({
  gate: result.gate,
  callId: null,
  command: result.command,
  exitCode: result.exitCode,
  at: result.at,
  turn,
  order,
  ...outcomeOf(result),
  completed: true,
  partial: false,
  masked: false,
  failing: result.failing,
  verified: true,
  ...(result.telling !== undefined && { telling: result.telling }),
  ...(result.log !== undefined && { log: result.log }),
  ...(result.result === "failed" && result.before === "failed" && { partlyOld: true as const }),
  ...(result.before === "passed" || (result.before === "failed" && result.result === "failed") ? { fresh: true } : {})
})

/**
 * The state with what the checks proved, for a verdict. It is not to be saved: it holds for the files as they were.
 */
export const observe = (state: Judgment.JudgmentState, results: ReadonlyArray<CheckResult>): Judgment.JudgmentState => {
  const { evidence } = state
  const [order, broken] = [evidence.order + 1, results.find((one) => one.broken !== undefined)]
  const runs = deciding(results).map((result) => toRun(result, evidence.turn, order))
  const oldTests = broken?.broken && { command: broken.command, failing: broken.broken }
  const seen = oldTests === undefined ? state : { ...state, oldTests }
  // Whatever came of it, something was run: that nothing was is no reason for a nudge any more.
  return results.every(({ at }) => at === null)
    ? seen
    : { ...seen, evidence: { ...evidence, order, exercised: order, runs: [...evidence.runs, ...runs] } }
}

/** Places move, and times and addresses differ from run to run. */
export const normal = (text: string): string =>
  text
    .replaceAll(/ ?\(\d+(?:\.\d+)? ?m?s\)/g, "")
    .replaceAll(/\d+(?:\.\d+)?(?: ?(?:ns|µs|us|ms|s|m)\b)?/g, "0")
    .replaceAll(/(?:\/[\w.@-]+){2,}/g, "/")
    .replaceAll(/\s+/g, " ")
    .trim()

/** Tests may differ by a number alone; the place of the project and a time are not the name's. */
export const nameOf = ({ name }: Pick<FailingTest, "name">): string =>
  name
    .replaceAll(/(?<![\w.@-])(?:\/[\w.@-]+){2,}/g, "/")
    .replace(/ \(\d+(?:\.\d+)? ?m?s\)$/, "")
    .trim()

/** A failure by its name and file. */
export const keyOf = (failing: FailingTest): string => JSON.stringify([nameOf(failing), failing.file])

/** What two runs of a check failed at: by names where there are some, else by all that it printed. Sorted. */
export const keysOf = ({ failing, output }: Pick<CheckResult, "failing" | "output">): ReadonlyArray<string> =>
  failing.length > 0 ? [...new Set(failing.map(keyOf))].toSorted() : [normal(output)]

/** What sends the agent on is that these checks fail, or that changed tests hide what fails, and nothing else. */
const failuresOf = ({ verdict }: Judgment.JudgedTurn, results: ReadonlyArray<CheckResult>): string | null => {
  const nudges = verdict.findings.filter(({ level }) => level === "nudge")
  const red = deciding(results).filter(({ result }) => result === "failed")
  const hidden = results.flatMap(({ broken = [] }) => broken.map(keyOf))
  const known = [...red.map(() => "gates/failing"), ...(hidden.length > 0 ? ["checks/weakened"] : [])]
  const isOurs = nudges.length > 0 && nudges.length <= known.length && nudges.every(({ rule }) => known.includes(rule))
  return isOurs
    ? KeyHash.ofText(JSON.stringify([...red.map((one) => [one.gate, keysOf(one)]), ...hidden])).toString(36)
    : null
}

/**
 * The review that the checks' results give, of source `verification` where one of them decided anything. What could not be
 * run leaves the verdict as it is. Where the evidence stands is what the agent has done, not what was run for
 * it: so the same failing check nudges an agent that does nothing but once.
 */
export const review = (
  state: Judgment.JudgmentState,
  results: ReadonlyArray<CheckResult>,
  options: Judgment.VerdictOptions
): Judgment.JudgedTurn => {
  const judged = Judgment.review(observe(state, results), options)
  const failures = failuresOf(judged, results)
  return { ...judged, mark: Judgment.mark(state, options.context), ...(failures !== null && { failures }) }
}
