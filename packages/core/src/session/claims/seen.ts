/** What of the record every claim is held against. */
import { deed, type Evidence, type Reach, reachOf, type Run } from "../evidence/Evidence.ts"
import type { Assessed } from "../gates/model.ts"
import type { TaskContext } from "../task/model.ts"
import type { Claim } from "./model.ts"

export interface Seen {
  readonly evidence: Evidence
  readonly task: TaskContext
  readonly gates: ReadonlyArray<Assessed>
}

const styles = /\.(?:css|scss|sass|less|html?|svg)$/i

/** The last edit of code, of whatever turn; of this one only those that were not thrown away. */
export const codeEdit = (evidence: Evidence): { readonly order: number; readonly path: string | null } => {
  const edits = evidence.edits.filter(
    ({ kind, path }) => (kind === "source" || kind === "test" || kind === "conflict") && !styles.test(path)
  )
  const last = edits.toSorted((one, other) => other.order - one.order)[0]
  if (last !== undefined) return last
  const earlier = deed(evidence, "code")
  return { order: earlier !== undefined && earlier.turn < evidence.turn ? earlier.order : 0, path: null }
}

/** What can have done it: `server` counts only where `of` has it. */
const mayHaveBy = ({ evidence, task }: Seen, order: number, of: ReadonlyArray<Reach>): boolean => {
  const lost = deed(evidence, "compacted")
  const unknown = evidence.possible.filter(({ gate }) => gate === null)
  const reaching = unknown.filter(({ what }) => of.includes(reachOf(what)))
  return (
    reaching.some((run) => run.turn >= task.since && run.order >= order) ||
    (evidence.delegated > 0 && evidence.delegated >= order) ||
    deed(evidence, "user_ran") !== undefined ||
    (lost !== undefined && lost.order >= codeEdit(evidence).order) ||
    // Of those that are kept none may have gone so far.
    (evidence.opaque && (evidence.opaqueAt ?? 0) >= order && (unknown.length === 0 || reaching.length > 0))
  )
}

/** Whether something that nobody here understands may have done anything at all, at `order` or later. */
export const mayHave = (seen: Seen, order: number): boolean => mayHaveBy(seen, order, ["any", "local", "server"])

/** Whether something may have shown it on a screen: a server that was started shows nobody anything. */
export const mayHaveShown = (seen: Seen): boolean => mayHaveBy(seen, 0, ["any", "local"])

/** Whether something may have sent it off, or looked at what came of it elsewhere. */
export const mayHaveSent = (seen: Seen): boolean => mayHaveBy(seen, 0, ["any"])

/** The last edit of this turn that changes what the code does, or what its tests cover. */
export const sourceEdit = (
  { edits }: Evidence,
  withTests: boolean
): { readonly order: number; readonly path: string } | null =>
  edits
    .filter(({ kind, path }) => (kind === "source" || (withTests && kind === "test")) && !styles.test(path))
    .toSorted((one, other) => other.order - one.order)[0] ?? null

/** Whether a text names a file, by its path or its last part. */
export const isNamed = (path: string, text: string): boolean => {
  const name = path.split("/").at(-1) ?? path
  const stem = name.replace(/\.\w{1,8}$/, "")
  return name !== "" && (text.includes(name) || (stem.length > 4 && text.toLowerCase().includes(stem.toLowerCase())))
}

/** A command that did more failed in something else: its tests passed, as many as the claim says. */
export const countsPassed = ({ count, gate }: Claim, { detail, result }: Run): boolean =>
  result === "failed" && gate === "tests" && count !== null && detail.includes(`(${count} passed`)

/** Whether something may have changed a file that no edit on record shows. */
export const mayHaveChanged = (seen: Seen): boolean => {
  const { evidence, task } = seen
  const lost = deed(evidence, "compacted")
  return (
    evidence.changedAt > 0 ||
    evidence.delegated > 0 ||
    lost !== undefined ||
    deed(evidence, "user_ran") !== undefined ||
    task.continued
  )
}
