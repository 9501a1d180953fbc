/**
 * Which checks are worth running at a stop: those of what was changed since they were last green, and those that are required or
 * claimed and have no result. Pure.
 */
import { isGate } from "../session/donewhen/Conditions.ts"
import type * as Evidence from "../session/evidence/Evidence.ts"
import { isOfTests } from "../session/checkedits/CheckEdits.ts"
import { isSpared, isUnwanted } from "../session/task/TaskContext.ts"
import type { Facts, GateFact } from "../session/facts/Facts.ts"
import type { ActiveCheck } from "../session/config/ReflexionConfig.ts"
import type { RepoSignals } from "../session/project/RepoSignals.ts"
import * as ShellCommand from "../session/shell/ShellCommand.ts"
import { classOf, isCheck } from "../session/vocabulary/GateTable.ts"
import { fileKind } from "../base/system/Paths.ts"
import { matchesGlob } from "../base/text/Wildcard.ts"
import type { Verdict } from "../judge/verdict/Verdict.ts"
import type { Check } from "./CheckResult.ts"

/** Elsewhere nobody has said yet that the work is done. */
const judged: ReadonlySet<Verdict["status"]> = new Set(["complete", "incomplete", "abstained"])

const open: ReadonlySet<string> = new Set(["missing", "stale", "unknown"])

/**
 * The gates whose checks are worth running: required, or a condition of the user's for being done that no record can show, and
 * not known to have passed or failed on the files as they are.
 */
export const required = (verdict: Verdict, checks: ReadonlyArray<Pick<Check, "name">>): ReadonlyArray<string> =>
  verdict.gates.flatMap(({ gate, required: isRequired, result }) => {
    const isOpen = isRequired ? open.has(result) : result === "not_required" && isGate(gate)
    return judged.has(verdict.status) && isOpen && checks.some(({ name }) => name === gate) ? [gate] : []
  })

/** It passed as the files are, all of it, by its own exit status. */
const isGreen = ({ result, run }: GateFact): boolean => result === "passed" && run?.partial === false && !run.masked

/** Whether a gate is green on record. */
export const isProved = ({ gates }: Facts, name: string): boolean =>
  gates.some((gate) => gate.gate === name && isGreen(gate))

/** A path as the check's own folder has it. */
const nameIn = ({ cwd }: Facts, { directory }: ActiveCheck, path: string): string => {
  const root = directory ?? cwd
  return root !== null && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}

/** Green tests that the task changed are to be run as they were before it. */
const hasOldTests = (facts: Facts, check: ActiveCheck): boolean =>
  check.name === "tests" && facts.evidence.edits.some(({ path }) => isOfTests(nameIn(facts, check, path)))

/** Nobody forbade it. */
const isFree = ({ gates, task }: Facts, gate: string): boolean =>
  !isSpared(task, gate) && !gates.some((other) => other.gate === gate && other.denied)

/** What shows nothing without words of the user's on paths. */
const passive: ReadonlySet<Evidence.Edit["kind"]> = new Set(["docs", "outside"])

/** Whether a check covers what was edited: a comment may be a directive. */
const isCovered = (facts: Facts, check: ActiveCheck, { kind, path }: Pick<Evidence.Edit, "kind" | "path">): boolean => {
  const { paths = [] } = check
  return paths.length === 0
    ? !passive.has(kind)
    : kind !== "outside" && (path === "*" || paths.some((glob) => matchesGlob(glob, nameIn(facts, check, path))))
}

const isChanged = (facts: Facts, check: ActiveCheck): boolean =>
  facts.evidence.edits.some((edit) => isCovered(facts, check, edit))

/** Whether a command or a subagent of the task may have changed files without a trace on record. */
const mayHaveChanged = ({ evidence: { changing, delegated } }: Facts): boolean => changing || delegated > 0

const claimedIn = ({ reading }: Facts): ReadonlyArray<string> =>
  reading.claims.flatMap(({ gate, outcome }) => (outcome === "passed" ? [gate] : []))

/** The gates whose checks are to be run. */
export const due = (facts: Facts, verdict: Verdict, checks: ReadonlyArray<ActiveCheck>): ReadonlyArray<string> => {
  if (!judged.has(verdict.status)) return []
  const wanted = checks.filter((check) => check.when !== "ask" && !isUnwanted(facts.task, check))
  const claimed = claimedIn(facts)
  const isDue = (check: ActiveCheck): boolean =>
    isFree(facts, check.name) &&
    (!isProved(facts, check.name) || hasOldTests(facts, check)) &&
    (claimed.includes(check.name) ||
      (check.when !== "claim" && facts.task.intent !== "ask" && (isChanged(facts, check) || mayHaveChanged(facts))))
  return [...new Set([...required(verdict, wanted), ...wanted.filter(isDue).map(({ name }) => name)])]
}

/** Whether a check is due only where the working copy shows that the task changed what it covers. */
export const isUnsure = (facts: Facts, verdict: Verdict, check: ActiveCheck): boolean =>
  !isChanged(facts, check) && !claimedIn(facts).includes(check.name) && !required(verdict, [check]).includes(check.name)

/** Whether files that changed since the task was given, absolute, make it due; null where nobody can tell. */
export const isShown = (facts: Facts, check: ActiveCheck, changed: ReadonlyArray<string> | null): boolean =>
  changed === null
    ? facts.evidence.delegated > 0 || (facts.evidence.opaque && facts.task.intent === "act")
    : changed.some((path) => isCovered(facts, check, { kind: fileKind(path, facts.cwd), path }))

/** How many seconds all checks of a stop have together: what the user gave one of them, at least two minutes, or ten with nobody there. */
export const limit = (checks: ReadonlyArray<Pick<Check, "timeout">>, attended: boolean): number =>
  Math.max(attended ? 120 : 600, ...checks.map(({ timeout = 0 }) => timeout))

const quick = /(?:^|[:_-])(?:unit|quick|fast|smoke)(?:$|[:_-])/

/** A script that checks less than one that takes too long: what is called quick or runs a part of the same, else the type check. */
export const fasterThan = ({ command, name }: Pick<Check, "command" | "name">, repo: RepoSignals): string | null => {
  if (!isCheck(name)) return null
  if (quick.test(command)) return repo.typecheckCommand
  const manager = /^(?:pnpm|yarn|bun)\b/.exec(command)?.[0] ?? "npm"
  const isPart = (script: string, body: string): boolean => {
    const all = ShellCommand.analyze(body, repo.scripts).commands
    const mine = all.filter(({ classes }) => classes.includes(classOf[name]))
    return mine.length > 0 && !/watch/.test(script) && (quick.test(script) || mine.every(({ filtered }) => filtered))
  }
  const scripts = Object.entries(repo.scripts.npm).filter(([one, body]) => !command.endsWith(one) && isPart(one, body))
  const found = scripts.find(([one]) => quick.test(one)) ?? scripts[0]
  return found === undefined ? (name === "tests" ? repo.typecheckCommand : null) : `${manager} run ${found[0]}`
}
