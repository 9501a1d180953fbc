/** The results of the checks that reflexion ran itself, and the verdict that follows from them. */
import type { Run } from "../session/evidence/Evidence.ts"
import { clip, oneLine } from "../base/text/Text.ts"
import * as Judgment from "../judge/verdict/Judgment.ts"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as KeyHash from "../base/system/KeyHash.ts"
import { FailingTest } from "../session/evidence/model.ts"

export const CheckResult = Schema.Struct({
  gate: Schema.String,
  command: Schema.String,
  /**
   * `failed`: it failed twice. `flaky`: it passed the second time. `failed_before`: it failed in the same way before
   * the task. `unavailable`: it could not run, or was ended from outside, so it proves nothing about the work.
   */
  result: Schema.Literal("passed", "failed", "failed_before", "flaky", "timed_out", "unavailable"),
  exitCode: Schema.NullOr(Schema.Number),
  /** If `before` is known, tests that already failed before the task are left out. */
  failing: Schema.Array(FailingTest),
  /** The tests that also failed before the task. */
  old: Schema.optionalWith(Schema.Array(FailingTest), { exact: true }),
  before: Schema.optionalWith(Schema.Literal("passed", "failed", "unknown"), { exact: true }),
  /** A printed line about a missing service or package. */
  doubt: Schema.optionalWith(Schema.String, { exact: true }),
  tests: Schema.optionalWith(Schema.Number, { exact: true }),
  /** What the task changed in the check itself. A green result then proves nothing. */
  altered: Schema.optionalWith(Schema.String, { exact: true }),
  /** Tests that the task changed and whose earlier version fails. */
  broken: Schema.optionalWith(Schema.Array(FailingTest), { exact: true }),
  /** True if the check no longer runs what the user agreed to. */
  changed: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  /** True if a recent run found the same old failures, so the user already knows them. */
  again: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  detail: Schema.String,
  telling: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** The log file in the project, which has more of the output. */
  log: Schema.optionalWith(Schema.String, { exact: true }),
  /** The end of the output, without secrets. */
  output: Schema.String,
  at: Schema.NullOr(Schema.String),
  durationMs: Schema.Number,
  /** The result comes from an earlier run on the same files. */
  cached: Schema.Boolean
})

export type CheckResult = typeof CheckResult.Type

/** A command that proves a gate. It runs only if the user, or a workspace that the user trusts, allows this. */
export interface Check {
  readonly name: string
  readonly command: string
  /** In seconds. If left out, only the limit for all checks together applies. */
  readonly timeout?: number
  /** The fingerprint (see `CheckPrint`) to which the user's consent is limited. Left out if there is no limit. */
  readonly print?: string
  /** True if the task is to make this check pass. Then a failure before the task is no excuse. */
  readonly wanted?: true
  /** True if the record shows that the check passed. Then only the earlier versions of changed tests may run. */
  readonly proved?: true
}

/** `failed_before` proves nothing about the work, but overrides a failure that the agent saw. */
type Decided = CheckResult & { readonly result: "passed" | "failed" | "failed_before" }

const isDecided = (result: CheckResult): result is Decided =>
  result.result === "passed" || result.result === "failed" || result.result === "failed_before"

/** If the agent claims that the check passes, a failure before the task is no excuse. */
export const unexcused = (result: CheckResult): CheckResult =>
  result.result === "failed_before"
    ? { ...Struct.omit(result, "before", "old"), result: "failed", failing: result.old ?? [] }
    : result

const outcomes: Readonly<Record<CheckResult["result"], string>> = {
  passed: "passed",
  failed: "failed",
  failed_before: "failed, as it did before the task",
  flaky: "flaky: it passed when it was run again",
  timed_out: "gave no result",
  unavailable: "gave no result"
}

const time = ({ at, cached, durationMs }: CheckResult): string => {
  if (at === null) return ""
  return cached ? " (result of an earlier run on the same files)" : ` (${(durationMs / 1000).toFixed(1)} s)`
}

const namesOf = (failing: ReadonlyArray<FailingTest>): string =>
  [...failing.slice(0, 3).map(({ name }) => `"${oneLine(name, 80)}"`), ...(failing.length > 3 ? ["…"] : [])].join(", ")

/** Why a green result does not prove everything. */
const butOf = ({ altered, broken = [], result }: CheckResult): string => {
  if (result !== "passed") return ""
  const hidden = broken.length === 0 ? [] : [`the tests from before the task fail on the new code: ${namesOf(broken)}`]
  return [...(altered === undefined ? [] : [altered]), ...hidden].map((but) => `, but ${but}`).join("")
}

/** Describes the result in one line, for example "`npm test` failed: 1 failed, 3 passed (adds) (2.1 s)". */
export const describe = (result: CheckResult): string =>
  `\`${clip(result.command, 120)}\` ${outcomes[result.result]}: ${result.detail}${butOf(result)}${time(result)}`

