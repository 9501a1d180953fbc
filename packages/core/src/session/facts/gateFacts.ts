/** How sure the result of a gate is: whether something may have been it, and whether a failure is the gate's own. */
import { tellsOfFailure } from "./failureTold.ts"
import type { Facts } from "./model.ts"
import { isKilled } from "../evidence/Killed.ts"
import * as Evidence from "../evidence/Evidence.ts"
import { closeTo, isDelivered } from "../gates/GateTable.ts"
import type { Assessed } from "../gates/Gates.ts"
import { ranAtEdit } from "../gates/places.ts"

type Seen = Pick<Facts, "cwd" | "evidence" | "stop" | "task">

/** What an edit of these kinds makes stale has to be run again. */
const sinceEdit = ({ evidence }: Pick<Facts, "evidence">): number =>
  Evidence.lastEdit(evidence, ["source", "test", "conflict", "unknown", "config", "script"])

/** Whether a check ran since the edit that does as much, or nearly so. */
export const ranClose = (gate: string, known: Pick<Facts, "evidence" | "task">): boolean => {
  const { evidence, task } = known
  const others = closeTo(gate)
  return evidence.runs.some(
    (run) => others.includes(run.gate) && run.turn >= task.since && run.order > sinceEdit(known)
  )
}

/** How many tests failed, in the runner's own count. */
const counted = /(?:^|[ ,])[1-9]\d{0,8} failed\b/

/** Whether a run failed by its own exit status or names or counts what failed in it, after the last edit and where that was made. */
export const failedItself = (run: Evidence.Run | null, known: Seen): boolean =>
  run !== null &&
  run.result === "failed" &&
  run.order > sinceEdit(known) &&
  !known.task.wantsFailure &&
  Evidence.lastPossible(known.evidence, run.gate) <= run.order &&
  (isDelivered(run.gate)
    ? run.gate === "ci" || !tellsOfFailure(known)
    : ((!run.masked && run.exitCode !== 0 && run.exitCode !== null && !isKilled(run.exitCode)) ||
        run.failing.length > 0 ||
        (run.gate === "tests" && counted.test(run.detail)) ||
        run.verified === true) &&
      ranAtEdit(run, known.evidence, known.cwd))

/** Whether somebody ordered a gate, or the configuration declares it. */
export const isOrdered = ({ gate, why }: Assessed, task: Facts["task"]): boolean =>
  why === "declared" || why === "done_when" || task.asks.some((ask) => ask.gate === gate)
