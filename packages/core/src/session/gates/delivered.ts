/** What was done since an ordered commit or push, so that it lacks it. What cannot be known makes neither stale. */
import { clauses } from "../../base/text/Sentences.ts"
import { type Edit, type Evidence, isCode, type Run } from "../evidence/Evidence.ts"
import { isChange } from "../task/Intent.ts"
import type { TaskContext } from "../task/model.ts"
import { names, speaksOf } from "../vocabulary/GateTable.ts"

/** "Commit, then go on with part 2": the order of the message is that of the work. */
const isFollowed = (gate: string, { message, text }: TaskContext): boolean => {
  const said = clauses(speaksOf(message, gate) ? message : text)
  const at = said.findLastIndex((clause) => speaksOf(clause, gate))
  const [, ...joined] = said[at]?.split(/ (?:and|then) /) ?? []
  const behind = [...joined, ...said.slice(at + 1)].map((clause) => clause.replace(/^(?:and|then|after that) /i, ""))
  return at < 0 || behind.some((clause) => isChange(clause) && !names.some((name) => speaksOf(clause, name)))
}

const isInside = ({ path }: Edit, cwd: string | null): boolean =>
  cwd === null || !path.startsWith("/") || path.startsWith(`${cwd}/`)

/** The order of the last thing in this turn that the last commit or push lacks; 0 where it has all. */
export const lackedBy = (gate: string, evidence: Evidence, task: TaskContext, cwd: string | null): number => {
  const { edits, runs, spokenAt = 0, tidiedAt = 0, turn } = evidence
  const made = runs.filter((run) => run.result === "passed" && run.turn === turn)
  const last = made.findLast((run) => run.gate === gate)
  if (last === undefined || isFollowed(gate, task)) return 0
  // A pull request may take its branch along.
  const isTaken = (run: Run): boolean => run === last || (gate === "push" && run.gate === "pr")
  const from = Math.max(...made.filter(isTaken).map(({ order }) => order))
  // What the user asks for in the meantime need not be handed over as well.
  const until = spokenAt >= last.order ? spokenAt : Infinity
  const added =
    gate === "commit"
      ? edits.filter((edit) => isCode(edit) && isInside(edit, cwd) && edit.order > tidiedAt)
      : made.filter((run) => run.gate === "commit" && run.folder === last.folder)
  return Math.max(0, ...added.flatMap(({ order }) => (order > from && order <= until ? [order] : [])))
}
