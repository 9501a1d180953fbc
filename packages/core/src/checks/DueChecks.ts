/** Decides which checks run at the end of a turn: for changed files, and for open required or claimed gates. */
import { isGate } from "../session/donewhen/Conditions.ts"
import { isOfTests } from "../session/checkedits/CheckEdits.ts"
import { isSpared, isUnwanted } from "../session/task/TaskContext.ts"
import { isChanged, isCovered, nameIn } from "../session/facts/Covered.ts"
import type { Facts, GateFact } from "../session/facts/Facts.ts"
import type { ActiveCheck } from "../session/config/ReflexionConfig.ts"
import { fileKind } from "../base/system/Paths.ts"
import type { Verdict } from "../judge/verdict/Verdict.ts"
import type { Check } from "./CheckResult.ts"

/** With any other status, the agent has not said that the work is done. */
const judged: ReadonlySet<Verdict["status"]> = new Set(["complete", "incomplete", "abstained"])

const open: ReadonlySet<string> = new Set(["missing", "stale", "unknown"])

/** Gates without a known result on the current files: required gates, and user conditions that no record can prove. */
export const required = (verdict: Verdict, checks: ReadonlyArray<Pick<Check, "name">>): ReadonlyArray<string> =>
  verdict.gates.flatMap(({ gate, required: isRequired, result }) => {
    const isOpen = isRequired ? open.has(result) : result === "not_required" && isGate(gate)
    return judged.has(verdict.status) && isOpen && checks.some(({ name }) => name === gate) ? [gate] : []
  })

/** True if the whole check passed on the current files, and no other command hid the check's exit status. */
const isGreen = ({ result, run }: GateFact): boolean => result === "passed" && run?.partial === false && !run.masked

export const isProved = ({ gates }: Facts, name: string): boolean =>
  gates.some((gate) => gate.gate === name && isGreen(gate))

/** True if the task changed tests. Even if they are green, their earlier versions should run too. */
const hasOldTests = (facts: Facts, check: ActiveCheck): boolean =>
  check.name === "tests" && facts.evidence.edits.some(({ path }) => isOfTests(nameIn(facts, check, path)))

/** False if the user forbade the check or no longer asks for it, or if its run was denied. */
const isFree = ({ gates, task }: Facts, gate: string): boolean =>
  !isSpared(task, gate) && !gates.some((other) => other.gate === gate && other.denied)

/** True if a command or a subagent of the task may have changed files that the record does not show. */
const mayHaveChanged = ({ evidence: { changing, delegated } }: Facts): boolean => changing || delegated > 0

const claimedIn = ({ reading }: Facts): ReadonlyArray<string> =>
  reading.claims.flatMap(({ gate, outcome }) => (outcome === "passed" ? [gate] : []))

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

/** True if only the working copy shows whether the check is due. It is due if a file that it covers has changed. */
export const isUnsure = (facts: Facts, verdict: Verdict, check: ActiveCheck): boolean =>
  !isChanged(facts, check) && !claimedIn(facts).includes(check.name) && !required(verdict, [check]).includes(check.name)

/** `changed` has the absolute paths of files that changed since the task was given. If null, the evidence decides. */
export const isShown = (facts: Facts, check: ActiveCheck, changed: ReadonlyArray<string> | null): boolean =>
  changed === null
    ? facts.evidence.delegated > 0 || (facts.evidence.opaque && facts.task.intent === "act")
    : changed.some((path) => isCovered(facts, check, { kind: fileKind(path, facts.cwd), path }))

/** In seconds. At least two minutes, or ten if nobody is present. More if a check has a longer limit. */
export const limit = (checks: ReadonlyArray<Pick<Check, "timeout">>, attended: boolean): number =>
  Math.max(attended ? 120 : 600, ...checks.map(({ timeout = 0 }) => timeout))
