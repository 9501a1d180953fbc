/** Which tests and settings of tests the task changed, when it began to, and what the record shows of how they were. Pure. */
import { editsOf } from "../../session/evidence/Edits.ts"
import type { EvidenceContext } from "../../session/evidence/Evidence.ts"
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"
import type { ToolCall, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import { type Change, changesOf } from "./changes.ts"
import { type Shown, shownBy } from "./reads.ts"
import { isOfTests } from "./TestFiles.ts"

/** `shown`: what was last seen of it before its first change. */
export interface Touched {
  readonly path: string
  readonly changes: ReadonlyArray<Change>
  readonly shown: Shown | null
}

/** Which brings in what others did to the tests, or takes back what was done. */
const otherWork = /\bgit\s(?:-\S+\s){0,4}(?:merge|rebase|pull|cherry-pick|am|revert|reset)\b/

/** `since`: when the first edit of any file was begun, where the host says so; `isMixed`: work of others was brought in. */
export interface Record {
  readonly since: string | null
  readonly touched: ReadonlyArray<Touched>
  readonly isMixed: boolean
}

const maxTouched = 100

/** A call that a host tells of twice counts once, as it ended. */
const settled = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<ToolCall> => {
  const calls = events.filter((event): event is ToolCall => event.type === "tool_call")
  const last = new Map(calls.map((call) => [call.id ?? call, call]))
  return calls.filter((call) => last.get(call.id ?? call) === call)
}

const hasRun = ({ status }: ToolCall): boolean => status !== "denied" && status !== "pending"

/** `resolve` makes a path absolute, as the call that named it means it. */
export const recordOf = (
  events: ReadonlyArray<TranscriptEvent>,
  { context, resolve }: { readonly context: EvidenceContext; readonly resolve: (root: string, path: string) => string }
): Record => {
  const touched = new Map<string, Touched>()
  const shown = new Map<string, Shown>()
  let since: string | null | undefined
  const changed = (path: string, change: Change): void => {
    const known = touched.get(path) ?? { path, changes: [], shown: shown.get(path) ?? null }
    if (touched.size < maxTouched || touched.has(path))
      touched.set(path, { ...known, changes: [...known.changes, change] })
  }
  for (const call of settled(events)) {
    if (!hasRun(call)) continue
    const root = call.cwd ?? context.cwd ?? ""
    const read = shownBy(call)
    const known = read === null ? undefined : shown.get(resolve(root, read.path))
    if (read !== null && !(known?.whole === true && !read.whole)) shown.set(resolve(root, read.path), read)
    const edits = editsOf(call, 0, context)
    if (edits.length > 0) since ??= call.at
    const exact =
      toolKind(call.tool) === "edit"
        ? new Map([...changesOf(call)].map(([path, change]) => [resolve(root, path), change]))
        : new Map<string, Change>()
    for (const edit of edits)
      if (edit.path !== "*" && isOfTests(edit.path, root)) {
        const path = resolve(root, edit.path)
        changed(path, exact.get(path) ?? { _tag: "unseen" })
      }
  }
  const isMixed = settled(events).some(
    (call) => toolKind(call.tool) === "shell" && otherWork.test((shellCommand(call) ?? "").slice(0, 4000))
  )
  return { isMixed, since: since ?? null, touched: [...touched.values()] }
}
