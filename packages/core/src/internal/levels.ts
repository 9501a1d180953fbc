/**
 * How far a rule goes: `push` sends the agent on, `tell` names what it found in the verdict, so that the user reads a line
 * and the agent is left alone.
 *
 * Four rules only tell, for on stops that nobody had seen when they were written they were wrong 24 times and never right:
 * open todos, leave asked for what was ordered, a failing check that nobody asked for, and one "asked for, never run". Of
 * the last two what the user ordered in plain words still pushes. In the strict profile all of them do.
 */
import * as Evidence from "../Evidence.ts"
import type { Assessed } from "../Gates.ts"
import type { Known } from "./decide.ts"

export type Level = "push" | "tell"

/** A level that is `tell` but in the strict profile. */
export const strictOnly = ({ profile }: Known): Level => (profile === "strict" ? "push" : "tell")

/** What an edit of these kinds makes stale has to be run again. */
const sinceEdit = ({ evidence }: Known): number =>
  Evidence.lastEdit(evidence, ["source", "test", "conflict", "unknown", "config", "script"])

/** Whether something ran since the last edit that could have been any check: a command or tool that nobody here knows. */
const mayHaveRun = (known: Known): boolean => {
  const { evidence, task } = known
  const since = sinceEdit(known)
  return (evidence.unread.turn >= task.since && evidence.unread.order > since) || evidence.delegated > since
}

const resolved = (path: string, cwd: string | null): string => {
  const parts: Array<string> = []
  for (const part of (path.startsWith("/") || cwd === null ? path : `${cwd}/${path}`).split("/"))
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  return parts.join("/")
}

/** Whether a failing run was made where something was edited, or before anything was. */
const sawTheEdit = ({ folder }: Evidence.Run, { cwd, evidence }: Known): boolean => {
  if (folder === undefined || folder.startsWith("~") || evidence.edits.length === 0) return true
  const own = resolved(folder, cwd)
  return evidence.edits.some(({ path }) => own === "" || `${resolved(path, cwd)}/`.startsWith(`${own}/`))
}

/** Whether a run failed by its own exit status or names what failed in it, after the last edit and where that was made. */
const failedItself = (run: Evidence.Run | null, known: Known): boolean =>
  run !== null &&
  run.result === "failed" &&
  run.order > sinceEdit(known) &&
  (run.gate === "ci" ||
    (!run.masked && run.exitCode !== null && run.exitCode !== 0) ||
    run.failing.length > 0 ||
    run.verified === true) &&
  sawTheEdit(run, known)

/** Whether the agent says that it passed, over the run that failed. */
const isDenied = ({ run }: Assessed, { contradictions }: Known): boolean =>
  run !== null && contradictions.some(({ callId }) => callId !== null && callId === run.callId)

/** Whether somebody asked for a gate in words that leave no doubt. */
const isOrdered = ({ gate, why }: Assessed, { task }: Known): boolean =>
  why === "declared" || why === "instructed" || task.asks.some((ask) => ask.gate === gate && ask.plain)

/** How far a gate that is not passed goes. */
export const ofGate = (gate: Assessed, known: Known): Level => {
  if (known.profile === "strict" || isDenied(gate, known)) return "push"
  if (!isOrdered(gate, known)) return "tell"
  if (gate.result === "failed") return failedItself(gate.run, known) ? "push" : "tell"
  return mayHaveRun(known) ? "tell" : "push"
}
