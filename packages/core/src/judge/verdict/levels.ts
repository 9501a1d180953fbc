/**
 * How far a rule goes: `push` sends the agent on, `tell` names what it found in the verdict, so that the user reads a line
 * and the agent is left alone.
 *
 * Four rules only tell, for on stops that nobody had seen when they were written they were wrong 24 times and never right:
 * open todos, leave asked for what was ordered, a failing check that nobody asked for, and one "asked for, never run". Of
 * the last two what the user ordered in plain words still pushes, and what the configuration declares. In the strict
 * profile all of them do.
 */
import * as Evidence from "../../session/evidence/Evidence.ts"
import type { Assessed } from "../../session/gates/Gates.ts"
import { tellsOfFailure } from "../../session/facts/failureTold.ts"
import type { Known, Level } from "./model.ts"

/** A level that is `tell` but in the strict profile. */
export const strictOnly = ({ profile }: Known): Level => (profile === "strict" ? "push" : "tell")

/** What an edit of these kinds makes stale has to be run again. */
const sinceEdit = ({ evidence }: Pick<Known, "evidence">): number =>
  Evidence.lastEdit(evidence, ["source", "test", "conflict", "unknown", "config", "script"])

/** A compiler that checks types builds, most builds check types, and CI runs them all. */
const close: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["tests", ["ci"]],
  ["build", ["typecheck", "ci"]],
  ["typecheck", ["build", "ci"]],
  ["lint", ["ci"]]
])

/** Whether a check ran since the edit that does as much, or nearly so. */
const ranClose = (gate: string, known: Pick<Known, "evidence" | "task">): boolean => {
  const { evidence, task } = known
  const others = close.get(gate) ?? []
  return evidence.runs.some(
    (run) => others.includes(run.gate) && run.turn >= task.since && run.order > sinceEdit(known)
  )
}

const resolved = (path: string, cwd: string | null): string => {
  const parts: Array<string> = []
  for (const part of (path.startsWith("/") || cwd === null ? path : `${cwd}/${path}`).split("/"))
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  return parts.join("/")
}

/** Whether a failing run was made where code was edited, as far as that is known. */
const sawTheEdit = ({ folder }: Evidence.Run, { cwd, evidence }: Known): boolean => {
  const edits = evidence.edits.filter(({ kind }) => kind !== "docs" && kind !== "outside")
  if (folder?.startsWith("~") === true) return false
  const own = resolved(folder ?? ".", cwd)
  if (cwd === null && folder === undefined) return true
  if (edits.length === 0) return own === resolved(".", cwd)
  return edits.some(({ path }) => path === "*" || own === "" || `${resolved(path, cwd)}/`.startsWith(`${own}/`))
}

/** What is handed over rather than run: no edit makes it stale, and a tool or a service says itself that it failed. */
export const delivered: ReadonlySet<string> = new Set(["ci", "pr", "push", "commit"])

/** Ended by a limit of time or by a signal. */
const cutShort: ReadonlySet<number | null> = new Set([124, 130, 137, 143])

/** Whether a run failed by its own exit status or names what failed in it, after the last edit and where that was made. */
const failedItself = (run: Evidence.Run | null, known: Known): boolean =>
  run !== null &&
  run.result === "failed" &&
  run.order > sinceEdit(known) &&
  !known.task.wantsFailure &&
  Evidence.lastPossible(known.evidence, run.gate) <= run.order &&
  (delivered.has(run.gate)
    ? run.gate === "ci" || !tellsOfFailure(known)
    : ((!run.masked && run.exitCode !== 0 && run.exitCode !== null && !cutShort.has(run.exitCode)) ||
        run.failing.length > 0 ||
        run.verified === true) &&
      sawTheEdit(run, known))

/** Whether the agent says that it passed, over the run that failed. */
const isDenied = ({ run }: Assessed, { contradictions }: Known): boolean =>
  run !== null && contradictions.some(({ callId }) => callId !== null && callId === run.callId)

/** Whether somebody asked for a gate in words that leave no doubt. */
const isOrdered = ({ gate, why }: Assessed, { task }: Known): boolean =>
  why === "declared" || task.asks.some((ask) => ask.gate === gate && ask.plain)

/** How far a gate that is not passed goes. */
export const ofGate = (gate: Assessed, known: Known): Level => {
  if (known.profile === "strict" || isDenied(gate, known)) return "push"
  if (!isOrdered(gate, known)) return "tell"
  if (gate.result === "failed") return failedItself(gate.run, known) ? "push" : "tell"
  return ranClose(gate.gate, known) ? "tell" : "push"
}

/** Whether the claim that a gate passed, of which no run is on record, goes against an order in plain words. */
export const hasSurelyNotRun = (gate: string, known: Pick<Known, "evidence" | "task">): boolean =>
  known.task.asks.some((ask) => ask.gate === gate && ask.plain) && !ranClose(gate, known)