const ranLine = (result: CheckResult): string => {
  const exit = result.exitCode === null ? "" : `, exit ${result.exitCode}`
  const since = result.before === "unknown" ? "; it is unknown whether it failed before the task" : ""
  const detail = result.again === true || /^exited \d+$/.test(result.detail) ? "" : ` (${result.detail})`
  const took = result.at === null ? "" : `${exit}, ${(result.durationMs / 1000).toFixed(1)} s`
  return `\`${oneLine(result.command, 120)}\`: ${outcomes[result.result]}${since}${took}${detail}${butOf(result)}`
}

/** Lists the commands that were run just now. Null if nothing was run. */
export const ran = (results: ReadonlyArray<CheckResult> = []): string | null => {
  const isNew = ({ at, broken, cached }: CheckResult): boolean => !cached && (at !== null || broken !== undefined)
  const lines = results.filter(isNew).map(ranLine)
  return lines.length === 0 ? null : `reflexion ran ${lines.join("; ")}`
}

/** Tells the user why due checks were not run. Null if all were run. */
export const unrun = (results: ReadonlyArray<CheckResult> = []): string | null => {
  const changed = results.flatMap((one) => (one.changed ? [`\`${oneLine(one.command, 120)}\``] : []))
  const [were, they] =
    changed.length === 1 ? ["was", "the script behind it has"] : ["were", "the scripts behind them have"]
  if (changed.length > 0)
    return `${changed.join(", ")} ${were} not run: ${they} changed since you agreed. Run \`reflexion allow checks\` in a terminal in the project to agree again`
  const found = results.find(({ at, result }) => result === "unavailable" && at === null)
  return found === undefined ? null : describe(found)
}

/** A gate passes if all its checks pass. It fails if one check fails. In all other cases, it is undecided. */
const deciding = (results: ReadonlyArray<CheckResult>): ReadonlyArray<Decided> =>
  [...new Set(results.map(({ gate }) => gate))].flatMap((gate) => {
    // If the record shows that a check passed, the check was not run and is left out.
    const all = results.filter((result) => result.gate === gate && !(result.result === "passed" && result.at === null))
    const red = ["failed", "failed_before"].flatMap((one) => all.find(({ result }) => result === one) ?? [])
    const last = red[0] ?? (all.every(isDecided) ? all.at(-1) : undefined)
    return last !== undefined && isDecided(last) ? [last] : []
  })

/** Unknown if the check fails as it did before the task. Also unknown if it passed but the task changed the check. */
const outcomeOf = ({ altered, detail, result }: Decided): Pick<Run, "detail" | "result"> => {
  if (result === "failed_before") return { result: "unknown", detail: `${detail}, as it did before the task` }
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

/** Adds the results to the state, for a verdict. Do not save this state: it is valid only for the current files. */
export const observe = (state: Judgment.JudgmentState, results: ReadonlyArray<CheckResult>): Judgment.JudgmentState => {
  const { evidence } = state
  const [order, broken] = [evidence.order + 1, results.find((one) => one.broken !== undefined)]
  const runs = deciding(results).map((result) => toRun(result, evidence.turn, order))
  const oldTests = broken?.broken && { command: broken.command, failing: broken.broken }
  const seen = oldTests === undefined ? state : { ...state, oldTests }
  // If a check ran, the agent is not told that nothing was run, even if the result of the check is unknown.
  return results.every(({ at }) => at === null)
    ? seen
    : { ...seen, evidence: { ...evidence, order, exercised: order, runs: [...evidence.runs, ...runs] } }
}

/** Replaces paths, times and numbers, because they differ from run to run. */
export const normal = (text: string): string =>
  text
    .replaceAll(/ ?\(\d+(?:\.\d+)? ?m?s\)/g, "")
    .replaceAll(/\d+(?:\.\d+)?(?: ?(?:ns|µs|us|ms|s|m)\b)?/g, "0")
    .replaceAll(/(?:\/[\w.@-]+){2,}/g, "/")
    .replaceAll(/\s+/g, " ")
    .trim()

/** The name without the project's path and times. Numbers stay, because tests may differ only by a number. */
export const nameOf = ({ name }: Pick<FailingTest, "name">): string =>
  name
    .replaceAll(/(?<![\w.@-])(?:\/[\w.@-]+){2,}/g, "/")
    .replace(/ \(\d+(?:\.\d+)? ?m?s\)$/, "")
    .trim()

export const keyOf = (failing: FailingTest): string => JSON.stringify([nameOf(failing), failing.file])

/** The sorted test names, or the whole output if there are no names. */
export const keysOf = ({ failing, output }: Pick<CheckResult, "failing" | "output">): ReadonlyArray<string> =>
  failing.length > 0 ? [...new Set(failing.map(keyOf))].toSorted() : [normal(output)]

/** A hash of the failures. Null if the nudge has other reasons than failing checks or tests that hide failures. */
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

/** The mark depends on the agent's actions and not on our runs. So an idle agent gets only one nudge for a check. */
export const review = (
  state: Judgment.JudgmentState,
  results: ReadonlyArray<CheckResult>,
  options: Judgment.VerdictOptions
): Judgment.JudgedTurn => {
  const judged = Judgment.review(observe(state, results), options)
  const failures = failuresOf(judged, results)
  return { ...judged, mark: Judgment.mark(state, options.context), ...(failures !== null && { failures }) }
}
