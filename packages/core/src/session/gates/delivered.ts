/** Finds work that came after an ordered commit, push or pull request and is not in it. If unsure, finds nothing. */
import { clauses } from "../../base/text/Sentences.ts"
import { matchesGlob } from "../../base/text/Wildcard.ts"
import { type Edit, type Evidence, isCode, type Run } from "../evidence/Evidence.ts"
import { isChange } from "../task/Intent.ts"
import type { TaskContext } from "../task/model.ts"
import type { GateContext } from "./model.ts"
import { names, speaksOf } from "../vocabulary/GateTable.ts"

/** True if the message orders more work after the delivery. For example, "Commit, then go on with part 2". */
const isFollowed = (gate: string, { message, text }: TaskContext): boolean => {
  const said = clauses(speaksOf(message, gate) ? message : text)
  const at = said.findLastIndex((clause) => speaksOf(clause, gate))
  const [, ...joined] = said[at]?.split(/ (?:and|then) /) ?? []
  const behind = [...joined, ...said.slice(at + 1)].map((clause) => clause.replace(/^(?:and|then|after that) /i, ""))
  return at < 0 || behind.some((clause) => isChange(clause) && !names.some((name) => speaksOf(clause, name)))
}

const output = /(?:^|\/)(?:dist|build|out|target|coverage|node_modules|__pycache__|\.next|\.nuxt|\.output|\.venv)\//

/** The last matching glob decides. */
const isIgnored = (path: string, globs: ReadonlyArray<string>): boolean =>
  globs.findLast((glob) => matchesGlob(glob.replace(/^!/, ""), path))?.startsWith("!") === false

/** True if git may include the edited file: it is in the project, not ignored, and not generated. */
const isKept = ({ path }: Edit, { cwd, repo }: GateContext): boolean => {
  if (cwd === null || !path.startsWith("/")) return !output.test(path) && !isIgnored(path, repo.ignored)
  const own = path.slice(cwd.length + 1)
  return path.startsWith(`${cwd}/`) && !output.test(own) && !isIgnored(own, repo.ignored)
}

/** True for an empty commit. A push does not need an empty commit. */
const isEmpty = ({ command }: Run): boolean => /--allow-empty(?![-\w])/.test(command)

/** The `order` of this turn's last work that the gate's last delivery does not contain. 0 if nothing is missing. */
export const lackedBy = (gate: string, evidence: Evidence, context: GateContext): number => {
  const { edits, runs, spokenAt = 0, tidiedAt = 0, turn } = evidence
  const made = runs.filter((run) => run.result === "passed" && run.turn === turn)
  const last = made.findLast((run) => run.gate === gate)
  if (last === undefined || isFollowed(gate, context.task)) return 0
  // Creating a pull request may push the branch, and a pull request contains later pushes.
  const isTaken = (run: Run): boolean => run === last || (gate !== "commit" && /^(?:pr|push)$/.test(run.gate))
  const from = Math.max(...runs.filter((run) => run.result !== "failed" && isTaken(run)).map(({ order }) => order))
  // If the user asks for more work after the delivery, that work need not be delivered.
  const until = spokenAt >= last.order ? spokenAt : Infinity
  const edited = edits.filter((edit) => isCode(edit) && isKept(edit, context) && edit.order > tidiedAt)
  const commits = made.filter((run) => run.gate === "commit" && run.folder === last.folder && !isEmpty(run))
  const added = gate === "commit" ? edited : gate === "push" ? commits : [...edited, ...commits]
  return Math.max(0, ...added.flatMap(({ order }) => (order > from && order <= until ? [order] : [])))
}

/** If git had nothing to deliver: `passed` without edits, `unknown` if edits may be stashed. Otherwise null. */
export const nothingLeft = (gate: string, evidence: Evidence): "passed" | "unknown" | null => {
  const { cleanAt = 0, delegated, edits, firstEdit, opaqueAt = 0, runs, sentAt = 0, turn } = evidence
  const own = edits.filter(({ kind }) => kind !== "outside")
  const made = runs.filter((run) => gate === "push" && run.gate === "commit" && run.turn === turn)
  const shownAt = gate === "commit" ? cleanAt : gate === "push" ? sentAt : 0
  if (shownAt <= Math.max(delegated, opaqueAt, ...[...own, ...made].map(({ order }) => order))) return null
  return own.length === 0 && firstEdit === undefined ? "passed" : "unknown"
}
